//! The source of normals, chosen on the Look page and shown on the Readout page.

use smirk_scene::Normals;

use crate::harness::*;

/// A mesh whose target has normals, and one whose target has none.
fn half_authored() -> Arc<Head> {
    let mut face = mesh("face", &["jawOpen"]);
    face.targets[0].normals = vec![Vec3::X * 0.1];
    Arc::new(Head::new(Asset {
        name: "head".into(),
        meshes: vec![face, mesh("teeth", &["jawOpen"])],
        ..Asset::default()
    }))
}

#[test]
fn the_look_page_sets_the_source_and_the_readout_shows_it() {
    let mut harness = window(half_authored());
    harness.get_by_label("Look").click();
    harness.run();
    assert_eq!(harness.state().session.edits.look.normals, Normals::Auto);
    for (choice, normals, shown) in [
        ("Recomputed", Normals::Recomputed, "recomputed"),
        ("From the file", Normals::Authored, "from the file"),
        ("Automatic", Normals::Auto, "recomputed (1 of 2 meshes)"),
    ] {
        harness.get_by_role_and_label(egui::accesskit::Role::ComboBox, "Normals").click();
        harness.run();
        harness.get_by_role_and_label(egui::accesskit::Role::Button, choice).click();
        harness.run();
        assert_eq!(harness.state().session.edits.look.normals, normals);
        harness.get_by_label("Readout").click();
        harness.run();
        harness.get_by_label(shown);
        harness.get_by_label("Look").click();
        harness.run();
    }
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(harness.state().session.edits.look.normals, Normals::Authored, "the choice can be undone");
}
