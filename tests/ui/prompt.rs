//! Questions that cover the window: before unsaved work is lost, and before a file that others changed is replaced.

use crate::harness::*;
use smirk_base::file_kind::Content;
use smirk_editor::document::{FileState, Found, LoadRequest, OpenChoice, OpenQuestion};

fn quit() -> Prompt {
    let problem = "Unsaved work cannot be written to /home/ada/.local/share/smirk/recovery: No space left on device (os error 28)";
    Prompt::Quit { name: "walk".into(), project: None, problem: Some(problem.into()), failure: None }
}

/// Quitting with work that is kept.
fn quit_kept(project: Option<&str>) -> Prompt {
    Prompt::Quit { name: "walk".into(), project: project.map(PathBuf::from), problem: None, failure: None }
}

fn changed() -> Prompt {
    Prompt::ChangedOnDisk { file: "/projects/walk.smirk".into(), found: Found::at("/".as_ref()), failure: None }
}

fn asking(prompt: Prompt) -> Harness<'static, App> {
    let mut harness = window(head());
    harness.state_mut().prompt = Some(prompt);
    harness.run();
    harness
}

fn assert_answers(prompt: &Prompt, answers: &[(&str, Answer)]) {
    for &(label, answer) in answers {
        let mut harness = asking(prompt.clone());
        harness.get_by_label(label).click();
        harness.run();
        assert_eq!(harness.state().commands, [Command::Answer(answer)], "{label}");
    }
}

fn assert_keys(prompt: &Prompt, keys: &[(Key, Answer)]) {
    for &(key, answer) in keys {
        let mut harness = asking(prompt.clone());
        harness.key_press(key);
        harness.run();
        assert_eq!(harness.state().commands, [Command::Answer(answer)], "{key:?}");
    }
}

#[test]
fn quitting_with_work_that_cannot_be_kept_is_a_question() {
    let harness = asking(quit());
    harness.get_by_label("Quit without saving walk?");
    harness.get_by_label_contains("No space left on device");
    let answers = [("Save as…", Answer::SaveAs), ("Quit anyway", Answer::Quit), ("Stay", Answer::Cancel)];
    assert_answers(&quit(), &answers);
    assert_keys(&quit(), &[(Key::Enter, Answer::SaveAs), (Key::Escape, Answer::Cancel)]);
}

#[test]
fn quitting_with_unsaved_work_says_what_is_kept() {
    for (project, save, says) in [
        (Some("/projects/walk.smirk"), "Save", "walk.smirk stays as it was saved last."),
        (None, "Save as…", "It was never saved as a project."),
    ] {
        let prompt = quit_kept(project);
        let harness = asking(prompt.clone());
        harness.get_by_label_contains(says);
        harness.get_by_label_contains("the next start goes on with it");
        assert_answers(&prompt, &[("Quit", Answer::Quit), (save, Answer::Save), ("Stay", Answer::Cancel)]);
        assert_keys(&prompt, &[(Key::Enter, Answer::Quit), (Key::Escape, Answer::Cancel)]);
    }
    let mut harness = asking(quit_kept(None));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    harness.run();
    assert_eq!(harness.state().commands, [Command::Quit], "closing again is an answer too");
}

#[test]
fn saving_over_a_file_that_has_changed_is_a_question() {
    let answers = [
        ("Keep mine as…", Answer::SaveAs),
        ("Load theirs", Answer::LoadTheirs),
        ("Overwrite", Answer::Overwrite),
        ("Cancel", Answer::Cancel),
    ];
    assert_answers(&changed(), &answers);
    assert_keys(&changed(), &[(Key::Enter, Answer::SaveAs), (Key::Escape, Answer::Cancel)]);
}

#[test]
fn the_tab_key_reaches_every_answer() {
    for (tabs, answer) in
        [Answer::SaveAs, Answer::LoadTheirs, Answer::Overwrite, Answer::Cancel].into_iter().enumerate()
    {
        let mut harness = asking(changed());
        for _ in 0..tabs {
            harness.key_press(Key::Tab);
            harness.run();
        }
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state().commands, [Command::Answer(answer)], "after {tabs} tabs");
    }
}

#[test]
fn nothing_under_a_question_can_be_operated() {
    let mut harness = asking(quit());
    let before = harness.state().session.edits.clone();
    for key in [Key::M, Key::R, Key::Space] {
        harness.key_press_modifiers(Modifiers::COMMAND, key);
        harness.run();
    }
    let slider = at(&harness, "jawOpen", 0.25);
    drag(&mut harness, slider, slider + Vec2::X * 60.0, Modifiers::NONE);
    assert_eq!(harness.state().session.edits, before);
    assert!(!harness.state().commands.contains(&Command::SaveProject));
    harness.state_mut().commands.clear();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Q);
    harness.run();
    assert_eq!(harness.state().commands, [Command::Quit], "what kept the work from being written may be gone");
}

#[test]
fn a_question_fits_a_small_window_and_says_why_the_last_save_failed() {
    let failure = "/projects/a folder with a long name/walk.smirk: cannot be saved: Read-only file system (os error 30). What was \
                   there is unchanged; save it under another name";
    let mut app = App::new(head());
    let Prompt::Quit { name, problem, .. } = quit() else { unreachable!() };
    app.prompt = Some(Prompt::Quit { name, project: None, problem, failure: Some(failure.into()) });
    let harness = window_of(Vec2::new(640.0, 400.0), app);
    harness.get_by_label(failure);
    for label in ["Quit without saving walk?", "Save as…", "Stay"] {
        let rect = harness.get_by_label(label).rect();
        assert!(rect.min.y > 0.0 && rect.max.y < 400.0 && rect.min.x > 0.0 && rect.max.x < 640.0, "{label}: {rect}");
    }
}

#[test]
fn the_top_row_says_what_became_of_the_project_file() {
    let mut harness = window(head());
    for (state, label) in [(FileState::Changed, "changed on disk"), (FileState::Missing, "deleted on disk")] {
        assert!(harness.query_by_label(label).is_none());
        harness.state_mut().document =
            DocumentStatus { project: Some("walk".into()), file_state: state, ..DocumentStatus::default() };
        harness.run();
        harness.get_by_label(label).click();
        harness.run();
        assert_eq!(harness.state().commands.last(), Some(&Command::ResolveFileChange));
    }
}

#[test]
fn what_opening_asks_is_answered_by_what_is_loaded() {
    let requests = [Some(Content::Frames), None].map(|content| LoadRequest::File("/caches/talk.glb".into(), content));
    let choice = |label: &'static str, at: usize| OpenChoice {
        label: label.into(),
        explanation: "…".into(),
        request: requests[at].clone(),
    };
    let prompt = Prompt::Open(OpenQuestion {
        title: "Open talk.glb?".into(),
        text: "It has the vertices of the head that is open.".into(),
        choices: vec![choice("Solve its weights", 0), choice("Open", 1)],
    });
    let harness = asking(prompt.clone());
    harness.get_by_label("Open talk.glb?");
    harness.get_by_label("It has the vertices of the head that is open.");
    for (label, request) in ["Solve its weights", "Open"].iter().zip(&requests) {
        let mut harness = asking(prompt.clone());
        harness.get_by_label(label).click();
        harness.run();
        assert_eq!(harness.state().commands, [Command::Load(Box::new(request.clone()))], "{label}");
    }
    assert_answers(&prompt, &[("Cancel", Answer::Cancel)]);
    assert_keys(&prompt, &[(Key::Escape, Answer::Cancel)]);
    let mut harness = asking(prompt);
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().commands, [Command::Load(Box::new(requests[0].clone()))]);
}

#[test]
fn opening_another_head_asks_what_becomes_of_the_work() {
    let prompt = Prompt::OpenHead {
        name: "ada.glb".into(),
        work: vec!["12 keys".into(), "a sound".into()],
        project: Some("walk".into()),
        is_unsaved: true,
    };
    for size in [Vec2::new(1600.0, 1000.0), Vec2::new(640.0, 400.0)] {
        let mut app = App::new(head());
        app.prompt = Some(prompt.clone());
        let harness = window_of(size, app);
        harness.get_by_label("Open ada.glb");
        harness.get_by_label_contains("There is work of walk in the window: 12 keys, a sound. Unsaved work is kept");
    }
    let answers = [("Start anew", Answer::StartAnew), ("Keep the work", Answer::KeepWork), ("Cancel", Answer::Cancel)];
    assert_answers(&prompt, &answers);
    assert_keys(&prompt, &[(Key::Enter, Answer::StartAnew), (Key::Escape, Answer::Cancel)]);
}
