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
fn escape_clears_the_search_in_its_field_and_after_it() {
    let mut harness = window(head());
    for leaves_field in [false, true] {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
        harness.run_ok();
        harness.event(Event::Text("smile".into()));
        harness.run_ok();
        assert!(harness.query_by_label("jawOpen").is_none());
        if leaves_field {
            let number = at(&harness, "mouthSmileLeft", 0.93);
            click(&mut harness, number);
            harness.key_press(Key::Escape);
            harness.run_ok();
            assert!(harness.query_by_label("jawOpen").is_none(), "this Esc leaves the number");
            let middle = harness.get_by_label("Viewport").rect().center();
            click(&mut harness, middle);
        }
        harness.key_press(Key::Escape);
        harness.run_ok();
        assert!(harness.query_by_label("jawOpen").is_some() && harness.state().panels.channels.search.is_empty());
    }
}

#[test]
fn folding_a_region_hides_its_rows_also_while_searching() {
    let mut harness = window(head());
    let fold = |harness: &mut Harness<'static, App>| {
        harness.get_by_label("Mouth").click();
        harness.run_ok();
        harness.query_by_label("mouthSmileLeft").is_some()
    };
    assert!(!fold(&mut harness));
    let search = |harness: &mut Harness<'static, App>, text: &str| {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
        harness.run_ok();
        harness.event(Event::Text(text.into()));
        harness.run_ok();
        harness.query_by_label("mouthSmileLeft").is_some()
    };
    assert!(search(&mut harness, "smi"), "a search shows what it finds");
    assert!(!fold(&mut harness) && harness.query_by_label("Mouth").is_some());
    assert!(search(&mut harness, "le"), "another search begins with all that it finds");
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(harness.query_by_label("mouthSmileLeft").is_none(), "the list without a search is as it was");
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
    let rows = harness.state().panels.channels.laid_out_rows;
    assert!(rows > 20 && rows < 40, "{rows} of 501 rows");
    assert!(harness.query_by_label("brow000").is_some() && harness.query_by_label("brow499").is_none());
    assert!(harness.query_by_label("Play").is_some());
}

#[test]
fn a_reload_keeps_the_search_and_finds_open_rows_by_name() {
    let mut harness = window(head());
    let before = harness.state().session.head.clone();
    let jaw = before.channel_named("jawOpen").unwrap();
    harness.state_mut().panels.channels.search = "jaw".into();
    harness.state_mut().panels.channels.expanded_channels.insert(jaw);
    harness.run();
    let meshes = vec![mesh("hat", &["hatUp"]), mesh("face", FACE), mesh("tongue", &["jawOpen"])];
    let again = Arc::new(Head::new(Asset { name: "ada_head".into(), meshes, ..Asset::default() }));
    let app = harness.state_mut();
    app.session.reload(again.clone());
    app.panels.follow_reload(&before, &again, &mut app.state);
    harness.run();
    let list = &harness.state().panels.channels;
    assert_eq!(list.search, "jaw");
    assert_eq!(list.expanded_channels.iter().copied().collect::<Vec<_>>(), [jaw + 1]);
}
