//! Takes for the tests of the Motion page and the curves.

use crate::harness::*;
use crate::names::drawn_texts;
use smirk_base::file_kind::Content;
use smirk_face::motion::{Take, TakeColumn};
use smirk_scene::ViewMode;
use smirk_ui::OpenAs;

/// A take of `frames` at 60 per second, whose columns go from 0 to 1 on slightly different curves.
pub fn take_of(name: &str, columns: &[&str], frames: usize) -> Take {
    let times: Vec<f32> = (0..frames).map(|frame| frame as f32 / 60.0).collect();
    let end = times[frames - 1];
    let value = |time: f32, column: usize| (time / end + 0.013 * column as f32 * (time * 3.0).sin()).clamp(0.0, 1.0);
    let values = times.iter().flat_map(|&time| (0..columns.len()).map(move |column| value(time, column))).collect();
    let column = |(element, name): (usize, &&str)| TakeColumn { name: (*name).to_owned(), track: 0, element };
    Take {
        name: name.into(),
        source: None,
        frames_per_sec: Some(60.0),
        start_timecode: None,
        columns: columns.iter().enumerate().map(column).collect(),
        tracks: vec![Curve::new(Interpolation::Linear, times, values, columns.len()).unwrap()],
        body: None,
        duration_secs: end,
        notes: Vec::new(),
    }
}

/// Ten seconds in which the jaw opens and the right eye closes linearly, with a column that matches no channel, and a turned head.
pub fn capture() -> Take {
    let constant = [0.5, 0.25];
    let names = ["JawOpen", "EyeBlinkRight", "Kiss", "HeadYaw"];
    let values = [0.0, 1.0].iter().flat_map(|&ramp| [ramp, ramp, constant[0], constant[1]]).collect();
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 10.0], values, names.len()).unwrap();
    Take { tracks: vec![curve], duration_secs: 10.0, ..take_of("capture", &names, 2) }
}

/// Opens the Motion page.
pub fn open_page(harness: &mut Harness<'static, App>) {
    press(harness, "Motion");
}

#[test]
fn names_of_takes_keep_what_tells_them_apart_wherever_takes_are_listed() {
    let names = ["2026-03-14_MySlate_161_Ada_iPhone_cal", "2026-03-14_MySlate_164_Ada_iPhone_cal"];
    let mut app = App::new(head());
    app.session.takes_mut().add(names.map(|name| take_of(name, &["JawOpen"], 120)).into());
    app.session.clock.timeline.playing = false;
    app.session.edits.compared_take = Some(app.session.edits.takes[1].id);
    app.state.panels.curves_open = true;
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    open_page(&mut harness);
    let is_drawn = |harness: &Harness<'static, App>, text: &str| drawn_texts(harness).iter().any(|other| other == text);
    for text in ["…161_Ada_iPhone_cal", "…164_Ada_iPhone_cal", "dashed: …164_Ada_iPhone_cal"] {
        assert!(is_drawn(&harness, text), "{text}: {:?}", drawn_texts(&harness));
    }
    press(&mut harness, "Take");
    assert!(is_drawn(&harness, "…164_Ada_iPhone_cal  2.0 s"), "in the list of the transport bar");
    harness.get_by_label(&format!("Play take {}", names[1])).hover();
    harness.run_steps(60);
    assert!(is_drawn(&harness, names[1]), "the tooltip has the whole name");
    harness.remove_cursor();
    harness.key_press(Key::Escape);
    harness.run_ok();
    let count = |harness: &Harness<'static, App>| {
        drawn_texts(harness).iter().filter(|text| *text == "…164_Ada_iPhone_cal").count()
    };
    let before = count(&harness);
    press(&mut harness, "Compared with");
    assert_eq!(count(&harness), before + 1, "in the menu of the comparison");
    harness.remove_cursor();
    harness.key_press(Key::Escape);
    harness.run_ok();
    harness.state_mut().state.comparison.shown = smirk_ui::ShownB::Beside;
    harness.run_ok();
    assert!(is_drawn(&harness, "B: …164_Ada_iPhone_cal"));
    let whole = drawn_texts(&harness).into_iter().filter(|text| text.contains("2026-03-14")).count();
    assert_eq!(whole, 0, "{:?}", drawn_texts(&harness));
}

#[test]
fn good_takes_are_starred_in_the_list_in_one_undo_step() {
    let mut app = App::new(head());
    app.session.takes_mut().add(vec![capture(), capture()]);
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    open_page(&mut harness);
    let stars = |harness: &Harness<'static, App>| {
        harness.state().session.edits.takes.iter().map(|entry| entry.is_starred).collect::<Vec<_>>()
    };
    harness.get_all_by_label("Star take capture").nth(1).unwrap().click();
    harness.run_ok();
    assert_eq!(stars(&harness), [false, true]);
    harness.state_mut().session.undo();
    assert_eq!(stars(&harness), [false, false]);
}

#[test]
fn columns_that_mean_a_channel_of_another_column_are_listed_with_it() {
    let mut app = App::new(head());
    app.session.takes_mut().add(vec![take_of("twice", &["jawOpen", "JAW_OPEN", "jaw_open"], 120)]);
    app.session.clock.timeline.playing = false;
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    open_page(&mut harness);
    press(&mut harness, "2 replaced columns");
    let told = drawn_texts(&harness).join(" ");
    assert!(told.contains("JAW_OPEN and jawOpen both mean jawOpen, and jawOpen drives it"), "{told}");
}

#[test]
fn columns_of_angles_say_what_they_turn() {
    let mut app = App::new(head());
    app.session.takes_mut().add(vec![take_of("turned", &["jawOpen", "HeadYaw", "EyePitch_R", "nose"], 2)]);
    let mut harness = window_of(Vec2::new(1280.0, 1600.0), app);
    open_page(&mut harness);
    press(&mut harness, "Mapping: 3 of 4 columns");
    harness.get_by_label("HeadYaw turns the head");
    harness.get_by_label("EyePitch_R turns the right eye");
    harness.get_by_label("nose drives –");
}

#[test]
fn the_mapping_says_what_each_column_drives_and_its_weights_are_edited_in_it() {
    let asset = Asset {
        name: "avatar".into(),
        meshes: vec![mesh("face", &["aa", "ou", "blink", "Snort"])],
        ..Asset::default()
    };
    let mut app = App::new(Arc::new(Head::new(asset)));
    // At its end every column is 1.
    let columns = ["MouthPucker", "EyeBlinkLeft", "EyeBlinkRight", "Snout"];
    app.session.takes_mut().add(vec![Take {
        tracks: vec![Curve::new(Interpolation::Linear, vec![0.0, 1.0], vec![1.0; 8], 4).unwrap()],
        ..take_of("capture", &columns, 2)
    }]);
    app.session.clock.timeline.playing = false;
    let mut harness = window_of(Vec2::new(1280.0, 1600.0), app);
    open_page(&mut harness);
    assert!(near(harness.state().weight("ou"), 0.9) && near(harness.state().weight("blink"), 1.0));
    press(&mut harness, "Mapping: 3 of 4 columns");
    harness.get_by_label("EyeBlinkRight drives blink");
    press(&mut harness, "MouthPucker drives ou × 0.9, aa × -0.7");
    let shown = |harness: &Harness<'static, App>| {
        let edits = &harness.state().session.edits;
        (edits.look.view, edits.heat_channel.clone())
    };
    assert_eq!(shown(&harness), (ViewMode::Heat, Some("ou".to_owned())), "what it moves is shown on the face");
    assert!(drawn_texts(&harness).iter().any(|text| text == "nearest movement"), "{:?}", drawn_texts(&harness));
    press(&mut harness, "Remove the weight of aa");
    harness.get_by_label("MouthPucker drives ou × 0.9, aa");
    assert!(near(harness.state().weight("aa"), 1.0), "a mean of one column has no limit and shares with no vowel");
    press(&mut harness, "MouthPucker drives ou × 0.9, aa");
    assert_eq!(shown(&harness).0, ViewMode::Shaded, "until it is closed");
    // A target shows what it moves until another click or Esc, wherever the pointer is.
    press(&mut harness, "MouthPucker drives ou × 0.9, aa");
    press(&mut harness, "Show what aa moves");
    harness.hover_at(Pos2::new(600.0, 300.0));
    harness.run_steps(60);
    assert_eq!(shown(&harness), (ViewMode::Heat, Some("aa".to_owned())));
    let is_whole = |harness: &Harness<'static, App>| harness.state().session.look().heat.is_whole;
    assert!(is_whole(&harness), "however little the take moves it now");
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert_eq!((shown(&harness).0, is_whole(&harness)), (ViewMode::Shaded, false));
    press(&mut harness, "Show what aa moves");
    press(&mut harness, "Show what aa moves");
    assert_eq!(shown(&harness).0, ViewMode::Shaded, "another click");
    // Another column that is opened below leaves its row under the pointer.
    let row = |harness: &Harness<'static, App>| harness.get_by_label("EyeBlinkRight drives blink").rect().top();
    let before = row(&harness);
    press(&mut harness, "EyeBlinkRight drives blink");
    assert_eq!(row(&harness), before);
    press(&mut harness, "EyeBlinkRight drives blink");
    press(&mut harness, "MouthPucker drives ou × 0.9, aa");
    // What drives nothing offers what is spelled alike.
    press(&mut harness, "Snout drives –");
    press(&mut harness, "Map Snout to Snort");
    assert!(near(harness.state().weight("Snort"), 1.0));
    harness.get_by_label("Save the mapping").click();
    press(&mut harness, "Open a mapping");
    let open = Command::Choose(OpenAs::File(Some(Content::Mapping)));
    assert_eq!(harness.state().commands, [Command::ExportMapping, open]);
    // What was chosen stays when the nearest movements are not wanted.
    press(&mut harness, "Move what is nearest");
    harness.get_by_label("EyeBlinkRight drives blink");
    assert!(!harness.state().session.edits.matching.uses_nearest);
    let map = &harness.state().session.take().unwrap().map;
    assert!(!map.columns[0].channels.is_empty() && !map.columns[3].channels.is_empty(), "both were chosen");
}
