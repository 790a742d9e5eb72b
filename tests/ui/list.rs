//! Search and filter of the channel list.

use egui_kittest::kittest::NodeT;

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
    press(&mut harness, "Clear search");
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
        assert!(harness.query_by_label("jawOpen").is_some() && harness.state().list().search.is_empty());
    }
}

#[test]
fn folding_a_region_hides_its_rows_also_while_searching() {
    let mut harness = window(head());
    let fold = |harness: &mut Harness<'static, App>| {
        press(harness, "Mouth");
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
fn a_slider_that_a_search_found_brings_no_row_above_it_while_it_is_dragged() {
    let meshes = vec![mesh("face", &["jawForward", "jawOpen"])];
    let head = Head::new(Asset { name: "two".into(), meshes, ..Asset::default() });
    assert_eq!(head.pairs.len(), 1, "neighbours are a pair");
    let mut harness = window(Arc::new(head));
    harness.state_mut().list_mut().search = "open".into();
    harness.run();
    let before = harness.get_by_label("jawOpen").rect();
    drag_slider(&mut harness, "jawOpen", 0.2, 0.4);
    assert!(harness.state().weight("jawOpen") > 0.3);
    assert!(harness.query_by_label("jawForward").is_none());
    assert_eq!(harness.get_by_label("jawOpen").rect(), before);
}

#[test]
fn of_five_hundred_channels_only_visible_rows_are_laid_out() {
    let names: Vec<String> = (0..500).map(|index| format!("brow{index:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let head = Head::new(Asset { name: "big".into(), meshes: vec![mesh("face", &names)], ..Asset::default() });
    let harness = window(Arc::new(head));
    let rows = harness.state().list().laid_out_rows;
    assert!(rows > 20 && rows < 40, "{rows} of 501 rows");
    assert!(harness.query_by_label("brow000").is_some() && harness.query_by_label("brow499").is_none());
    assert!(harness.query_by_label("Play").is_some());
}

#[test]
fn a_reload_keeps_the_search_and_finds_open_rows_by_name() {
    let mut harness = window(head());
    let before = harness.state().session.head.clone();
    let jaw = before.channel_named("jawOpen").unwrap();
    harness.state_mut().list_mut().search = "jaw".into();
    harness.state_mut().list_mut().expanded_channels.insert(jaw);
    harness.run();
    let meshes = vec![mesh("hat", &["hatUp"]), mesh("face", FACE), mesh("tongue", &["jawOpen"])];
    let again = Arc::new(Head::new(Asset { name: "ada_head".into(), meshes, ..Asset::default() }));
    let app = harness.state_mut();
    app.session.reload(again.clone());
    app.panels.follow_reload(&before, &again);
    harness.run();
    let list = &harness.state().list();
    assert_eq!(list.search, "jaw");
    assert_eq!(list.expanded_channels.iter().copied().collect::<Vec<_>>(), [jaw + 1]);
}

#[test]
fn the_focus_stays_with_a_channel_that_a_reload_moves_to_another_index() {
    let mut harness = window(head());
    harness.get_by_label("jawOpen").focus();
    harness.run_ok();
    let before = harness.state().session.head.clone();
    let meshes = vec![mesh("hat", &["hatUp"]), mesh("face", FACE)];
    let again = Arc::new(Head::new(Asset { name: "ada_head".into(), meshes, ..Asset::default() }));
    let app = harness.state_mut();
    app.session.reload(again.clone());
    app.panels.follow_reload(&before, &again);
    harness.run_ok();
    harness.key_press(Key::ArrowUp);
    harness.run_ok();
    let moved: Vec<&str> = FACE.iter().copied().filter(|name| harness.state().weight(name) > 0.005).collect();
    assert_eq!(moved, ["jawOpen"]);
}

#[test]
fn a_drag_that_began_on_another_head_moves_nothing() {
    let mut harness = window(head());
    let (from, to) = (at(&harness, "jawOpen", 0.2), at(&harness, "jawOpen", 0.8));
    drag_towards(&mut harness, from, to);
    assert!(near(harness.state().weight("jawOpen"), 0.8));
    harness.state_mut().session.replace_head(head(), HeadSource::File("/heads/other.glb".into()));
    harness.run_ok();
    let opened = harness.state().weight("jawOpen");
    let between = from.lerp(to, 0.5);
    harness.hover_at(between);
    harness.run_ok();
    harness.drop_at(between);
    harness.run_ok();
    assert_eq!((opened, harness.state().weight("jawOpen")), (0.0, 0.0));
}

/// Opens the menu of a row and chooses an entry.
fn choose(harness: &mut Harness<'static, App>, row: &str, entry: &str) {
    harness.get_by_label(row).click_secondary();
    harness.run_ok();
    press(harness, entry);
}

#[test]
fn the_menu_of_a_row_shows_its_heat_map_and_its_curve_and_mirrors_it() {
    let mut harness = window(head());
    choose(&mut harness, "mouthSmileLeft", "Heat map of this");
    let session = &harness.state().session;
    assert_eq!(session.look().heat.channel, session.head.channel_named("mouthSmileLeft"));
    assert_eq!(session.look().view, smirk_scene::ViewMode::Heat);
    let left = harness.state().channel("mouthSmileLeft");
    harness.state_mut().session.channel_mut(left).set(0.6);
    harness.run_ok();
    choose(&mut harness, "mouthSmileLeft", "Mirror to the other side");
    harness.state_mut().session.advance(1.0);
    assert!(
        near(harness.state().weight("mouthSmileRight"), 0.6) && near(harness.state().weight("mouthSmileLeft"), 0.6)
    );
    choose(&mut harness, "eyeBlinkRight", "Show curve");
    assert!(harness.state().state.panels.curves_open);
    harness.get_by_label("File key eyeBlinkRight 8.00 s");
    assert!(harness.query_by_label("File key eyeBlinkLeft 8.00 s").is_none(), "no other curve");
    // Nothing drives this one, and it has no other side.
    harness.key_press(Key::C);
    harness.run_ok();
    harness.get_by_label("jawOpen").click_secondary();
    harness.run_ok();
    assert!(harness.get_by_label("Show curve").accesskit_node().is_disabled());
    assert!(harness.query_by_label("Mirror to the other side").is_none());
}

#[test]
fn the_menu_of_a_pair_mirrors_each_way_and_shows_both_curves() {
    let mut harness = window(head());
    let right = harness.state().channel("mouthSmileRight");
    harness.state_mut().session.channel_mut(right).set(0.4);
    harness.run_ok();
    let name = harness.get_by_label("mouthSmileLeft").rect();
    let open = |harness: &mut Harness<'static, App>, y: f32, entry: &str| {
        right_click(harness, egui::pos2(60.0, y));
        press(harness, entry);
    };
    open(&mut harness, name.center().y, "Mirror right to left");
    harness.state_mut().session.advance(1.0);
    assert!(near(harness.state().weight("mouthSmileLeft"), 0.4));
    let blink = harness.get_by_label("eyeBlinkLeft").rect();
    open(&mut harness, blink.center().y, "Add note Shift+N");
    harness.get_by_label("jawOpen").click_secondary();
    harness.run_ok();
    press(&mut harness, "Add note Shift+N");
    let noted = harness.state().session.edits.notes.iter().map(|note| note.pinned_to.channels.clone());
    assert_eq!(noted.collect::<Vec<_>>(), [vec!["eyeBlinkLeft", "eyeBlinkRight"], vec!["jawOpen"]]);
    open(&mut harness, blink.center().y, "Show both curves");
    harness.get_by_label("File key eyeBlinkRight 8.00 s");
    harness.get_by_label("File key eyeBlinkLeft 8.00 s");
}

#[test]
fn the_list_of_the_heat_map_is_searched() {
    let mut harness = window(head());
    harness.key_press_modifiers(Modifiers::COMMAND, Key::H);
    harness.run();
    let combo = |harness: &mut Harness<'static, App>| {
        harness.get_by_role_and_label(egui::accesskit::Role::ComboBox, "Measured of").click();
        harness.run_ok();
    };
    combo(&mut harness);
    let listed = |harness: &Harness<'static, App>, name: &str| {
        harness.query_by_role_and_label(egui::accesskit::Role::Button, name).is_some()
    };
    assert!(listed(&harness, "browDownLeft") && listed(&harness, "Whole face"));
    harness.event(Event::Text("puck".into()));
    harness.run_ok();
    assert!(listed(&harness, "mouthPucker") && !listed(&harness, "browDownLeft") && !listed(&harness, "Whole face"));
    harness.get_by_role_and_label(egui::accesskit::Role::Button, "mouthPucker").click();
    harness.run_ok();
    let session = &harness.state().session;
    assert_eq!(session.look().heat.channel, session.head.channel_named("mouthPucker"));
    combo(&mut harness);
    assert!(listed(&harness, "browDownLeft"), "each search begins with all");
}

#[test]
fn channels_are_listed_and_found_by_action_units() {
    let mut harness = window(head());
    assert!(harness.query_by_label("Mouth").is_some());
    press(&mut harness, "List action units");
    assert!(harness.query_by_label("Mouth").is_none() && harness.query_by_label("AU12 lip corner puller").is_some());
    press(&mut harness, "AU12 lip corner puller");
    assert!(harness.query_by_label("mouthSmileLeft").is_none(), "its rows are folded");
    for (searched, found) in [("au26", "jawOpen"), ("jaw drop", "jawOpen"), ("corner puller", "mouthSmileLeft")] {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::F);
        harness.run_ok();
        harness.event(Event::Text(searched.into()));
        harness.run_ok();
        assert!(
            harness.query_by_label(found).is_some() && harness.query_by_label("eyeBlinkLeft").is_none(),
            "{searched}"
        );
        press(&mut harness, "Clear search");
    }
    press(&mut harness, "List action units");
    assert!(harness.query_by_label("Mouth").is_some());
}
