//! Questions that have to be answered before anything else: each covers the window until one of its buttons is chosen.

use std::borrow::Cow;

use egui::{Align, Button, Id, Key, Label, Layout, Modal, Modifiers, RichText, vec2};

use smirk_editor::document::Found;

use crate::command::{Answer, Command};
use crate::context::PanelContext;
use crate::readings::Prompt;
use crate::theme;
use crate::widgets::text;

/// A button and what it does, in a few words.
struct Choice {
    label: Cow<'static, str>,
    explanation: String,
    command: Command,
}

impl Choice {
    fn new(label: &'static str, explanation: impl Into<String>, answer: Answer) -> Self {
        Self { label: label.into(), explanation: explanation.into(), command: Command::Answer(answer) }
    }
}

impl Prompt {
    fn title(&self) -> String {
        match self {
            Self::Quit { name, .. } => format!("Quit without saving {name}?"),
            Self::SavedElsewhere { .. } => "Saved".into(),
            Self::ChangedOnDisk { file, found: Found::Unreadable, .. } => format!("{} cannot be read", file_name(file)),
            Self::ChangedOnDisk { file, .. } => format!("{} has changed on disk", file_name(file)),
            Self::Open(question) => question.title.clone(),
            Self::OpenHead { name, .. } => format!("Open {}", text::shown(name)),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Quit { problem: None, project, .. } => {
                let kept = "Your work is kept on this computer: the next start goes on with it";
                match project {
                    Some(file) => format!("{kept}. {} stays as it was saved last.", file_name(file)),
                    None => format!("{kept}. It was never saved as a project."),
                }
            }
            Self::Quit { problem: Some(problem), .. } => {
                format!("{problem}. It would not be there at the next start.")
            }
            Self::SavedElsewhere { file } => {
                format!("This system has no file dialog. The project was saved to {}", file.display())
            }
            Self::ChangedOnDisk { found: Found::Unreadable, .. } => {
                "It is not the file that was opened or saved here.".into()
            }
            Self::ChangedOnDisk { .. } => {
                "Another window or program has saved it since it was opened or saved here.".into()
            }
            Self::Open(question) => question.text.clone(),
            Self::OpenHead { work, project, is_unsaved, .. } => {
                let of = project.as_ref().map_or(String::new(), |project| format!(" of {}", text::shown(project)));
                let kept = match (project, is_unsaved) {
                    (Some(_), false) => "The project stays as it was saved",
                    (_, true) => "Unsaved work is kept under File › Recover work…",
                    (None, false) => "It is saved nowhere",
                };
                format!("There is work{of} in the window: {}. {kept}, and Ctrl+Z goes back to it.", work.join(", "))
            }
        }
    }

    fn failure(&self) -> Option<&str> {
        match self {
            Self::Quit { failure, .. } | Self::ChangedOnDisk { failure, .. } => failure.as_deref(),
            Self::SavedElsewhere { .. } | Self::Open(_) | Self::OpenHead { .. } => None,
        }
    }

    fn choices(&self) -> Vec<Choice> {
        match self {
            Self::Quit { problem: None, project, .. } => {
                let save = if project.is_some() { "Save" } else { "Save as…" };
                vec![
                    Choice::new("Quit", "Go on at the next start", Answer::Quit),
                    Choice::new(save, "Save the project, then quit", Answer::Save),
                ]
            }
            Self::Quit { .. } => vec![
                Choice::new("Save as…", "Save the project, then quit", Answer::SaveAs),
                Choice::new("Quit anyway", "Your unsaved work is lost", Answer::Quit),
            ],
            Self::Open(question) => {
                let choices = question.choices.iter().map(|choice| Choice {
                    label: choice.label.clone(),
                    explanation: choice.explanation.clone(),
                    command: Command::Load(Box::new(choice.request.clone())),
                });
                choices.collect()
            }
            Self::OpenHead { .. } => vec![
                Choice::new("Start anew", "The new head alone, without keys, takes and project", Answer::StartAnew),
                Choice::new(
                    "Keep the work",
                    "What plays goes along to the new head, by channel names",
                    Answer::KeepWork,
                ),
            ],
            Self::SavedElsewhere { .. } => vec![Choice::new("Quit", "Nothing is unsaved", Answer::Quit)],
            Self::ChangedOnDisk { file, .. } => {
                let backup = format!("Replace it with your work. Theirs becomes {}.bak", file_name(file));
                vec![
                    Choice::new("Keep mine as…", "Save your work under another name", Answer::SaveAs),
                    Choice::new("Load theirs", "Open the file. Your unsaved work can be restored", Answer::LoadTheirs),
                    Choice::new("Overwrite", backup, Answer::Overwrite),
                ]
            }
        }
    }

    /// The answer that loses nothing, for a question that cannot be shown. Quitting with work that is kept is one:
    /// otherwise the window could not be closed.
    pub(crate) fn harmless_answer(&self) -> Answer {
        if matches!(self, Self::Quit { problem: None, .. }) { Answer::Quit } else { Answer::Cancel }
    }

    /// The text of the button that changes nothing, which Escape chooses too.
    fn cancel_label(&self) -> &'static str {
        match self {
            Self::Quit { .. } | Self::SavedElsewhere { .. } => "Stay",
            Self::ChangedOnDisk { .. } | Self::Open(_) | Self::OpenHead { .. } => "Cancel",
        }
    }
}

fn file_name(file: &std::path::Path) -> String {
    file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

pub(crate) fn prompt_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let Some(prompt) = cx.readings.prompt else { return };
    let mut chosen = None;
    let frame = theme::card().inner_margin(20);
    let modal = Modal::new(Id::unique("prompt")).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(520.0);
        ui.add(Label::new(RichText::new(prompt.title()).heading().color(theme::TEXT)).wrap());
        ui.add_space(theme::GAP);
        ui.add(Label::new(prompt.text()).selectable(true).wrap());
        if let Some(failure) = prompt.failure() {
            ui.add_space(theme::GAP_SMALL);
            ui.add(Label::new(RichText::new(failure).color(theme::ERROR)).selectable(true).wrap());
        }
        ui.add_space(theme::GAP_LARGE);
        let mut buttons = Vec::new();
        for (index, choice) in prompt.choices().into_iter().enumerate() {
            ui.horizontal(|ui| {
                let mut button = Button::new(choice.label.as_ref()).min_size(vec2(128.0, theme::BAR_HEIGHT));
                if index == 0 {
                    button = button.fill(theme::ACCENT);
                }
                let response = ui.add(button);
                if response.clicked() {
                    chosen = Some(choice.command);
                }
                buttons.push(response);
                ui.add(Label::new(RichText::new(choice.explanation).color(theme::TEXT_WEAK)).truncate());
            });
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let cancel = ui.add(Button::new(prompt.cancel_label()).min_size(vec2(72.0, theme::BAR_HEIGHT)));
            if cancel.clicked() {
                chosen = Some(Command::Answer(Answer::Cancel));
            }
            buttons.push(cancel);
        });
        // One of the buttons always has the keyboard focus, so that Enter chooses it; at first it is the first.
        if !buttons.iter().any(egui::Response::has_focus)
            && let Some(first) = buttons.first()
        {
            first.request_focus();
        }
    });
    if modal.should_close() || ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        chosen = Some(Command::Answer(Answer::Cancel));
    }
    cx.commands.extend(chosen);
}
