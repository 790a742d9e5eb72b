//! Mends on the Report page: the remedy of a finding, the list with its numbers, and what is safe.

use egui_kittest::kittest::NodeT;
use smirk_analysis::judge::{Combination, FaceIntersections, Judged, Through};
use smirk_analysis::lint::{Rule, Settings, lint};
use smirk_analysis::mend::{Empty, Kind as MendKind, Mask, Mend, Noise, Scale, Split};
use smirk_editor::document::LoadRequest;
use smirk_export::{ExportKind, ExportRequest};
use smirk_face::head::{Bind, Expression, Override, Preset};
use smirk_scene::ViewMode;
use smirk_ui::Page;

use crate::harness::*;
use crate::pointed::on_screen;

/// Vertices along a side of the face.
const SIDE: usize = 21;

/// A face as wide as a hand, in metres, with a smile, an uneven pair of brows of which one is noisy, and an empty shape.
fn faulty_head() -> Arc<Head> {
    let at = |index: usize| index as f32 / (SIDE - 1) as f32 - 0.5;
    let places = (0..SIDE * SIDE).map(|index| Vec3::new(at(index % SIDE), at(index / SIDE), 0.0) * 0.14);
    let positions: Vec<Vec3> = places.collect();
    let corner = |x: usize, y: usize| (y * SIDE + x) as u32;
    let cells = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| (x, y)));
    let indices: Vec<u32> = cells
        .flat_map(|(x, y)| {
            let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
            [a, b, c, a, c, d]
        })
        .collect();
    let bump = |place: Vec3, x: f32, y: f32| (1.0 - place.distance(Vec3::new(x, y, 0.0)) / 0.04).max(0.0);
    let target = |name: &str, delta: &dyn Fn(Vec3) -> Vec3| {
        let deltas: Vec<Vec3> = positions.iter().map(|&place| delta(place)).collect();
        let normals: Vec<Vec3> = deltas.iter().map(|delta| Vec3::X * delta.length() * 20.0).collect();
        Target::from_dense(name.into(), 0.0, &deltas, &normals, &[])
    };
    let targets = vec![
        target("mouthSmile", &|place| Vec3::new(place.x * 0.1, 0.006, 0.002) * bump(place, 0.0, -0.02)),
        target("browDownLeft", &|place| Vec3::new(0.0, -0.006, 0.0) * bump(place, 0.035, 0.03)),
        target("browDownRight", &|place| Vec3::new(0.0, -0.009, 0.0) * bump(place, -0.035, 0.03) + Vec3::Y * 4e-7),
        target("puff", &|_| Vec3::ZERO),
        target("widen", &|place| Vec3::new(0.0, 0.0, 0.003 + place.x.abs() * 0.01)),
    ];
    let mesh = Mesh {
        name: "face".into(),
        vertices: Vertices { normals: vec![Vec3::Z; positions.len()], positions, ..Vertices::default() },
        parts: vec![Part { first_index: 0, index_count: indices.len() as u32, material: 0, flat_shaded: false }],
        indices,
        targets,
        ..Mesh::default()
    };
    Arc::new(Head::new(Asset { name: "faulty".into(), meshes: vec![mesh], ..Asset::default() }))
}

/// The Report page of a head with what the lint has found.
fn report() -> Harness<'static, App> {
    let mut app = App::new(faulty_head());
    let found = lint(&app.session.head, &Settings::default());
    app.find(found);
    app.state.panels.page = Page::Report;
    window_of(Vec2::new(1600.0, 1000.0), app)
}

fn mends(harness: &Harness<'static, App>) -> Vec<Mend> {
    harness.state().session.edits.mends.clone()
}

fn labels(harness: &Harness<'static, App>) -> Vec<&'static str> {
    mends(harness).iter().map(|mend| mend.kind.label()).collect()
}

fn rules(harness: &Harness<'static, App>) -> Vec<Rule> {
    let app = harness.state();
    app.findings.get(&app.session.head).unwrap().iter().map(|finding| finding.rule).collect()
}

/// Ends a gesture, as the window does between two.
fn settle(harness: &mut Harness<'static, App>) {
    harness.run_steps(4);
    harness.state_mut().session.commit();
}

#[test]
fn a_finding_is_mended_where_it_stands_and_undo_brings_it_back() {
    let mut harness = report();
    assert!(rules(&harness).contains(&Rule::Asymmetry), "{:?}", rules(&harness));
    harness.get_by_label("Mend Asymmetric shapes").click();
    settle(&mut harness);
    assert_eq!(labels(&harness), ["Symmetrise shapes"]);
    assert!(!rules(&harness).contains(&Rule::Asymmetry));
    let figures = harness.state().session.mend_changes().unwrap()[0].clone().unwrap();
    assert!((figures.largest_mm - 1.5).abs() < 0.1, "half of 3 mm on either side: {figures:?}");
    harness.get_by_label(&figures.in_words());
    assert!(harness.query_by_label("Mend Asymmetric shapes").is_none(), "there is nothing left to mend");
    assert!(harness.state_mut().session.undo());
    harness.run_steps(4);
    assert!(rules(&harness).contains(&Rule::Asymmetry) && mends(&harness).is_empty());
    harness.get_by_label("Mend Asymmetric shapes");
}

#[test]
fn a_push_has_the_combinations_of_the_mended_head_tried_at_once() {
    let mut app = App::new(faulty_head());
    app.state.panels.page = Page::Report;
    // High enough for the whole page.
    let mut harness = window_of(Vec2::new(1600.0, 2000.0), app);
    let head = harness.state().session.head.clone();
    let intersections = FaceIntersections::new(vec![], vec![(Through::Lids, 31, 24.4)]);
    let judged = Judged {
        combination: Combination { channels: [0, 1].into() },
        intersections: Arc::new(intersections),
        added_mm: 20.0,
        stretch: 1.0,
        added_stretch: 1.0,
        lost_cm3: 0.0,
    };
    harness.state_mut().try_combinations(vec![judged]);
    harness.run_steps(2);
    press(&mut harness, "Push apart");
    settle(&mut harness);
    assert_eq!(labels(&harness), ["Push apart"]);
    // Nothing crosses in this head, so that another mend changes it.
    harness.state_mut().session.edits.mends.push(MendKind::Empty(Empty::default()).into());
    settle(&mut harness);
    let mended = harness.state().session.head.clone();
    assert!(!Arc::ptr_eq(&mended, &head), "it was not mended");
    let status = harness.state_mut().tried().status(&HeadId::new(&mended));
    assert_ne!(status, Status::Idle, "nobody tries them again");
}

#[test]
fn what_is_safe_is_mended_by_one_click() {
    let mut harness = report();
    press(&mut harness, "Mend all that is safe");
    settle(&mut harness);
    assert_eq!(labels(&harness), ["Remove empty shapes", "Remove noise"]);
    let app = harness.state();
    assert!(app.session.head.channel_named("puff").is_none());
    assert!(!rules(&harness).contains(&Rule::Empty) && !rules(&harness).contains(&Rule::Noise));
    press(&mut harness, "Mend all that is safe");
    harness.run_steps(3);
    assert_eq!(mends(&harness).len(), 2);
    assert!(harness.state().commands.contains(&Command::ShowStatus("Nothing is left that is safe to mend".into())));
}

#[test]
fn the_number_of_a_mend_shows_on_the_head_while_it_is_dragged() {
    let mut harness = report();
    harness.state_mut().session.edits.mends =
        vec![Mend::of_shapes(MendKind::Noise(Noise::default()), ["browDownRight"])];
    settle(&mut harness);
    press(&mut harness, "Mend 1 Remove noise");
    settle(&mut harness);
    let stored = |harness: &Harness<'static, App>| harness.state().session.head.meshes[0].targets[2].rows.len();
    let before = stored(&harness);
    let (from, to) = (at(&harness, "Mend noise below", 0.02), at(&harness, "Mend noise below", 1.0));
    drag_towards(&mut harness, from, to);
    assert!(stored(&harness) < before, "before the button is released");
    harness.drop_at(to);
    settle(&mut harness);
    let MendKind::Noise(Noise { below_mm, .. }) = mends(&harness)[0].kind else { panic!() };
    assert!((below_mm - 0.1).abs() < 0.01, "{below_mm}");
    assert!(harness.state_mut().session.undo());
    harness.run_steps(3);
    assert_eq!(stored(&harness), before, "the whole drag is one step");
}

#[test]
fn mends_are_added_for_shapes_switched_moved_and_removed() {
    let mut harness = report();
    let smile = harness.state().channel("mouthSmile");
    harness.state_mut().session.channel_mut(smile).set(1.0);
    settle(&mut harness);
    press(&mut harness, "Add mend");
    press(&mut harness, "Split left and right");
    settle(&mut harness);
    assert_eq!(mends(&harness)[0].shapes, Some(vec!["mouthSmile".to_owned()]), "for what is moved");
    let has = |harness: &Harness<'static, App>, name: &str| harness.state().session.head.channel_named(name).is_some();
    assert!(has(&harness, "mouthSmileLeft") && !has(&harness, "mouthSmile"));
    press(&mut harness, "Add mend");
    press(&mut harness, "Remove empty shapes");
    settle(&mut harness);
    assert_eq!(labels(&harness), ["Split left and right", "Remove empty shapes"]);
    harness.get_by_label("Mend 1 Split left and right on").click();
    settle(&mut harness);
    assert!(!mends(&harness)[0].enabled && has(&harness, "mouthSmile") && !has(&harness, "puff"));
    harness.get_by_label("Mend 2 Remove empty shapes").focus();
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::ALT, Key::ArrowUp);
    settle(&mut harness);
    assert_eq!(labels(&harness), ["Remove empty shapes", "Split left and right"]);
    harness.get_by_label("Remove mend 1 Remove empty shapes").click();
    settle(&mut harness);
    assert_eq!(labels(&harness), ["Split left and right"]);
    assert!(has(&harness, "puff"));
    press(&mut harness, "Compare with the file");
    let version = LoadRequest::Version(HeadSource::Embedded);
    assert!(harness.state().commands.contains(&Command::Load(Box::new(version))));
}

fn click_at(harness: &mut Harness<'static, App>, at: Pos2) {
    harness.hover_at(at);
    harness.run_ok();
    harness.drag_at(at);
    harness.run_ok();
    harness.drop_at(at);
    harness.run_ok();
}

#[test]
fn a_mask_is_painted_by_clicks_on_the_face_and_by_the_heat_map() {
    let mut harness = report();
    harness.state_mut().session.edits.mends = vec![Mend::of_shapes(MendKind::Scale(Scale { factor: 2.0 }), ["widen"])];
    settle(&mut harness);
    press(&mut harness, "Mend 1 Scale shapes");
    settle(&mut harness);
    let moved = |harness: &Harness<'static, App>| {
        harness.state().session.mend_changes().unwrap()[0].as_ref().map_or(0, |change| change.vertices)
    };
    let everywhere = moved(&harness);
    let [middle, beside] = [0.0, 0.03].map(|x| on_screen(&harness, Vec3::X * x));
    click_at(&mut harness, middle);
    settle(&mut harness);
    assert_eq!(mends(&harness)[0].mask, None, "clicks paint only once they are asked to");
    press(&mut harness, "Paint mask");
    settle(&mut harness);
    click_at(&mut harness, middle);
    settle(&mut harness);
    let Some(Mask(points)) = mends(&harness)[0].mask.clone() else { panic!("the click has painted nothing") };
    assert_eq!((points.len(), points[0].radius_mm), (1, 15.0));
    assert!(moved(&harness) > 0 && moved(&harness) < everywhere);
    click_at(&mut harness, beside);
    settle(&mut harness);
    assert_eq!(mends(&harness)[0].mask.as_ref().unwrap().0.len(), 2, "it is still painted once the head was mended");
    click_at(&mut harness, middle);
    settle(&mut harness);
    let left = mends(&harness)[0].mask.clone().unwrap().0;
    assert!(left.len() == 1 && left[0].at != points[0].at, "a click on a point takes it away");
    harness.key_press(Key::Escape);
    settle(&mut harness);
    click_at(&mut harness, middle);
    settle(&mut harness);
    assert_eq!(mends(&harness)[0].mask.as_ref().unwrap().0, left);
    press(&mut harness, "Clear mask");
    settle(&mut harness);
    assert_eq!((mends(&harness)[0].mask.clone(), moved(&harness)), (None, everywhere));
    let session = &mut harness.state_mut().session;
    let brow = session.head.channel_named("browDownLeft").unwrap();
    session.channel_mut(brow).set(1.0);
    session.edits.look.view = ViewMode::Heat;
    settle(&mut harness);
    press(&mut harness, "Mask from heat map");
    settle(&mut harness);
    let Some(Mask(points)) = mends(&harness)[0].mask.clone() else { panic!("nothing is hot") };
    assert!(
        points.iter().all(|point| Vec3::from(point.at).distance(Vec3::new(0.035, 0.03, 0.0)) < 0.025),
        "{points:?}"
    );
}

#[test]
fn the_menu_of_a_slider_mends_its_shape_and_a_shape_that_is_gone_is_said() {
    let mut harness = report();
    harness.get_all_by_label("mouthSmile").next().unwrap().click_secondary();
    harness.run_steps(3);
    press(&mut harness, "Mend");
    press(&mut harness, "Split left and right");
    settle(&mut harness);
    assert_eq!(mends(&harness), [Mend::of_shapes(MendKind::Split(Split::default()), ["mouthSmile"])]);
    assert!(harness.state().session.head.channel_named("mouthSmileRight").is_some());
    harness.state_mut().session.edits.mends[0].shapes = Some(vec!["smirk".into()]);
    settle(&mut harness);
    // Its numbers are shown since it was added.
    harness.get_by_label("smirk: the head has no shape of that name");
    harness.get_by_label("changes nothing");
}

fn expressions(harness: &Harness<'static, App>) -> Vec<(String, Vec<f32>)> {
    let expressions = &harness.state().session.head.expressions;
    expressions.iter().map(|it| (it.name.clone(), it.binds.iter().map(|bind| bind.weight).collect())).collect()
}

#[test]
fn the_face_on_the_screen_becomes_an_expression_that_is_named_and_changed() {
    let mut harness = report();
    for (name, weight) in [("mouthSmile", 0.75), ("browDownLeft", 0.5)] {
        let channel = harness.state().channel(name);
        harness.state_mut().session.channel_mut(channel).set(weight);
    }
    harness.state_mut().state.panels.page = Page::Poses;
    settle(&mut harness);
    press(&mut harness, "Face as expression");
    settle(&mut harness);
    assert_eq!(harness.state().state.panels.page, Page::Report);
    assert_eq!(expressions(&harness), [("expression 1".into(), vec![0.5, 0.75])]);
    harness.get_by_label("makes the expression expression 1");
    harness.get_by_label("Expression name").focus();
    harness.run_steps(2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.get_by_label("Expression name").type_text("happy");
    settle(&mut harness);
    assert_eq!(expressions(&harness), [("happy".into(), vec![0.5, 0.75])]);
    assert_eq!(harness.state().session.head.expressions[0].preset, Some(Preset::Happy));
    harness.get_by_label("Expression is on or off").click();
    settle(&mut harness);
    choose_in_list(&mut harness, "Expression overrides blinks", "Fades");
    settle(&mut harness);
    let happy = harness.state().session.head.expressions[0].clone();
    assert_eq!((happy.is_binary, happy.override_blink), (true, Override::Blend));
    press(&mut harness, "Expression shapes");
    press(&mut harness, "Choose browDownLeft");
    harness.key_press(Key::Escape);
    settle(&mut harness);
    assert_eq!(expressions(&harness), [("happy".into(), vec![0.75])]);
    press(&mut harness, "Show");
    settle(&mut harness);
    let app = harness.state();
    let values: Vec<f32> = app.session.weights().to_vec();
    assert_eq!(values[0], 0.75, "by the expression alone");
    assert!(!app.session.edits.sliders.contains_key("mouthSmile"), "the slider of the shape is at rest");
}

#[test]
fn an_expression_is_made_of_a_pose_and_changed_and_deleted_from_its_own_menu() {
    let mut harness = report();
    let smile = harness.state().channel("mouthSmile");
    harness.state_mut().session.channel_mut(smile).set(1.0);
    harness.state_mut().session.poses_mut().store("grin");
    harness.state_mut().session.channel_mut(smile).set(0.0);
    harness.state_mut().state.panels.page = Page::Poses;
    settle(&mut harness);
    let over = at(&harness, "Pose grin", 0.3);
    right_click(&mut harness, over);
    harness.get_by_label_contains("Save as expression").click();
    harness.run_ok();
    settle(&mut harness);
    assert_eq!(expressions(&harness), [("grin".into(), vec![1.0])]);
    harness.state_mut().state.panels.page = Page::Look;
    let menu = |harness: &mut Harness<'static, App>, item: &str| {
        harness.get_all_by_label("grin").next().unwrap().click_secondary();
        harness.run_steps(3);
        press(harness, item);
        settle(harness);
    };
    settle(&mut harness);
    menu(&mut harness, "Edit expression…");
    assert_eq!(mends(&harness).len(), 1, "the mend that makes it is shown");
    harness.get_by_label("Expression name");
    menu(&mut harness, "Delete expression");
    assert!(mends(&harness).is_empty() && expressions(&harness).is_empty());
}

#[test]
fn expressions_of_a_file_are_changed_and_deleted_by_mends() {
    let mut asset = faulty_head().to_asset();
    let binds = vec![Bind { target: 0, weight: 1.0 }];
    asset.expressions = vec![Expression { name: "joy".into(), binds, ..Expression::default() }];
    let mut app = App::new(Arc::new(Head::new(asset)));
    app.state.panels.page = Page::Report;
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    let menu = |harness: &mut Harness<'static, App>, name: &str, item: &str| {
        harness.get_all_by_label(name).next().unwrap().click_secondary();
        harness.run_steps(3);
        press(harness, item);
        settle(harness);
    };
    menu(&mut harness, "joy", "Edit expression…");
    assert!(!harness.state().session.mend_changes().unwrap()[0].as_ref().unwrap().is_any());
    press(&mut harness, "Add effect");
    press(&mut harness, "Texture");
    settle(&mut harness);
    let joy = harness.state().session.head.expressions[0].clone();
    assert_eq!((joy.materials.len(), joy.binds.len()), (1, 1));
    menu(&mut harness, "joy", "Delete expression");
    assert_eq!(labels(&harness), ["Expression", "Delete an expression"]);
    assert!(expressions(&harness).is_empty());
    press(&mut harness, "Add mend");
    press(&mut harness, "Make expressions");
    settle(&mut harness);
    assert!(expressions(&harness).iter().any(|(name, _)| name == "happy"), "{:?}", expressions(&harness));
}

#[test]
fn saving_as_an_avatar_asks_for_what_is_required_and_refuses_a_head_without_a_body() {
    let mut harness = report();
    for name in ["File", "Export", "Head as .vrm…"] {
        press_in_menu(&mut harness, name);
    }
    harness.run_steps(3);
    let said = harness.query_by_label_contains("faulty cannot be a VRM avatar: it has no bones hips, ");
    assert!(said.is_some());
    press(&mut harness, "Close");
    harness.run_steps(2);
    assert!(harness.query_by_label("Save head as .vrm").is_none());
    let mut asset = faulty_head().to_asset();
    asset.rig = smirk_support::body::rig();
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), App::new(Arc::new(Head::new(asset))));
    for name in ["File", "Export", "Head as .vrm…"] {
        press_in_menu(&mut harness, name);
    }
    harness.run_steps(3);
    assert!(harness.get_by_label("Save…").accesskit_node().is_disabled(), "nobody has made it yet");
    harness.get_by_label("Avatar authors").focus();
    harness.run_steps(2);
    harness.get_by_label("Avatar authors").type_text("Ada, Eve");
    harness.run_steps(2);
    press(&mut harness, "Save…");
    settle(&mut harness);
    let as_vrm = ExportRequest { kind: ExportKind::Head, is_vrm: true, ..ExportRequest::default() };
    assert!(harness.state().commands.contains(&Command::Export(as_vrm)));
    let avatar = harness.state().session.mended_head().avatar.clone().unwrap();
    assert_eq!((avatar.lacks(), avatar.meta["authors"].as_array().unwrap().len()), (None, 2));
    for name in ["File", "Export", "Head as .vrm…"] {
        press_in_menu(&mut harness, name);
    }
    harness.run_steps(2);
    assert!(harness.query_by_label("Save head as .vrm").is_none(), "it says all of it now");
}

#[test]
fn what_is_asked_of_an_avatar_is_not_kept_for_another_head() {
    let mut harness = report();
    for name in ["File", "Export", "Head as .vrm…"] {
        press_in_menu(&mut harness, name);
    }
    harness.run_steps(3);
    harness.get_by_label("Save head as .vrm");
    harness.state_mut().session.replace_head(head(), HeadSource::File("/heads/other.glb".into()));
    harness.run_steps(3);
    assert!(harness.query_by_label("Save head as .vrm").is_none());
}
