//! What a file may contain besides shapes: expressions, material variants, lights and cameras.

use glam::Mat4;
use smirk_face::head::{
    Beam, Bind, Expression, ExpressionForm, FileCamera, FileLight, Lens, Mask, MaskKind, Material, Override, Preset,
    Response, Role, Variant,
};
use smirk_scene::{LashStyle, LitBy, VertexColors};

use crate::harness::*;

fn avatar() -> Arc<Head> {
    let expression = |preset: Preset, binds: &[usize]| Expression {
        name: preset.name().into(),
        preset: Some(preset),
        binds: binds.iter().map(|&target| Bind { target, weight: 0.5 }).collect(),
        ..Expression::default()
    };
    let happy = Expression { override_blink: Override::Block, ..expression(Preset::Happy, &[0]) };
    let lens = Lens::Perspective { fov_y_radians: 0.8 };
    let lamp = FileLight {
        name: "Sun".into(),
        node: None,
        world_from_light: Mat4::IDENTITY,
        color: [1.0; 3],
        intensity: 1.0,
        range: None,
        beam: Beam::Directional,
    };
    Arc::new(Head::new(Asset {
        name: "avatar".into(),
        meshes: vec![mesh("face", &["jawOpen", "eyeBlinkLeft"])],
        materials: vec![Material::default(), Material::default()],
        expressions: vec![happy, expression(Preset::Blink, &[1])],
        variants: vec![Variant { name: "Winter".into(), materials: [((0, 0), 1)].into() }],
        cameras: vec![FileCamera {
            name: "Close-up".into(),
            node: None,
            world_from_camera: Mat4::from_translation(Vec3::Z),
            lens,
        }],
        lights: vec![lamp],
        ..Asset::default()
    }))
}

fn assert_weights(harness: &Harness<'_, App>, expected: [f32; 2]) {
    let weights = harness.state().session.weights();
    assert!(weights.iter().zip(expected).all(|(weight, expected)| (weight - expected).abs() < 0.02), "{weights:?}");
}

#[test]
fn expressions_are_listed_first_and_add_to_the_shapes() {
    let mut harness = window(avatar());
    let top = |harness: &Harness<'_, App>, label: &str| harness.get_by_label(label).rect().top();
    assert!(top(&harness, "Expressions") < top(&harness, "happy") && top(&harness, "happy") < top(&harness, "jawOpen"));
    drag_slider(&mut harness, "blink", 0.0, 1.0);
    drag_slider(&mut harness, "jawOpen", 0.0, 0.25);
    assert_weights(&harness, [0.25, 0.5]);
    drag_slider(&mut harness, "happy", 0.0, 1.0);
    // The expression happy blocks the blink.
    assert_weights(&harness, [0.75, 0.0]);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_weights(&harness, [0.25, 0.5]);
}

#[test]
fn the_look_page_shows_only_what_the_file_has() {
    let mut harness = window(avatar());
    harness.get_by_label("Look").click();
    harness.run();
    choose_in_list(&mut harness, "Variant", "Winter");
    assert_eq!(harness.state().session.look().variant, Some(0));
    choose_in_list(&mut harness, "Lights", "File lights");
    assert_eq!(harness.state().session.look().lit_by, LitBy::File);
    assert!(harness.query_by_label("Sun").is_some() && harness.query_by_label("Key intensity").is_none());
    harness.get_by_label("Reset look").click();
    harness.run();
    let look = harness.state().session.look();
    assert_eq!((look.variant, look.lit_by), (Some(0), LitBy::Smirk), "resetting the look keeps the variant");
    let mut harness = window(head());
    harness.get_by_label("Look").click();
    harness.run();
    assert!(harness.query_by_label("Key intensity").is_some() && harness.query_by_label("Variant").is_none());
    assert!(harness.query_by_label("Cameras").is_none());
}

#[test]
fn the_artist_chooses_what_a_material_shows() {
    let material = |name: &str| Material { name: name.into(), ..Material::default() };
    let asset = |materials| Asset { meshes: vec![mesh("face", &["jawOpen"])], materials, ..Asset::default() };
    let head = Head::new(asset(vec![material("M_Skin"), material("lambert5"), material("lambert5")]));
    let mut harness = window(Arc::new(head));
    harness.get_by_label("Look").click();
    harness.run();
    let chosen = |harness: &Harness<'_, App>| harness.state().session.roles();
    let pick = |harness: &mut Harness<'_, App>, label: &str, choice: &str| {
        harness.get_by_role_and_label(egui::accesskit::Role::ComboBox, label).scroll_to_me();
        harness.run();
        choose_in_list(harness, label, choice);
    };
    assert!(chosen(&harness).is_empty());
    pick(&mut harness, "Role of lambert5", "Hair");
    assert_eq!(*chosen(&harness), [Role::Skin, Role::Hair, Role::Hair]);
    pick(&mut harness, "Role of M_Skin", "Eye");
    assert_eq!(*chosen(&harness), [Role::Eye, Role::Hair, Role::Hair]);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(*chosen(&harness), [Role::Skin, Role::Hair, Role::Hair]);
    pick(&mut harness, "Role of lambert5", "Automatic (Other)");
    assert!(chosen(&harness).is_empty());
    pick(&mut harness, "Plain lashes", "Hidden");
    assert_eq!(harness.state().session.edits.look.lashes, LashStyle::Hidden);
    harness.get_by_label("Bare eyes get an iris").click();
    harness.run();
    assert!(!harness.state().session.edits.look.gives_iris);
}

#[test]
fn vertex_colours_of_the_file_are_ignored_by_choice() {
    let with_colors = |colors: bool| {
        let mut mesh = mesh("face", &["jawOpen"]);
        if colors {
            mesh.vertices.colors = vec![[0.0, 0.0, 0.0, 1.0]; mesh.vertices.len()];
        }
        let mut harness = window(Arc::new(Head::new(Asset { meshes: vec![mesh], ..Asset::default() })));
        harness.get_by_label("Look").click();
        harness.run();
        harness
    };
    assert!(with_colors(false).query_by_label("Vertex colours").is_none());
    let mut harness = with_colors(true);
    let chosen = |harness: &Harness<'_, App>| harness.state().session.edits.look.vertex_colors;
    assert_eq!(chosen(&harness), VertexColors::AsInFile);
    choose_in_list(&mut harness, "Vertex colours", "Ignored");
    assert_eq!(chosen(&harness), VertexColors::Ignored);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run();
    assert_eq!(chosen(&harness), VertexColors::AsInFile);
}

#[test]
fn a_camera_of_the_file_is_chosen_and_left() {
    let mut harness = window(avatar());
    harness.get_by_label("Cameras").click();
    harness.run();
    harness.get_by_label("Close-up").click();
    harness.run();
    let camera = harness.state().session.camera;
    assert_eq!(camera.fov_y, 0.8);
    assert!(camera.eye_in_world().distance(Vec3::Z) < 1e-5, "{}", camera.eye_in_world());
    harness.get_by_label("Front").click();
    harness.run();
    assert_eq!(harness.state().session.camera.fov_y, smirk_scene::Camera::FOV_Y);
}

#[test]
fn an_expression_and_a_shape_of_one_name_are_told_apart_wherever_they_are_listed() {
    let expression = |name: &str| Expression { name: name.into(), ..Expression::default() };
    let head = Head::new(Asset {
        meshes: vec![mesh("face", &["smile", "jawOpen"])],
        expressions: vec![expression("smile"), expression("wow")],
        ..Asset::default()
    });
    let mut harness = window(Arc::new(head));
    for name in ["smile (expression)", "smile (shape)", "wow", "jawOpen"] {
        harness.get_by_role_and_label(egui::accesskit::Role::Slider, name);
    }
    harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
    harness.run();
    choose_in_list(&mut harness, "Measured of", "smile (shape)");
    let session = &harness.state().session;
    assert_eq!(session.look().heat.channel, Some(0), "expressions come last");
}

#[test]
fn an_expression_that_turns_a_joint_and_reduces_another_says_so() {
    let turn =
        Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0], 4).unwrap();
    let tracks = vec![NodeTrack { node: 0, path: NodePath::Rotation, curve: turn }];
    let clip = Clip::new("open".into(), Vec::new()).with_node_tracks(tracks);
    let mask = Mask { target: "smile".into(), kind: MaskKind::Blend, amount: 0.5, carried: Default::default() };
    let open = Expression {
        name: "open".into(),
        response: Some(Response { clip, materials: Vec::new(), of_file: None }),
        masks: vec![mask],
        ..Expression::default()
    };
    let binds = vec![Bind { target: 0, weight: 1.0 }];
    let smile = Expression { name: "smile".into(), binds, ..Expression::default() };
    let jaw = Node { name: "CC_Base_JawRoot".into(), parent: None, rest: LocalTransform::Trs(Trs::IDENTITY) };
    let head = Head::new(Asset {
        meshes: vec![mesh("face", &["jawOpen"])],
        rig: Rig { nodes: vec![jaw], ..Rig::default() },
        expressions: vec![open, smile],
        expression_form: ExpressionForm::Khr,
        ..Asset::default()
    });
    let mut harness = window(head.into());
    harness.get_by_role_and_label(egui::accesskit::Role::Slider, "open").hover();
    for _ in 0..90 {
        harness.run_steps(1);
    }
    harness.get_by_label_contains("Moves the joint CC_Base_JawRoot");
    harness.get_by_label_contains("Fades out smile");
    drag_slider(&mut harness, "smile", 0.0, 1.0);
    drag_slider(&mut harness, "open", 0.0, 1.0);
    let session = &harness.state().session;
    let turned = session.world_from_nodes()[0].transform_vector3(Vec3::Y);
    assert!(turned.distance(Vec3::NEG_Y) < 0.05, "{turned}");
    assert!((session.weights()[0] - 0.5).abs() < 0.02, "{:?}", session.weights());
}
