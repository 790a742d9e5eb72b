//! Choices that depend on the head: its material variant, its lights, its camera.

use smirk_face::head::{Material, Role, Variant};
use smirk_scene::{LitBy, VertexColors, ViewMode};

use crate::project::*;

fn head_with_variants(names: &[&str]) -> Arc<Head> {
    let variant = |name: &&str| Variant { name: (*name).to_owned(), ..Variant::default() };
    let meshes = vec![head(&FACE).meshes[0].clone()];
    Arc::new(Head::new(Asset { meshes, variants: names.iter().map(variant).collect(), ..Asset::default() }))
}

#[test]
fn a_variant_is_saved_by_name_and_kept_for_a_head_that_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let source = || HeadSource::File(folder.path().join("ada.glb"));
    let mut before = session(head_with_variants(&["summer", "winter"]), source());
    before.edits.choose_variant(&before.head.clone(), Some(1));
    before.edits.lit_by_file = true;
    before.edits.look.vertex_colors = VertexColors::Ignored;
    before.commit();
    let file = saved(&before, folder.path());
    let stored = Project::read(&file).unwrap();
    assert_eq!(
        (stored.edits.variant.as_deref(), stored.edits.look),
        (Some("winter"), Project::from_session(&before).edits.look)
    );

    let (reordered, notes) = reopened(&file, head_with_variants(&["winter", "summer"]));
    assert_eq!((reordered.look().variant, reordered.look().lit_by), (Some(0), LitBy::File));
    assert_eq!(reordered.edits.look, before.edits.look);
    assert!(notes.is_empty(), "{notes:?}");
    let (mut bare, notes) = reopened(&file, head_with_variants(&[]));
    assert!(bare.look().variant.is_none() && notes.iter().any(|note| note.contains("winter")), "{notes:?}");
    assert_eq!(Project::from_session(&bare).edits.variant.as_deref(), Some("winter"));

    let mut twin = session(head_with_variants(&["coat", "coat"]), source());
    twin.edits.choose_variant(&twin.head.clone(), Some(1));
    let of_twin = saved(&twin, folder.path());
    assert_eq!(
        reopened(&of_twin, head_with_variants(&["coat", "coat"])).0.look().variant,
        Some(1),
        "the second of two variants of one name"
    );

    let same = bare.source.clone();
    bare.replace_head(head_with_variants(&["summer"]), same.clone());
    bare.edits.choose_variant(&bare.head.clone(), Some(0));
    bare.replace_head(head_with_variants(&["new", "summer"]), same);
    assert_eq!(bare.look().variant, Some(1), "the same file, read again");
    bare.replace_head(head_with_variants(&["summer"]), HeadSource::Embedded);
    assert_eq!((bare.look().variant, bare.look().lit_by), (None, LitBy::Smirk), "another head");
}

#[test]
fn roles_of_materials_are_saved_by_name_and_kept_for_a_head_that_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let named = |names: &[&str]| {
        let material = |name: &&str| Material { name: (*name).to_owned(), ..Material::default() };
        let meshes = vec![head(&FACE).meshes[0].clone()];
        Arc::new(Head::new(Asset { meshes, materials: names.iter().map(material).collect(), ..Asset::default() }))
    };
    let mut before = session(named(&["M_Face", "lambert5"]), HeadSource::File(folder.path().join("ada.glb")));
    before.edits.roles.insert("lambert5".into(), Role::Cloth);
    before.commit();
    let file = saved(&before, folder.path());
    let (same, notes) = reopened(&file, named(&["lambert5", "M_Face"]));
    assert_eq!(*same.roles(), [Role::Cloth, Role::Skin]);
    assert!(notes.is_empty(), "{notes:?}");
    let (mut bare, notes) = reopened(&file, named(&["M_Face"]));
    assert!(notes.iter().any(|note| note.contains("lambert5")), "{notes:?}");
    assert_eq!(Project::from_session(&bare).edits.roles, before.edits.roles, "kept, and saved again");
    let source = bare.source.clone();
    bare.replace_head(named(&["lambert5"]), source);
    assert_eq!(*bare.roles(), [Role::Cloth], "the same file, read again");
    bare.replace_head(named(&["lambert5"]), HeadSource::Embedded);
    assert!(bare.roles().is_empty(), "another head");
}

#[test]
fn hidden_meshes_are_saved_by_name_and_the_view_with_the_look() {
    let folder = tempfile::tempdir().unwrap();
    let named = |names: &[&str]| {
        let mesh = |name: &&str| Mesh { name: (*name).to_owned(), ..head(&FACE).meshes[0].clone() };
        Arc::new(Head::new(Asset { meshes: names.iter().map(mesh).collect(), ..Asset::default() }))
    };
    let mut before = session(named(&["face", "hair"]), HeadSource::File(folder.path().join("ada.glb")));
    before.edits.hidden_meshes.insert("hair".into());
    (before.edits.look.view, before.edits.look.isolates_face) = (ViewMode::Clay, true);
    before.commit();
    let file = saved(&before, folder.path());
    let (same, notes) = reopened(&file, named(&["hair", "face"]));
    assert_eq!(same.look().hidden, [0].into_iter().collect());
    assert_eq!((same.look().view, same.look().isolates_face), (ViewMode::Clay, true));
    assert!(notes.is_empty(), "{notes:?}");
    let (mut bare, notes) = reopened(&file, named(&["face"]));
    assert!(notes.iter().any(|note| note.contains("hair")), "{notes:?}");
    assert_eq!(Project::from_session(&bare).edits.hidden_meshes, before.edits.hidden_meshes, "kept, and saved again");
    let source = bare.source.clone();
    bare.replace_head(named(&["hair"]), source);
    assert!(bare.look().hidden.contains(0), "the same file, read again");
    bare.replace_head(named(&["hair"]), HeadSource::Embedded);
    assert_eq!((bare.look().hidden, bare.look().view), (Default::default(), ViewMode::Shaded), "another head");
}

#[test]
fn a_head_is_framed_if_the_saved_camera_does_not_show_it() {
    let session = session(head(&FACE), HeadSource::Embedded);
    let mut project = Project::from_session(&session);
    assert!(!project.needs_framing(&session.head));
    project.camera.as_mut().unwrap().distance = 1e6;
    assert!(project.needs_framing(&session.head), "re-exported in millimetres, say");
    project.camera = None;
    assert!(project.needs_framing(&session.head));
}
