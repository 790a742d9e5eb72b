//! What becomes of the window when a part of it panics.

use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use glam::Vec3;

use super::*;
use crate::guard::planted::plant;
use crate::{Answer, Overlay, Page, Prompt, ReferenceView};
use smirk_base::job::JobStatus;
use smirk_face::head::{Asset, Clip, Curve, Interpolation, Mesh, Target, Track, Vertices};
use smirk_graphics::blend::{Memory, Precision};
use smirk_scene::{BlendMode, Look, Quality};
use smirk_session::{HeadSource, Reference, ReferencePlace};

/// Everything that a window can show at once.
struct Window {
    session: Session,
    state: UiState,
    panels: Panels,
    prompt: Option<Prompt>,
    commands: Vec<Command>,
}

fn show(ui: &mut egui::Ui, window: &mut Window) {
    let readout = crate::Readout {
        adapter: String::new(),
        is_software: true,
        frame_ms: None,
        blend_ms: None,
        draw_ms: None,
        quality: Quality::FULL,
        memory: Memory { precision: Precision::Packed, delta_bytes: 0, cpu_bytes: 0, gpu_bytes: 0 },
        error: None,
        measuring: JobStatus::Idle,
        unavailable_modes: Vec::new(),
    };
    let readings = Readings {
        readout: &readout,
        notice: &crate::Notice::Idle,
        status: None,
        problem: None,
        sheet: None,
        version_sheet: None,
        export: &crate::ExportView::default(),
        prompt: window.prompt.as_ref(),
        document: &smirk_editor::document::DocumentStatus::default(),
        recent: &[],
        thumbnails: &OfHead::default(),
        reference: Some(&ReferenceView { count: 1, ..ReferenceView::default() }),
        findings: None,
        marked: None,
        notifier: &|| Box::new(|| {}),
        is_file_hovering: false,
    };
    let Window { session, state, panels, commands, .. } = window;
    commands.extend(panels.show(ui, session, state, &readings));
}

fn window() -> Harness<'static, Window> {
    let vertices = Vertices { positions: vec![Vec3::ZERO; 3], normals: vec![Vec3::Z; 3], ..Vertices::default() };
    let targets = vec![Target::from_dense("jawOpen".into(), 0.0, &[Vec3::X; 3], &[], &[])];
    let curve = Curve::new(Interpolation::Linear, vec![0.0, 8.0], vec![0.0, 1.0], 1).unwrap();
    let head = Head::new(Asset {
        meshes: vec![Mesh { vertices, targets, ..Mesh::default() }],
        clips: vec![Clip::new("Talk".into(), vec![Track { first_target: 0, curve }])],
        ..Asset::default()
    });
    let mut session = Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.clock.timeline.playing = false;
    session.edits.reference = Some(Reference { place: ReferencePlace::Over, ..Reference::default() });
    let mut state = UiState::default();
    state.panels.curves_open = true;
    let window = Window { session, state, panels: Panels::default(), prompt: None, commands: Vec::new() };
    let mut harness =
        Harness::builder().with_size([1600.0, 1000.0]).allow_missing_glyphs().build_ui_state(show, window);
    theme::install(&harness.ctx);
    // The panels slide open.
    harness.run_steps(8);
    harness.state_mut().commands.clear();
    harness
}

/// Lets a part fail when it is shown next, and returns what the window is to do then, the report first.
fn fail(harness: &mut Harness<'static, Window>, part: Part) -> Vec<Command> {
    plant(Some(part));
    harness.run_steps(1);
    plant(None);
    let mut commands = std::mem::take(&mut harness.state_mut().commands);
    let report = format!("{} stopped unexpectedly, which is a fault in Smirk", part.name());
    assert_eq!(commands.remove(0), Command::ShowStatus(report), "{part:?}");
    commands
}

#[test]
fn a_part_that_fails_has_one_message_in_its_place_until_it_is_asked_for_again() {
    let pages = [Page::Poses, Page::Motion, Page::Look, Page::Readout, Page::Report, Page::Export];
    let parts = [Part::TopBar, Part::Transport, Part::Curves, Part::Channels, Part::Reference];
    let parts = parts.into_iter().chain([Part::Viewport, Part::ViewportControls]).chain(pages.map(Part::Page));
    for part in parts {
        let mut harness = window();
        if let Part::Page(page) = part {
            harness.state_mut().state.open_page(page);
        }
        assert_eq!(fail(&mut harness, part), [], "{part:?} fails once");
        harness.run_steps(4);
        let text = format!("{} stopped unexpectedly, which is a fault in Smirk. Your work is kept.", part.name());
        let is_seen = |harness: &Harness<'_, Window>| {
            let mut messages = harness.query_all_by_label(&text);
            let seen = messages.next().is_some_and(|message| harness.ctx.content_rect().contains_rect(message.rect()));
            assert!(messages.next().is_none(), "{part:?}");
            seen
        };
        assert!(is_seen(&harness), "{part:?}");
        harness.get_by_label("Show it again").click();
        harness.run_steps(4);
        assert!(!is_seen(&harness) && harness.state().commands.is_empty(), "{part:?}");
    }
}

#[test]
fn what_covers_the_window_is_closed_or_answered_when_it_fails() {
    let mut harness = window();
    harness.state_mut().state.overlay = Some(Overlay::Shortcuts);
    assert_eq!(fail(&mut harness, Part::List), []);
    assert_eq!(harness.state().state.overlay, None);
    harness.state_mut().panels.work_list.open(&[]);
    assert_eq!(fail(&mut harness, Part::WorkList), []);
    assert!(!harness.state().panels.work_list.is_open);
    let quit = |problem: Option<&str>| Prompt::Quit {
        name: "walk".into(),
        project: None,
        problem: problem.map(Into::into),
        failure: None,
    };
    let saved = Prompt::SavedElsewhere { file: "walk.smirk".into() };
    for (prompt, answer) in
        [(quit(None), Answer::Quit), (quit(Some("No space")), Answer::Cancel), (saved, Answer::Cancel)]
    {
        harness.state_mut().prompt = Some(prompt);
        assert_eq!(fail(&mut harness, Part::Question), [Command::Answer(answer)]);
    }
}

#[test]
fn an_action_that_fails_costs_that_action() {
    let mut harness = window();
    for _ in 0..3 {
        fail(&mut harness, Part::Action);
    }
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::O);
    harness.run_steps(1);
    assert!(matches!(harness.state().commands[..], [Command::Choose(_)]), "{:?}", harness.state().commands);
}
