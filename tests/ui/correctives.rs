//! Correctives in the window: their rows, what drives them, and the switch.

use smirk_face::head::{CombinationMethod, Corrective, Drive, Driver};
use smirk_face::motion::Layer;

use crate::harness::*;
use crate::takes::open_page;

/// The head of the other tests, whose `tongueOut` follows `jawOpen` × `mouthPucker`.
fn app() -> App {
    let plain = head();
    let driver = |name: &str| Driver { name: name.into(), full_weight: 1.0 };
    let drive = Drive::Combination(CombinationMethod::Product, vec![driver("jawOpen"), driver("mouthPucker")]);
    let correctives = vec![Corrective { target: "tongueOut".into(), drive }];
    let meshes = plain.meshes.clone();
    App::new(Arc::new(Head::new(Asset {
        name: "ada_head".into(),
        meshes,
        declared_correctives: correctives,
        ..Asset::default()
    })))
}

#[test]
fn a_row_that_follows_others_shows_its_weight_and_cannot_be_dragged() {
    let mut harness = window_of(Vec2::new(1600.0, 1200.0), app());
    drag_slider(&mut harness, "jawOpen", 0.2, 0.5);
    drag_slider(&mut harness, "mouthPucker", 0.2, 0.5);
    let app = harness.state();
    let tongue = app.channel("tongueOut");
    assert!(near(app.weight("tongueOut"), 0.25), "{}", app.weight("tongueOut"));
    assert_eq!(app.session.mix().layers[tongue], Layer::Corrective);
    let edits = app.session.edits.snapshot();
    drag_slider(&mut harness, "tongueOut", 0.2, 0.9);
    assert_eq!(harness.state().session.edits.snapshot(), edits);
    harness.get_by_label_contains("It follows other channels.");
}

#[test]
fn its_mark_leads_to_what_drives_it() {
    let mut harness = window_of(Vec2::new(1600.0, 1200.0), app());
    press(&mut harness, "Show what drives tongueOut");
    let jaw = harness.state().channel("jawOpen");
    let focused = harness.get_by_label("jawOpen").is_focused();
    assert!(focused, "the row of channel {jaw} has the focus");
}

#[test]
fn the_switch_makes_the_row_a_slider_and_undo_brings_the_corrective_back() {
    let mut harness = window_of(Vec2::new(1600.0, 1400.0), app());
    open_page(&mut harness);
    press(&mut harness, "Play 1 corrective");
    assert!(!harness.state().session.edits.plays_correctives);
    assert!(harness.query_by_label("Show what drives tongueOut").is_none());
    drag_slider(&mut harness, "tongueOut", 0.2, 0.7);
    assert!(near(harness.state().weight("tongueOut"), 0.7));
    let session = &mut harness.state_mut().session;
    assert!(session.undo() && session.undo());
    harness.run_ok();
    assert!(harness.state().session.edits.plays_correctives);
    harness.get_by_label("Show what drives tongueOut");
}

#[test]
fn a_head_without_correctives_has_no_switch() {
    let mut harness = window_of(Vec2::new(1600.0, 1400.0), App::new(head()));
    open_page(&mut harness);
    assert!(harness.query_by_label_contains("corrective").is_none());
}
