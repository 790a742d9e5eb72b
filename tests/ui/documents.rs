//! Projects, unsaved work and imported shapes: menu, shortcuts, notices.

use crate::harness::*;
use std::time::{SystemTime, UNIX_EPOCH};

use smirk_analysis::transfer::landmarks;
use smirk_base::file_kind::Content;
use smirk_editor::document::{
    DocumentStatus, LoadRequest, MissingHead, UnsavedWork, WorkHint, WorkPicture, WorkPlace, WorkSummary,
};
use smirk_export::{ExportKind, ExportRequest};
use smirk_face::head::{HeadSource, Landmark, Matching, OfHead, ShapeFile};
use smirk_scene::View;
use smirk_session::{WorkCommand, WorkId};
use smirk_ui::{FeaturePlacing, OpenAs};

/// Unsaved work that was written so many seconds ago.
fn work(id: u64, name: &str, secs: u64, place: WorkPlace) -> UnsavedWork {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    let picture = image::RgbaImage::from_fn(192, 144, |x, y| image::Rgba([x as u8, y as u8, (id * 40) as u8, 255]));
    UnsavedWork {
        id: WorkId(id),
        summary: WorkSummary {
            name: name.into(),
            head: "ict_facekit".into(),
            project_file: id.is_multiple_of(2).then(|| format!("/projects/{name}.smirk").into()),
            written_unix_secs: now - secs,
            sequence: id,
            picture: (id != 3).then(|| WorkPicture::encode(&picture).unwrap()),
            bytes: 42_000 * id,
        },
        place,
    }
}

#[test]
fn the_file_menu_has_few_items_with_imports_and_exports_in_menus_of_their_own() {
    let mut harness = window_of(Vec2::new(1000.0, 600.0), App::new(head()));
    press(&mut harness, "File");
    assert!(harness.query_by_label("Takes…").is_none() && harness.query_by_label("Contact sheet of poses…").is_none());
    let items = harness.query_all_by_role(egui::accesskit::Role::Button).map(|item| item.rect());
    let menu = harness.get_by_label("Quit Ctrl+Q").rect();
    let count = items.filter(|item| item.left() == menu.left() && item.width() == menu.width()).count();
    assert!((8..=16).contains(&count), "{count}");
    press(&mut harness, "Import");
    for item in ["Takes…", "Meshes over time…", "Poses…", "Shapes…", "Sound…", "Markers…"] {
        let item = harness.get_by_label(item).rect();
        assert!(item.left() >= menu.right() - 1.0 && item.bottom() <= 600.0, "{item}");
    }
}

#[test]
fn menus_and_their_shortcuts_return_commands_about_files() {
    let mut harness = window(head());
    let as_glb = ExportRequest { kind: ExportKind::Head, ..ExportRequest::default() };
    for (menu, label, command) in [
        ("File", "Open project…", Command::Choose(OpenAs::File(Some(Content::Project)))),
        ("File", "Recover work…", Command::Work(WorkCommand::List)),
        ("File", "Save project Ctrl+S", Command::SaveProject),
        ("File", "Save project as… Ctrl+Shift+S", Command::SaveProjectAs),
        ("File › Import", "Takes…", Command::Choose(OpenAs::File(Some(Content::Takes)))),
        ("File › Import", "Poses…", Command::Choose(OpenAs::File(Some(Content::Poses)))),
        ("File › Import", "Shapes…", Command::Choose(OpenAs::File(Some(Content::Shapes)))),
        ("File › Export", "Head as .glb…", Command::Export(as_glb)),
        ("File › Export", "Poses…", Command::ExportPoses),
        ("Help", "Show log file", Command::ShowLogFile),
    ] {
        for name in menu.split(" › ").chain([label]) {
            press_in_menu(&mut harness, name);
        }
        assert_eq!(harness.state().commands.last(), Some(&command), "{label}");
    }
    harness.state_mut().commands.clear();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
    harness.run();
    assert_eq!(harness.state().commands, [Command::SaveProject, Command::SaveProjectAs]);
}

#[test]
fn saving_and_quitting_work_while_a_name_is_typed_and_keep_it() {
    for (key, command) in [(Key::S, Command::SaveProject), (Key::Q, Command::Quit)] {
        let mut harness = window(head());
        harness.get_by_label("Pose Anger").focus();
        harness.run_ok();
        harness.key_press(Key::F2);
        harness.run();
        harness.event(Event::Text("Fury".into()));
        harness.run();
        harness.key_press_modifiers(Modifiers::COMMAND, key);
        harness.run();
        assert_eq!(harness.state().commands, [command]);
        assert!(harness.query_by_label("Pose Fury").is_some());
    }
}

#[test]
fn unsaved_work_of_earlier_runs_is_offered_by_a_card_with_pictures_and_counted_in_the_menu() {
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1280.0, 690.0), Vec2::new(1000.0, 600.0)] {
        for count in [1, 5] {
            let mut app = App::new(head());
            app.document.works =
                (1..=count).map(|id| work(id, &format!("ada {id}"), 180 * id, WorkPlace::Offered)).collect();
            app.document.work_hint = Some(WorkHint::Earlier);
            let mut harness = window_of(size, app);
            let viewport = harness.get_by_label("Viewport").rect();
            harness.get_by_label("Picture of ada 1");
            let more = if count > 1 { "Show all 5…" } else { "Show the list…" };
            for (label, command) in [
                ("Restore ada 1", WorkCommand::Restore(WorkId(1))),
                ("Not now", WorkCommand::Later),
                (more, WorkCommand::List),
                ("Move all to trash", WorkCommand::TrashAll),
            ] {
                let rect = harness.get_by_label(label).rect();
                assert!(viewport.contains_rect(rect), "{label} at {size}: {rect} outside of {viewport}");
                press(&mut harness, label);
                assert_eq!(harness.state().commands.last(), Some(&Command::Work(command)), "{label}");
            }
            press(&mut harness, "File");
            press(&mut harness, &format!("Recover work… ({count})"));
            assert_eq!(harness.state().commands.last(), Some(&Command::Work(WorkCommand::List)));
        }
    }
}

#[test]
fn what_was_moved_to_the_trash_together_comes_back_together() {
    let mut app = App::new(head());
    app.document.work_hint = Some(WorkHint::Trashed(14));
    let mut harness = window_of(Vec2::new(1000.0, 600.0), app);
    harness.get_by_label("14 works moved to the trash");
    press(&mut harness, "Undo");
    press(&mut harness, "Close");
    let work = [WorkCommand::PutBackAll, WorkCommand::Later].map(Command::Work);
    assert_eq!(harness.state().commands, work);
}

#[test]
fn the_line_about_work_that_was_set_aside_makes_room_for_what_was_just_done() {
    let mut app = App::new(head());
    app.document.work_hint = Some(WorkHint::SetAside("ada".into()));
    app.status = Some("Saved".into());
    let mut harness = window_of(Vec2::new(1280.0, 720.0), app);
    assert!(harness.query_by_label_contains("was set aside").is_none());
    harness.state_mut().status = None;
    harness.run();
    harness.get_by_label("Your unsaved work on ada was set aside");
}

#[test]
fn new_and_close_open_the_bundled_head_without_work_and_undo_goes_back_to_what_was_open() {
    let mut harness = window(head());
    let new = Command::Load(Box::new(LoadRequest::New));
    for label in ["New Ctrl+N", "Close project Ctrl+W"] {
        press(&mut harness, "File");
        press(&mut harness, label);
        assert_eq!(harness.state().commands.last(), Some(&new), "{label}");
    }
    harness.state_mut().commands.clear();
    let undo = |harness: &mut Harness<'static, App>| {
        harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        harness.run_ok();
        std::mem::take(&mut harness.state_mut().commands)
    };
    assert_eq!(undo(&mut harness), [], "nothing was open before");
    harness.state_mut().document.replaced = Some("walk.smirk".into());
    for _ in 0..2 {
        harness.state_mut().session.poses_mut().store("");
        harness.run_ok();
    }
    assert_eq!(undo(&mut harness), [], "first the second pose");
    // A key that is pressed again without being released is held down.
    let modifiers = Modifiers::COMMAND;
    for pressed in [true, true, true, false] {
        harness.event(Event::Key { key: Key::Z, physical_key: None, pressed, repeat: false, modifiers });
        harness.run_ok();
    }
    assert!(!harness.state().session.can_undo() && harness.state().commands.is_empty(), "keys that are held go on");
    assert_eq!(undo(&mut harness), [Command::GoBack]);
    assert!(!harness.state().session.can_undo());
}

#[test]
fn the_missing_head_of_a_project_can_be_located() {
    let mut harness = window(head());
    let problem = "ict_facekit.glb: cannot be read: No such file or directory".to_owned();
    let missing_head = Some(MissingHead { project: "walk.smirk".into(), problem });
    harness.state_mut().document =
        DocumentStatus { missing_head, work_hint: Some(WorkHint::Earlier), ..DocumentStatus::default() };
    harness.run();
    harness.get_by_label("Cannot open the head of walk.smirk");
    harness.get_by_label("Locate…").click();
    harness.run();
    harness.get_by_label("Dismiss").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::Choose(OpenAs::HeadOfProject), Command::DismissNotice]);
}

#[test]
fn the_top_row_shows_the_project_and_unsaved_changes() {
    let mut harness = window(head());
    harness.get_by_label("ada_head");
    assert!(harness.query_by_label("Unsaved changes").is_none());
    harness.state_mut().document =
        DocumentStatus { project: Some("walk".into()), is_unsaved: true, ..DocumentStatus::default() };
    harness.run();
    harness.get_by_label("walk · ada_head");
    harness.get_by_label("Unsaved changes");
}

#[test]
fn a_message_can_be_dismissed() {
    let mut harness = window(head());
    harness.state_mut().notice = Notice::Info {
        title: "3 poses imported from a.json".into(),
        message: "Missing in this head: noseWrinkle.".into(),
    };
    harness.run();
    harness.get_by_label("Missing in this head: noseWrinkle.");
    harness.get_by_label("Dismiss").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::DismissNotice]);
}

#[test]
fn imported_shapes_are_matched_as_chosen() {
    let mut harness = window(head());
    harness.state_mut().notice = Notice::MatchShapes { files: vec!["a/jawOpen.obj".into(), "a/smile.obj".into()] };
    harness.run();
    harness.get_by_label("Import 2 shapes");
    harness.get_by_label("jawOpen, smile");
    harness.get_by_label("Matching").click();
    harness.run();
    harness.get_by_label("By texture coordinates").click();
    harness.run();
    harness.get_by_label("Import").click();
    harness.run();
    let shape = |path: &str| ShapeFile::new(path.into(), Matching::Uv);
    let wanted = LoadRequest::Shapes(vec![shape("a/jawOpen.obj"), shape("a/smile.obj")]);
    assert_eq!(harness.state().commands, [Command::Load(Box::new(wanted))]);
    harness.get_by_label("Cancel").click();
    harness.run();
    assert_eq!(harness.state().commands.last(), Some(&Command::DismissNotice));
}

#[test]
fn a_head_without_shapes_is_offered_those_of_the_bundled_head() {
    let wanted = [Command::Load(Box::new(LoadRequest::Features(HeadSource::Embedded)))];
    let mut harness = window(Head::new(Asset { name: "bare".into(), ..Asset::default() }).into());
    harness.run();
    harness.get_by_label("Use the shapes of the bundled head").click();
    harness.run();
    assert_eq!(harness.state().commands, wanted);
    harness.state_mut().commands.clear();
    harness.get_by_label("File").click();
    harness.run();
    harness.get_by_label("Import").click();
    harness.run();
    harness.get_by_label("Shapes of the bundled head…").click();
    harness.run();
    assert_eq!(harness.state().commands, wanted);
    // A head with channels is asked in the menu alone.
    let mut harness = window(head());
    harness.run();
    assert!(harness.query_by_label("Use the shapes of the bundled head").is_none());
}

#[test]
fn features_are_dragged_to_their_places_before_shapes_are_carried_over() {
    let head = Arc::new(smirk_files::import::embedded().unwrap());
    let found = landmarks(&head).unwrap();
    let mut app = App::new(head.clone());
    app.session.camera.look_from(View::Front);
    app.state.placing = Some(OfHead::with(&head, FeaturePlacing::new(HeadSource::Embedded, found)));
    let mut harness = window_of(Vec2::new(1600.0, 1000.0), app);
    let dot = |harness: &Harness<'_, App>| harness.get_by_label("End of the chin").rect().center();
    let (before, yaw) = (dot(&harness), harness.state().session.camera.yaw);
    let goal = before - Vec2::new(0.0, 24.0);
    drag(&mut harness, before, goal, Modifiers::NONE);
    assert!(dot(&harness).distance(goal) < 3.0, "{before:?} {goal:?} {:?}", dot(&harness));
    assert_eq!(harness.state().session.camera.yaw, yaw, "the camera stays");
    harness.get_by_label("Carry the shapes over").click();
    harness.run();
    let [Command::Load(request)] = &harness.state().commands[..] else { panic!("{:?}", harness.state().commands) };
    let LoadRequest::Shapes(files) = &**request else { panic!("{request:?}") };
    let wanted = ShapeFile { points: files[0].points.clone(), ..ShapeFile::of_face(HeadSource::Embedded) };
    assert_eq!((files, files[0].points.keys().collect::<Vec<_>>()), (&vec![wanted], vec![&Landmark::Menton]));
    // The dots stay where they are refused, and go once the head has the shapes.
    assert!(dot(&harness).distance(goal) < 3.0);
    harness.state_mut().session.head = Arc::new(smirk_files::import::embedded().unwrap());
    harness.run();
    assert!(harness.state().state.placing.is_none() && harness.query_by_label("End of the chin").is_none());
}

/// A window with the list of these works open.
fn list_of(size: Vec2, works: Vec<UnsavedWork>, in_use: usize) -> Harness<'static, App> {
    let mut app = App::new(head());
    app.panels.work_list.open(&works);
    (app.document.works, app.document.works_in_use) = (works.into(), in_use);
    window_of(size, app)
}

fn click_in_row(harness: &mut Harness<'static, App>, label: &str, name: &str) -> egui::Rect {
    let row = harness.get_by_label(&format!("Picture of {name}")).rect();
    let rects = harness.get_all_by_label(label).map(|button| button.rect());
    let rect = rects.into_iter().find(|rect| row.y_range().contains(rect.center().y)).unwrap();
    let button = harness.get_all_by_label(label).find(|button| button.rect() == rect).unwrap();
    button.click();
    harness.run();
    rect
}

#[test]
fn a_second_click_on_the_same_place_never_hits_another_work() {
    let works = ["one", "two", "three"].iter().zip(1..).map(|(name, id)| work(id, name, id * 60, WorkPlace::Offered));
    let mut harness = list_of(Vec2::new(1280.0, 720.0), works.collect(), 0);
    let trash = click_in_row(&mut harness, "Move to trash", "two");
    assert_eq!(harness.state().commands, [Command::Work(WorkCommand::Trash(WorkId(2)))]);
    let mut works = harness.state().document.works.to_vec();
    // The document lists the trash after all other work.
    works[1].place = WorkPlace::Trash;
    harness.state_mut().document.works = works.into();
    harness.run();
    let back = harness.get_by_label("Put back").rect();
    assert!(trash.y_range().contains(back.center().y), "the row stays where it was");
    click(&mut harness, trash.center());
    let commands = [WorkCommand::Trash(WorkId(2)), WorkCommand::PutBack(WorkId(2))];
    assert_eq!(harness.state().commands, commands.map(Command::Work));
}

#[test]
fn work_is_deleted_from_the_trash_only_after_a_second_click_elsewhere() {
    let works = vec![work(1, "one", 60, WorkPlace::Offered), work(2, "two", 9000, WorkPlace::Trash)];
    let mut harness = list_of(Vec2::new(1280.0, 720.0), works, 0);
    let delete = click_in_row(&mut harness, "Delete…", "two");
    assert_eq!(harness.state().commands, []);
    click(&mut harness, delete.center());
    assert_eq!(harness.state().commands, [], "a double click keeps it");
    click_in_row(&mut harness, "Delete…", "two");
    click_in_row(&mut harness, "Delete for good", "two");
    harness.get_by_label("Empty trash…").click();
    harness.run();
    harness.get_by_label("Delete 1 work for good").click();
    harness.run();
    click_in_row(&mut harness, "Restore", "two");
    let commands = [WorkCommand::Delete(WorkId(2)), WorkCommand::EmptyTrash, WorkCommand::Restore(WorkId(2))];
    assert_eq!(harness.state().commands, commands.map(Command::Work));
}

#[test]
fn the_list_counts_the_works_of_other_windows_and_closes_with_escape() {
    let mut harness = list_of(Vec2::new(1280.0, 720.0), vec![work(1, "one", 60, WorkPlace::Offered)], 2);
    harness.get_by_label("2 more in use by other windows of Smirk.");
    harness.key_press(Key::Escape);
    harness.run();
    assert!(!harness.state().panels.work_list.is_open);
}

#[test]
fn the_list_fits_both_windows_with_any_number_of_works_and_names_of_any_length() {
    let long = "a very long name of a project that nobody would ever have chosen but somebody did all the same, twice";
    let names = ["walk", long, "笑顔のテスト", "smile_v012", "Übung"];
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(1280.0, 720.0)] {
        for count in [0, 1, 3, 25] {
            let place = |id: u64| match id % 5 {
                0 if count > 3 => WorkPlace::Trash,
                _ => WorkPlace::Offered,
            };
            let works = (1..=count).map(|id| work(id, names[id as usize % names.len()], id * id * 3000, place(id)));
            let mut harness = list_of(size, works.collect(), 0);
            if std::env::var_os("SMIRK_KEEP_PICTURES").is_some() {
                let picture = harness.render().unwrap();
                picture.save(format!("{}/works-{}-{count}.png", env!("CARGO_TARGET_TMPDIR"), size.x)).unwrap();
            }
            let window = egui::Rect::from_min_size(Pos2::ZERO, size + Vec2::splat(16.0));
            assert!(window.contains_rect(harness.get_by_label("Close").rect()));
            for button in harness.query_all_by_label("Restore") {
                assert!(window.x_range().contains(button.rect().right()), "{}", button.rect());
            }
        }
    }
}
