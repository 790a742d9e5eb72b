//! Names from files in the panels.

use egui::Shape;

use crate::harness::*;

const HOSTILE: &[&str] = &[
    "jaw\x1b[2JOpen",
    "smile\u{202e}tfeL",
    "\u{2067}isolated\u{2069}\u{200f}",
    "two\nlines\r\tmore",
    "zero\u{200b}width",
    "tagged\u{e0061}",
];

fn hostile_app() -> App {
    let endless = "x".repeat(1 << 20);
    let names: Vec<&str> = HOSTILE.iter().copied().chain([endless.as_str()]).collect();
    let head = Head::new(Asset {
        name: "head\x1b\u{202e}\nname".into(),
        meshes: vec![mesh("face\x1b\u{202e}", &names), mesh("other\nmesh", &names)],
        clips: vec![Clip::new("clip\x1b\u{202e}".into(), vec![])],
        notes: vec![Note::warning(Subject::named(Kind::Mesh, "me\u{202e}sh"), "note about \x1b[2J\u{202e}")],
        ..Asset::default()
    });
    let mut app = App::new(Arc::new(head));
    app.session.poses_mut().store("pose\x1b\u{202e}");
    app.recent = vec!["/heads/recent\x1b\u{202e}.glb".into()];
    app.document.project = Some("project\x1b\u{202e}".into());
    app.notice = Notice::Failure { title: "title \u{202e}".into(), message: "first \x1b[2J\nsecond \u{200f}".into() };
    app
}

fn texts(shape: &Shape, found: &mut Vec<String>) {
    match shape {
        Shape::Text(text) => found.push(text.galley.text().to_owned()),
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, found)),
        _ => {}
    }
}

/// All texts that are drawn.
pub fn drawn_texts(harness: &Harness<'static, App>) -> Vec<String> {
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|clipped| texts(&clipped.shape, &mut found));
    found
}

/// Fails if a text on the screen holds a character that is not meant to be drawn, or is endless.
#[track_caller]
fn assert_clean(harness: &Harness<'static, App>, what: &str) {
    let found = drawn_texts(harness);
    assert!(found.len() > 10, "{what}: only {} texts", found.len());
    for text in found {
        // U+2060 keeps words of right-to-left scripts apart.
        let raw = |letter: char| {
            (letter.is_control() && letter != '\n')
                || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2061}'..='\u{206f}')
                || letter >= '\u{e0000}'
        };
        assert!(!text.contains(raw), "{what}: {text:?}");
        assert!(text.chars().count() < 5_000, "{what}: a text of {} characters", text.chars().count());
    }
}

#[test]
fn no_name_is_drawn_raw_or_endless_on_any_page() {
    for page in [
        smirk_ui::Page::Look,
        smirk_ui::Page::Motion,
        smirk_ui::Page::Poses,
        smirk_ui::Page::Readout,
        smirk_ui::Page::Report,
    ] {
        let mut app = hostile_app();
        app.state.panels.page = page;
        app.state.panels.curves_open = true;
        for channel in 0..HOSTILE.len() {
            app.list_mut().expanded_channels.insert(channel);
        }
        let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
        harness.run_steps(3);
        assert_clean(&harness, &format!("{page:?}"));
    }
}

#[test]
fn tooltips_and_menus_show_no_name_raw() {
    let mut app = hostile_app();
    app.notice = Notice::Idle;
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    harness.get_all_by_label(HOSTILE[0]).next().unwrap().hover();
    harness.run_steps(90);
    assert_clean(&harness, "tooltip of a slider");
    harness.get_by_label("File").click();
    harness.run_steps(10);
    harness.get_by_label_contains("Open recent").click();
    harness.run_steps(10);
    assert_clean(&harness, "menu");
}

#[test]
fn names_are_found_regardless_of_case_and_encoding() {
    let names = ["jawOpen", "La\u{308}cheln", "Stra\u{df}e"];
    let asset = Asset { name: "head".into(), meshes: vec![mesh("face", &names)], ..Asset::default() };
    let mut harness = window(Arc::new(Head::new(asset)));
    for (typed, found) in [("JAWOPEN", 0), ("lächeln", 1), ("STRASSE", 2)] {
        harness.state_mut().list_mut().search = typed.into();
        harness.run();
        let is_listed = |name: &str| harness.query_by_label(name).is_some();
        assert!(is_listed(names[found]), "{typed}");
        assert_eq!(names.iter().filter(|name| is_listed(name)).count(), 1, "{typed}");
    }
}
