//! What an artist does first: a head is opened, a slider dragged, blend modes are switched; work survives the end of the program.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use glam::Vec3;
use image::RgbImage;
use image::imageops::crop_imm;
use serde_json::json;
use smirk_editor::document::Document;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};
use smirk_support::small_head;
use smirk_support::test_files::real_heads;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt, CreateWindowAux, WindowClass};
use x11rb::{COPY_FROM_PARENT, CURRENT_TIME};

use crate::display::{Display, SMALL, mean_difference};
use crate::home::Home;
use crate::slider::CHANNEL;
use crate::smirk::Smirk;

/// Values that were dragged to one place differ by less: two pixels of a slider.
const TOLERANCE: f32 = 0.03;

#[test]
fn an_artist_opens_a_head_drags_a_slider_and_switches_modes() {
    let head = real_heads().map(|heads| heads.join("ict/ict_facekit.glb")).filter(|path| path.exists());
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let smirk = Smirk::open(&display, &home, head.as_deref());
    if head.is_some() {
        smirk.wait_for_title("ict_facekit — Smirk");
    }
    smirk.stop_at_start();
    smirk.search("mouthFrown");
    let slider = smirk.first_slider("mouthFrown");
    smirk.point_at("Viewport");
    let neutral = smirk.face_at_rest();

    smirk.drag_slider(&slider, 0.1, 0.7);
    smirk.wait_for("the dragged value", |state| (state.value(&slider) - 0.7).abs() < TOLERANCE);
    // Off the slider, whose tooltip would lie over the face.
    smirk.point_at("Viewport");
    let dragged = smirk.face_at_rest();
    let moved = mean_difference(&neutral, &dragged);
    assert!(moved > 0.2, "the drag moved the face by {moved} only; {}", smirk.evidence());

    smirk.press(&["Escape"]);
    let mut last = dragged;
    for (key, mode) in [("1", "cpu"), ("2", "vertex"), ("3", "compute"), ("4", "multipass")] {
        smirk.press(&[&format!("ctrl+{key}")]);
        smirk.wait_for(mode, |state| state.mode == mode);
        let face = smirk.face_at_rest();
        let apart = mean_difference(&last, &face);
        assert!(apart < 0.05, "mode {mode} draws another face: {apart}");
        last = face;
    }

    smirk.press(&["ctrl+z"]);
    smirk.wait_for("undo to take the drag back", |state| state.value(&slider) == 0.0);
    let apart = mean_difference(&neutral, &smirk.face_at_rest());
    assert!(apart < 0.05, "undo brings another face back: {apart}");

    let (said, settings) = smirk.quit();
    assert_eq!(said, "", "Smirk complained");
    assert_eq!(settings["mode"], "multipass");
    let log = home.log();
    assert!(log.starts_with("Smirk ") && log.contains(", driver "), "{log}");
}

#[test]
fn work_survives_a_kill_is_offered_and_comes_back() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let first = Smirk::open(&display, &home, [&small_head::write(home.path())]);
    first.wait_for_title("small_head — Smirk");
    first.stop_at_start();
    first.point_at("Viewport");
    let neutral = first.face_at_rest();
    first.drag_slider(CHANNEL, 0.1, 0.7);
    // A touched slider alone is no work.
    first.save_pose();
    first.point_at("Viewport");
    let works = || home.files("recovery", ".json");
    first.wait_until("the work to be kept", || works().len() == 1);
    let frowning = first.face_at_rest();
    let value = first.current().value(CHANNEL);
    let moved = mean_difference(&neutral, &frowning);
    assert!(moved > 0.2, "the drag moved the face by {moved} only; {}", first.evidence());
    let has_picture = || {
        let texts = works().into_iter().filter_map(|file| std::fs::read_to_string(file).ok());
        texts.into_iter().any(|text| text.contains(r#""picture":"iVBOR"#))
    };
    first.wait_until("the picture of the work, a PNG in base64", has_picture);
    first.kill();
    first.wait_for_end();

    // Another display: this one shows the killed window until the next one covers it.
    drop((first, display));
    let display = Rc::new(Display::start(SMALL));
    let second = Smirk::open(&display, &home, None::<&str>);
    second.click("Restore small_head");
    second.wait_for("the work to come back", |state| {
        state.channels.get(CHANNEL).is_some_and(|now| (now - value).abs() < 1e-4)
    });
    second.point_at("Viewport");
    let apart = mean_difference(&second.face_at_rest(), &frowning);
    assert!(apart < moved * 0.1, "another face came back: {apart}");
    assert_eq!(works().len(), 1, "it is still on no disk but there");

    second.press(&["ctrl+s"]);
    second.wait_until("the project to be saved", || home.files("", ".smirk").len() == 1);
    let (said, settings) = second.quit();
    assert_eq!(said, "", "Smirk complained");
    assert_eq!((works().len(), home.files("recovery", ".lock").len()), (0, 0), "all is saved");
    assert!(settings["recent"][0].as_str().unwrap().ends_with(".smirk"), "{settings}");
}

#[test]
fn the_next_start_goes_on_with_work_and_offers_it_once_if_that_was_killed() {
    const CARD: &str = "Unsaved work of earlier runs";
    let home = Rc::new(Home::new(&json!({})));
    let start = |head: Option<&Path>| {
        let smirk = Smirk::open(&Rc::new(Display::start(SMALL)), &home, head);
        smirk.stop_at_start();
        smirk
    };
    let head = small_head::write(home.path());
    let first = start(Some(&head));
    first.wait_for_title("small_head — Smirk");
    first.save_pose();
    first.wait_for_title("• small_head — Smirk");
    first.quit();
    let second = start(None);
    second.wait_for_title("• small_head — Smirk");
    assert!(!second.current().says(CARD));
    second.kill();
    second.wait_for_end();
    let third = start(None);
    third.wait_for("the offer", |state| state.says(CARD));
    third.click("Not now");
    third.quit();
    let fourth = start(None);
    fourth.wait_for("the window", |state| state.shows("Viewport"));
    assert!(!fourth.current().says(CARD), "it was declined");
    assert_eq!(home.files("recovery", ".json").len(), 1, "it is in the list");
}

#[test]
fn a_dialog_that_is_cancelled_at_once_saves_nothing() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    home.set_dialog("echo \"$@\" >>\"$HOME/asked\"\nexit 1\n");
    let smirk = Smirk::open(&display, &home, None::<&str>);
    let times_asked = || std::fs::read_to_string(home.at("asked")).map_or(0, |asked| asked.lines().count());
    smirk.press(&["ctrl+s"]);
    smirk.wait_until("the dialog", || times_asked() == 1);
    // The second dialog opens only after the answer of the first is in, which no frame shows.
    smirk.wait_until("the second dialog", || {
        smirk.press(&["ctrl+s"]);
        times_asked() >= 2
    });
    let (said, _) = smirk.quit();
    assert_eq!(said, "");
    assert!(home.files("", ".smirk").is_empty());
}

#[test]
fn the_look_of_a_project_does_not_become_the_default() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({"look": {"gloss": 1.25}})));
    let look = Look { gloss: 0.25, exposure: 0.5, ..Look::default() };
    let head = Arc::new(smirk_files::import::embedded().unwrap());
    let project = home.at("another_look.smirk");
    Document::new(Session::new(head, HeadSource::Embedded, look, BlendMode::Cpu), None).save(&project).unwrap();

    let smirk = Smirk::open(&display, &home, [&project]);
    smirk.wait_for_title("another_look — Smirk");
    let (said, settings) = smirk.quit();
    assert_eq!(said, "");
    assert!(settings["recent"][0].as_str().unwrap().ends_with("another_look.smirk"), "{settings}");
    let saved = |name: &str| settings["look"][name].as_f64().map(|value| value as f32);
    assert_eq!([saved("gloss"), saved("exposure")], [Some(1.25), Some(Look::default().exposure)]);
}

#[test]
fn a_picture_without_the_head_says_so_until_the_face_is_framed() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let head = Arc::new(smirk_files::import::embedded().unwrap());
    let mut session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.camera.target_in_world += Vec3::X * 100.0 * session.head.bounds.size().max_element();
    let project = home.at("looked_past.smirk");
    Document::new(session, None).save(&project).unwrap();

    let smirk = Smirk::open(&display, &home, [&project]);
    smirk.wait_for_title("looked_past — Smirk");
    let said = "Nothing of the head is in the picture: the camera looks past it. F frames the face";
    smirk.wait_for(said, |state| state.says(said));
    smirk.point_at("Viewport");
    smirk.press(&["f"]);
    smirk.wait_for("the message to go", |state| !state.says("Nothing of the head"));
    assert_eq!(smirk.quit().0, "");
}

#[test]
fn a_dialog_begins_in_the_last_folder_of_its_kind_also_after_a_restart() {
    let display = Rc::new(Display::start(SMALL));
    let folder = tempfile::tempdir().unwrap();
    let [heads, takes] = ["heads", "takes"].map(|name| folder.path().join(name));
    for folder in [&heads, &takes] {
        std::fs::create_dir(folder).unwrap();
    }
    let head = small_head::write(&heads);
    let take = takes.join("take.json");
    std::fs::write(&take, json!({"exportFps": 30, "facsNames": ["jawOpen"], "weightMat": [[0.0], [1.0]]}).to_string())
        .unwrap();
    let home = Rc::new(Home::new(&json!({})));
    let asked = home.at("asked");
    // Lets the dialog for heads or for takes answer with a file, and returns what it was asked.
    let ask = |smirk: &Smirk, items: &[&str], answer: &Path| {
        home.set_dialog(&format!(
            "echo \"$@\" > '{0}.new'; mv '{0}.new' '{0}'; echo '{1}'\n",
            asked.display(),
            answer.display()
        ));
        let _ = std::fs::remove_file(&asked);
        items.iter().for_each(|item| smirk.click(item));
        smirk.wait_until("the dialog", || asked.exists());
        std::fs::read_to_string(&asked).unwrap()
    };
    let smirk = Smirk::open(&display, &home, [] as [&Path; 0]);
    ask(&smirk, &["File", "Open… Ctrl+O"], &head);
    smirk.wait_until("the head", || home.log().contains(" opened\n"));
    ask(&smirk, &["File", "Import", "Takes…"], &take);
    smirk.wait_until("the take", || home.log().matches(" opened\n").count() == 2);
    smirk.quit();
    let smirk = Smirk::open(&display, &home, [] as [&Path; 0]);
    for (items, kind) in [(&["File", "Import", "Takes…"][..], &takes), (&["File", "Open… Ctrl+O"], &heads)] {
        let asked = ask(&smirk, items, Path::new(""));
        assert!(asked.contains(&format!("--filename {}/", kind.display())), "{asked}");
    }
    smirk.quit();
}

#[test]
fn another_head_is_opened_anew_or_with_the_work_and_undo_goes_back() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let [one, other] = ["one.glb", "other.glb"].map(|name| home.at(name));
    let head = small_head::write(home.path());
    for path in [&one, &other] {
        std::fs::copy(&head, path).unwrap();
    }
    home.answer_dialogs(&other);
    let smirk = Smirk::open(&display, &home, [&one]);
    smirk.wait_for_title("one — Smirk");
    smirk.save_pose();
    smirk.wait_for_title("• one — Smirk");
    let ask = |answer: &str| {
        smirk.press(&["ctrl+o"]);
        let has_focus = |button: &'static str| {
            smirk.wait_for(button, |state| state.widget(button).is_some_and(|button| button.is_focused));
        };
        has_focus("Start anew");
        if answer == "Keep the work" {
            smirk.press(&["Tab"]);
            has_focus("Keep the work");
        }
        smirk.press(&["Return"]);
    };
    let go_back = || {
        smirk.press(&["ctrl+z"]);
        smirk.wait_for_title("• one — Smirk");
        smirk.wait_for("the pose to come back", |state| state.own_poses() == 1);
    };
    ask("Start anew");
    smirk.wait_for_title("other — Smirk");
    smirk.wait_for("no work of the head before", |state| state.own_poses() == 0);
    go_back();
    ask("Keep the work");
    smirk.wait_for_title("• other — Smirk");
    smirk.wait_for("what was kept", |state| state.own_poses() == 1 && state.says("Kept on other.glb: 1 pose"));
    go_back();
    smirk.press(&["ctrl+n"]);
    smirk.wait_for("the bundled head without work", |state| state.own_poses() == 0 && !state.title.contains('•'));
    assert_eq!(smirk.quit().0, "");
}

#[test]
fn a_question_about_a_file_is_answered_before_the_next_file_is_opened() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    // The vertices of the head that is open, and none of its channels.
    let mut still = small_head::file();
    still.primitive().as_object_mut().unwrap().remove("targets");
    let stills = ["one.glb", "other.glb"].map(|name| home.at(name));
    stills.iter().for_each(|path| std::fs::write(path, still.glb()).unwrap());
    let [one, other] = &stills;
    let smirk = Smirk::open(&display, &home, [&small_head::write(home.path()), one, other]);
    for question in ["Open one.glb?", "Open other.glb?"] {
        let asked = smirk.wait_for("a question", |state| state.shows("Solve its weights"));
        // The clip of the head plays, and another file could be opened in this time.
        let state = smirk.wait_for("many frames", |state| state.frame > asked.frame + 60);
        assert!(state.says(question), "{question} is not what is asked: {}", smirk.evidence());
        smirk.click("Solve its weights");
        smirk.wait_for("the answer", |state| !state.says(question));
    }
    smirk.wait_for("both poses", |state| {
        ["one", "other"].iter().all(|name| state.poses.iter().any(|pose| pose == name))
    });
    smirk.quit();
}

#[test]
fn the_picture_is_put_on_the_clipboard() {
    let display = Rc::new(Display::start(SMALL));
    let home = Rc::new(Home::new(&json!({})));
    let smirk = Smirk::open(&display, &home, [&small_head::write(home.path())]);
    smirk.wait_for_title("small_head — Smirk");
    smirk.stop_at_start();
    smirk.press(&["ctrl+shift+c"]);
    smirk.wait_for("the picture", |state| state.says("The picture is on the clipboard"));
    let (shown, copied) = (smirk.part_at_rest("Viewport"), picture_on_clipboard(&display.name));
    assert_eq!(copied.dimensions(), shown.dimensions());
    // The upper part, over which nothing else is painted.
    let [shown, copied] =
        [shown, copied].map(|picture| crop_imm(&picture, 0, 0, picture.width(), picture.height() / 2).to_image());
    let background = *shown.get_pixel(0, 0);
    assert!(shown.pixels().filter(|pixel| **pixel != background).count() > 1000, "{}", smirk.evidence());
    let apart = mean_difference(&shown, &copied);
    assert!(apart < 0.1, "what was copied differs by {apart}; {}", smirk.evidence());
    assert_eq!(smirk.quit().0, "");
}

/// The picture on the clipboard of a display, as any other program gets it.
fn picture_on_clipboard(display: &str) -> RgbImage {
    let (connection, screen) = x11rb::connect(Some(display)).unwrap();
    let (window, root) = (connection.generate_id().unwrap(), connection.setup().roots[screen].root);
    let (class, settings) = (WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
    connection.create_window(0, window, root, 0, 0, 1, 1, 0, class, COPY_FROM_PARENT, &settings).unwrap();
    let [clipboard, png, property] = ["CLIPBOARD", "image/png", "PICTURE"]
        .map(|name| connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom);
    connection.convert_selection(window, clipboard, png, property, CURRENT_TIME).unwrap();
    connection.flush().unwrap();
    let answer = loop {
        if let Event::SelectionNotify(answer) = connection.wait_for_event().unwrap() {
            break answer;
        }
    };
    assert_eq!(answer.property, property, "the clipboard has no PNG");
    let read = connection.get_property(true, window, property, AtomEnum::ANY, 0, u32::MAX / 4);
    image::load_from_memory(&read.unwrap().reply().unwrap().value).unwrap().into_rgb8()
}
