//! Search and filter of the channel list.

use crate::harness::*;

#[test]
fn search_lists_pairs_with_a_match() {
    let mut harness = window(head());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
    harness.run_ok();
    harness.event(Event::Text("SMILE left".into()));
    harness.run_ok();
    assert!(harness.query_by_label("mouthSmileLeft").is_some() && harness.query_by_label("mouthSmileRight").is_some());
    assert!(harness.query_by_label("jawOpen").is_none());
    harness.get_by_label("Clear search").click();
    harness.run_ok();
    assert!(harness.query_by_label("jawOpen").is_some());
}

#[test]
fn the_active_filter_lists_active_and_driven_channels() {
    let mut harness = window(head());
    drag_slider(&mut harness, "jawOpen", 0.2, 0.4);
    harness.state_mut().session.seek(0.0);
    harness.get_by_label("Active").click();
    harness.run();
    assert!(harness.query_by_label("jawOpen").is_some());
    assert!(harness.query_by_label("eyeBlinkLeft").is_some(), "driven, although its value is 0");
    assert!(harness.query_by_label("mouthFunnel").is_none());
    drag_slider(&mut harness, "jawOpen", 0.4, 0.0);
    assert!(harness.query_by_label("jawOpen").is_some(), "a row does not disappear while it is edited");
}

#[test]
fn of_five_hundred_channels_only_visible_rows_are_laid_out() {
    let names: Vec<String> = (0..500).map(|index| format!("brow{index:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let head = Head::new(Asset { name: "big".into(), meshes: vec![mesh("face", &names)], ..Asset::default() });
    let harness = window(Arc::new(head));
    let rows = harness.state().state.laid_out_rows;
    assert!(rows > 20 && rows < 40, "{rows} of 251 rows");
    assert!(harness.query_by_label("brow000").is_some() && harness.query_by_label("brow499").is_none());
    assert!(harness.query_by_label("Play").is_some());
}
