//! The Export page: what it shows for each kind, what it says will be written, and the progress.

use egui::accesskit::Role;
use egui_kittest::kittest::NodeT;
use smirk_export::{ExportKind, FilmFormat, FilmQuality, MeshFormat, TwoFaces};
use smirk_files::import::version_of;
use smirk_session::{ComparedWith, Reference};
use smirk_ui::{ExportStatus, Page};

use crate::harness::*;

/// The window with the page open.
fn page(kind: ExportKind) -> Harness<'static, App> {
    let mut app = App::new(head());
    (app.state.panels.right_open, app.state.panels.page) = (true, Page::Export);
    app.state.export.kind = kind;
    window_of(Vec2::new(1280.0, 720.0), app)
}

/// The button at the end of the page. The tab and the choice of the kind are called `Export`.
fn button<'a>(harness: &'a Harness<'static, App>) -> egui_kittest::Node<'a> {
    harness.get_by_role_and_label(Role::Button, "Export…")
}

#[test]
fn the_page_opens_from_the_menu_and_by_its_keys() {
    let mut harness = window(head());
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Export").is_none());
    for name in ["File", "Export", "Export… Ctrl+E"] {
        press_in_menu(&mut harness, name);
    }
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Export").is_some());
    harness.state_mut().state.panels.page = Page::Look;
    harness.state_mut().state.panels.right_open = false;
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::E);
    harness.run();
    assert_eq!(harness.state().state.panels.page, Page::Export);
    assert!(harness.state().state.panels.right_open && harness.state().commands.is_empty());
}

#[test]
fn every_tab_is_whole_in_the_narrowest_panel() {
    let mut app = App::new(head());
    (app.state.panels.right_width, app.state.panels.page) = (1.0, Page::Export);
    let harness = window_of(Vec2::new(1280.0, 720.0), app);
    let page = harness.get_by_role_and_label(Role::ComboBox, "Export").rect();
    let mut left = 0.0;
    for name in ["Poses", "Motion", "Look", "Readout", "Report", "Export"] {
        let tab = harness.get_by_role_and_label(Role::Button, name).rect();
        assert!(tab.left() >= left && tab.right() <= page.right() + 0.5, "{name} {tab}");
        left = tab.right();
    }
}

#[test]
fn each_kind_shows_its_own_settings_and_what_will_be_written() {
    let all = [
        "With the head",
        "A key at every frame",
        "Only visible meshes",
        "Transparent background",
        "Turntable",
        "Samples",
        "Pictures of",
        "If files exist",
        "Frame rate",
    ];
    let kinds: [(ExportKind, &str, &[&str]); 6] = [
        (
            ExportKind::Animation,
            "1 glTF binary file, 241 frames, about ",
            &["With the head", "A key at every frame", "Frame rate"],
        ),
        (ExportKind::Head, "1 glTF binary file, about ", &[]),
        (
            ExportKind::Mesh,
            "241 Wavefront OBJ files, a frame each",
            &["Only visible meshes", "If files exist", "Frame rate"],
        ),
        (
            ExportKind::Pictures,
            "241 PNG pictures of 1280×720, about 255 MB",
            &["Transparent background", "Turntable", "Samples", "If files exist", "Frame rate"],
        ),
        (
            ExportKind::Film,
            "1 WebP film of 1280×720, 241 frames, about 155 MB",
            &["Transparent background", "Turntable", "Samples", "Frame rate"],
        ),
        (ExportKind::Sheet, "1 PNG picture with 34 pictures", &["Pictures of"]),
    ];
    for (kind, plan, settings) in kinds {
        let mut harness = page(kind);
        assert!(harness.query_by_label_contains(plan).is_some(), "{kind:?} does not say {plan}");
        for setting in all {
            let is_shown = harness.query_all_by_label(setting).next().is_some();
            assert_eq!(is_shown, settings.contains(&setting), "{kind:?} {setting}");
        }
        button(&harness).scroll_to_me();
        harness.run();
        button(&harness).click();
        harness.run();
        assert_eq!(harness.state().commands, [Command::Export(harness.state().state.export)], "{kind:?}");
    }
}

#[test]
fn what_is_chosen_changes_what_will_be_written() {
    let mut harness = page(ExportKind::Pictures);
    choose_in_list(&mut harness, "Size", "1920×1080");
    choose_in_list(&mut harness, "Frames", "Current frame");
    assert!(harness.query_by_label_contains("1 PNG picture of 1920×1080").is_some());
    assert!(harness.query_by_label_contains("The face as it is now, at 2.00 s").is_some());
    choose_in_list(&mut harness, "Frames", "From in to out");
    choose_in_list(&mut harness, "Frame rate", "24 fps");
    harness.state_mut().session.timeline_mut().edit_range(|timeline| timeline.set_out(Some(2.0)));
    harness.run();
    assert!(harness.query_by_label_contains("49 PNG pictures").is_some());
    assert!(harness.query_by_label_contains("Frames 0 to 48 at 24 a second, 2.0 s").is_some());
    choose_in_list(&mut harness, "Frames", "Whole timeline");
    assert!(harness.query_by_label_contains("193 PNG pictures").is_some());
    harness.state_mut().export.megasamples_per_sec = Some(33.1776 * 193.0 / 170.0);
    harness.run();
    assert!(harness.query_by_label("Takes about 3 minutes").is_some(), "as fast as the last pictures were drawn");
    choose_in_list(&mut harness, "Export", "Mesh");
    choose_in_list(&mut harness, "Format", "Point cache PC2");
    assert_eq!(harness.state().state.export.mesh, MeshFormat::Pc2);
    assert!(harness.query_by_label_contains("1 Point cache PC2 file, 193 frames").is_some());
}

#[test]
fn nothing_is_exported_of_what_is_not_there_and_the_page_says_why() {
    for (kind, reason) in [(ExportKind::Animation, "nothing moves"), (ExportKind::Film, "nothing moves")] {
        let mut harness = page(kind);
        harness.state_mut().session.clips_mut().select(None);
        harness.run();
        assert!(harness.query_by_label_contains(reason).is_some(), "{kind:?}");
        button(&harness).click();
        harness.run();
        assert!(harness.state().commands.is_empty(), "{kind:?}");
    }
}

#[test]
fn the_quality_of_a_film_of_ffmpeg_says_its_size_and_effect() {
    let mut harness = page(ExportKind::Film);
    assert!(harness.query_by_role_and_label(Role::ComboBox, "Quality").is_none(), "WebP keeps every colour");
    harness.state_mut().state.export.film = FilmFormat::Mp4;
    harness.run();
    assert!(harness.query_by_label_contains("about 8.9 MB").is_some());
    choose_in_list(&mut harness, "Quality", "Low");
    assert_eq!(harness.state().state.export.quality, FilmQuality::Low);
    assert!(harness.query_by_label_contains("about 1.8 MB").is_some());
    harness.state_mut().state.export.film = FilmFormat::ProRes;
    harness.run();
    harness.get_by_role_and_label(Role::ComboBox, "Quality").click();
    harness.run();
    harness.get_by_label("High").hover();
    harness.run_steps(90);
    harness.get_by_label("ProRes 422 HQ: for editing and delivery");
}

#[test]
fn without_ffmpeg_numbered_pictures_are_offered() {
    let mut harness = page(ExportKind::Film);
    choose_in_list(&mut harness, "Format", "MP4 (H.264)");
    assert!(harness.query_by_label("Looking for ffmpeg…").is_some());
    button(&harness).click();
    harness.run();
    assert!(harness.state().commands.is_empty(), "not before it is known");
    harness.state_mut().export.ffmpeg = Some(Ok("5.1.9".into()));
    harness.run();
    assert!(harness.query_by_label("With ffmpeg 5.1.9").is_some());
    harness.state_mut().export.ffmpeg =
        Some(Err("MP4 is made by ffmpeg, which is not in the PATH. Install it.".into()));
    harness.run();
    assert!(harness.query_by_label_contains("Install it").is_some());
    harness.get_by_label("Numbered pictures instead").click();
    harness.run();
    assert!(harness.query_by_label_contains("241 PNG pictures").is_some());
    button(&harness).click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::Export(harness.state().state.export)]);
}

#[test]
fn the_progress_is_on_the_page_or_over_the_picture_and_can_be_cancelled() {
    let mut harness = page(ExportKind::Film);
    let status = ExportStatus {
        kind: ExportKind::Film,
        stage: "picture 60 of 241".into(),
        fraction: 0.25,
        secs_left: Some(181.0),
        waiting: 1,
        is_cancelled: false,
    };
    harness.state_mut().export.running = Some(status.clone());
    harness.run();
    let text = "Film: picture 60 of 241";
    assert!(harness.query_by_label("about 3 minutes left · 1 more export").is_some());
    let viewport = harness.get_by_label("Viewport").rect();
    assert!(harness.get_by_label(text).rect().left() > viewport.right());
    harness.state_mut().state.panels.page = Page::Look;
    harness.run();
    assert!(viewport.contains_rect(harness.get_by_label(text).rect()));
    harness.get_by_label("Cancel").click();
    harness.run();
    assert_eq!(harness.state().commands, [Command::CancelExport]);
    harness.state_mut().export.running = Some(ExportStatus { is_cancelled: true, ..status });
    harness.run();
    harness.get_by_label("Cancel").click();
    harness.run();
    assert_eq!(harness.state().commands.len(), 1, "it is cancelled already");
}

#[test]
fn pictures_have_b_and_the_reference_if_they_are_there() {
    let mut harness = page(ExportKind::Film);
    for name in ["A and B", "With the reference"] {
        assert!(harness.get_by_label(name).accesskit_node().is_disabled(), "{name}");
    }
    let edits = &mut harness.state_mut().session.edits;
    edits.reference = Some(Reference::new("/shots/frame_0001.png".as_ref()));
    harness.state_mut().session.compared_with = ComparedWith::Saved;
    let saved = harness.state().session.edits.snapshot();
    harness.state_mut().session.saved_edits = Some(saved);
    harness.run();
    harness.get_by_label("With the reference").click();
    harness.run();
    choose_in_list(&mut harness, "A and B", "Onion skin");
    assert!(harness.query_all_by_label("Opacity of B").next().is_some());
    let request = harness.state().state.export;
    assert_eq!((request.with_reference, request.compared), (true, Some(TwoFaces::Over(0.5))));
    // What was chosen can be taken back when it is no longer there.
    harness.state_mut().session.edits.reference = None;
    harness.run();
    assert!(harness.query_by_label_contains("no reference is open").is_some());
    harness.get_by_label("With the reference").click();
    harness.run();
    choose_in_list(&mut harness, "A and B", "Side by side");
    assert_eq!(harness.state().state.export.compared, Some(TwoFaces::Beside));
}

#[test]
fn the_page_follows_a_version_that_is_compared_again() {
    let mut harness = page(ExportKind::Film);
    let app = harness.state_mut();
    let version = version_of(&app.session.head, head());
    app.session.compare_with(Arc::new(version), HeadSource::File("/heads/ada_v13.glb".into()));
    app.state.export.compared = Some(TwoFaces::Beside);
    app.session.reload(head());
    harness.run();
    assert!(harness.query_by_label_contains("No version to compare with").is_some());
    let app = harness.state_mut();
    let again = version_of(&app.session.head, head());
    app.session.open_version.as_mut().unwrap().version = Arc::new(again);
    harness.run();
    assert!(harness.query_by_label_contains("No version to compare with").is_none());
}
