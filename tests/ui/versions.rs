//! Another version of the head: the section of the Report page, and how B is shown.

use egui::accesskit::Role;
use smirk_files::import::version_of;
use smirk_scene::{HeatAgainst, ViewMode};
use smirk_session::{ComparedWith, VersionProblem};
use smirk_ui::{OpenAs, ShownB};

use crate::harness::*;

/// The test head with a jaw that opens twice as wide on the teeth, another name for the tongue, and without a mesh.
fn newer() -> Arc<Head> {
    let mut meshes = vec![mesh("face", FACE), mesh("teeth_lower", &["jawOpen", "jawLeft", "jawRight"])];
    let double = [Vec3::X * 0.02, Vec3::ZERO, Vec3::ZERO];
    meshes[1].targets[0] = Target::from_dense("jawOpen".into(), 0.0, &double, &[], &[]);
    meshes.push(mesh("tongue", &["tongueOut", "jawOpen"]));
    Arc::new(Head::new(Asset { meshes, ..Asset::default() }))
}

fn compared() -> Harness<'static, App> {
    let mut app = App::new(head());
    app.session.clips_mut().select(None);
    let version = version_of(&app.session.head, newer());
    app.session.compare_with(Arc::new(version), HeadSource::File("/heads/ada_v13.glb".into()));
    app.state.panels.page = smirk_ui::Page::Report;
    window_of(Vec2::new(1280.0, 720.0), app)
}

#[test]
fn a_version_is_chosen_from_the_menu_and_from_the_page() {
    let mut app = App::new(head());
    app.state.panels.page = smirk_ui::Page::Report;
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    press(&mut harness, "Compare with…");
    assert_eq!(harness.state().commands, [Command::Choose(OpenAs::Version)]);
    press(&mut harness, "File");
    assert!(harness.query_by_label("Close the comparison").is_some());
}

#[test]
fn what_differs_is_summed_up_and_a_click_shows_a_channel_alone_until_it_is_undone() {
    let mut harness = compared();
    assert!(harness.query_by_label_contains("1 target moved").is_some());
    assert!(harness.query_by_label_contains("lashes").is_some(), "the mesh that is gone");
    let pout = harness.state().channel("mouthPucker");
    harness.state_mut().session.channel_mut(pout).set(0.5);
    harness.state_mut().session.commit();
    harness.run_ok();
    let link = harness.get_all_by_label("jawOpen").max_by(|a, b| a.rect().left().total_cmp(&b.rect().left())).unwrap();
    link.click();
    // Scrolling to the row takes several frames.
    harness.run_steps(40);
    assert_eq!((harness.state().weight("jawOpen"), harness.state().weight("mouthPucker")), (1.0, 0.0));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    harness.run_ok();
    assert_eq!((harness.state().weight("jawOpen"), harness.state().weight("mouthPucker")), (0.0, 0.5));
}

#[test]
fn b_is_held_beside_a_or_over_it() {
    let mut harness = compared();
    let whole = harness.state().state.viewport_size_px;
    let shift_b = |harness: &mut Harness<'static, App>| {
        harness.key_press_modifiers(Modifiers::SHIFT, Key::B);
        harness.run_ok();
    };
    shift_b(&mut harness);
    assert_eq!(harness.state().state.comparison.shown, ShownB::Beside);
    assert!(harness.state().state.beside_min_px.is_some() && harness.query_by_label("B: ada_v13.glb").is_some());
    assert_eq!(harness.state().state.viewport_size_px[0], whole[0] / 2);
    let place = |harness: &Harness<'static, App>| harness.get_by_label("Difference").rect().top();
    let before = place(&harness);
    press(&mut harness, "Onion skin");
    assert_eq!(place(&harness), before, "nothing below moves");
    assert_eq!((harness.state().state.beside_min_px, harness.state().state.b_opacity), (None, Some(0.5)));
    let slider = harness.get_by_label("Opacity of B").rect();
    drag(&mut harness, slider.center(), slider.right_center(), Modifiers::NONE);
    assert!(harness.state().state.b_opacity > Some(0.8), "{:?}", harness.state().state.b_opacity);
    press(&mut harness, "Difference");
    assert_eq!(harness.state().state.b_opacity, None, "B would change the colours of the heat map");
    press(&mut harness, "Difference");
    harness.key_down(Key::B);
    harness.run_ok();
    assert!(harness.state().state.shows_b && harness.state().state.b_opacity.is_none(), "B alone while it is held");
    harness.key_up(Key::B);
    shift_b(&mut harness);
    assert_eq!((harness.state().state.comparison.shown, harness.state().state.b_opacity), (ShownB::Held, None));
}

#[test]
fn the_difference_is_a_heat_map_that_the_pointer_reads() {
    let mut harness = compared();
    press(&mut harness, "Difference");
    let look = harness.state().session.edits.look;
    assert_eq!((look.view, look.heat.against), (ViewMode::Heat, HeatAgainst::Compared));
    assert!(harness.query_by_label_contains("Scale from 0 mm to").is_some());
    assert!(harness.query_by_label("Not in B").is_some(), "the mesh that B lacks is grey");
    harness.get_by_role_and_label(Role::ComboBox, "Measured of").click();
    harness.run_ok();
    harness.get_by_role_and_label(Role::Button, "browDownLeft").click();
    harness.run_ok();
    let heat = harness.state().session.look().heat;
    // Against the last save, there is nothing that it lacks.
    let saved = harness.state().session.edits.snapshot();
    harness.state_mut().session.saved_edits = Some(saved);
    harness.state_mut().session.compared_with = ComparedWith::Saved;
    harness.run_ok();
    assert!(harness.query_by_label("Not in B").is_none());
    harness.state_mut().session.compared_with = ComparedWith::Version;
    harness.run_ok();
    assert_eq!((heat.against, heat.channel), (HeatAgainst::Compared, Some(harness.state().channel("browDownLeft"))));
    press(&mut harness, "Difference");
    assert_eq!(harness.state().session.edits.look.view, ViewMode::Shaded);
}

#[test]
fn the_page_says_what_has_happened_to_b_and_asks_for_what_leaves_the_window() {
    let mut harness = compared();
    press(&mut harness, "Save sheet…");
    press(&mut harness, "A scale for each expression");
    harness.state_mut().session.open_version.as_mut().unwrap().problem = Some(VersionProblem::Gone);
    harness.run_ok();
    assert!(harness.query_by_label_contains("gone from its folder").is_some());
    harness.state_mut().session.open_version.as_mut().unwrap().problem = Some(VersionProblem::Changed);
    harness.run_ok();
    press(&mut harness, "Read it again");
    harness.state_mut().version_sheet = Some(("pictures of head 1 of 3", 0.25));
    harness.run_ok();
    assert!(harness.query_by_label_contains("pictures of head 1 of 3").is_some());
    press(&mut harness, "Cancel");
    press(&mut harness, "Close");
    let read = Command::Open(OpenAs::Version, "/heads/ada_v13.glb".into());
    let expected = [
        Command::VersionSheet(smirk_export::SheetScale::Row),
        read,
        Command::CancelVersionSheet,
        Command::CloseVersion,
    ];
    assert_eq!(harness.state().commands, expected);
}

#[test]
fn a_version_stays_open_while_b_is_something_else() {
    let mut harness = compared();
    harness.state_mut().session.compared_with = ComparedWith::Saved;
    harness.run_ok();
    assert!(harness.query_by_label("Onion skin").is_none());
    press(&mut harness, "Show this version as B");
    assert_eq!(harness.state().session.compared_with, ComparedWith::Version);
    let again = head();
    harness.state_mut().session.reload(again);
    harness.run_ok();
    assert!(harness.query_by_label("Comparing again…").is_some());
}
