//! What a VRM avatar has to say of itself, asked for before a head that does not say it is saved as one.

use egui::{Button, Id, Key, Modal, Modifiers, TextEdit, vec2};

use crate::command::Command;
use crate::context::PanelContext;
use crate::state::AvatarForm;
use crate::theme;
use crate::widgets::{row_ui, text, wrapped_ui};
use smirk_analysis::mend::{Kind, MakeAvatar, Mend};
use smirk_export::{ExportRequest, not_an_avatar};
use smirk_face::head::{bones_by_name, missing_bones};

/// Asks where to save the head as .vrm; first, if need be, what it has to say of itself.
pub(crate) fn save_as_avatar(cx: &mut PanelContext<'_>) {
    if not_an_avatar(&cx.session.mended_head()).is_none() {
        cx.commands.push(save_command());
        return;
    }
    let said = MakeAvatar::said_by(&cx.session.head);
    let or = |said: String, other: &str| if said.trim().is_empty() { other.to_owned() } else { said };
    cx.state.avatar_form = Some(AvatarForm {
        source: cx.session.source.clone(),
        name: or(said.name, &cx.session.head.name),
        authors: said.authors.join(", "),
        licence: or(said.licence_url, MakeAvatar::LICENCE),
    });
}

fn save_command() -> Command {
    Command::Export(ExportRequest { is_vrm: true, ..ExportRequest::of_head() })
}

/// Shows the questions, if they are asked of the head that is open.
pub(crate) fn form_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let form = cx.state.avatar_form.take();
    let Some(mut form) = form.filter(|form| form.source == cx.session.source) else { return };
    let head = cx.session.head.clone();
    let has_bones = match &head.avatar {
        Some(avatar) => missing_bones(&avatar.bones).is_empty(),
        None => missing_bones(&bones_by_name(&head.rig)).is_empty(),
    };
    let mut is_open = true;
    let modal = Modal::new(Id::unique("avatar")).frame(theme::card().inner_margin(20)).show(ui.ctx(), |ui| {
        ui.set_width(460.0);
        ui.heading("Save head as .vrm");
        ui.add_space(theme::GAP);
        if !has_bones {
            let problem = not_an_avatar(&head).unwrap_or_default();
            let line = format!("{} cannot be a VRM avatar: {problem}.", text::shown(&head.name));
            wrapped_ui(ui, text::shown_message(&line), theme::TEXT);
            ui.add_space(theme::GAP_LARGE);
            is_open = !button_ui(ui, "Close", true, true);
            return;
        }
        wrapped_ui(
            ui,
            "VRM requires a name, an author and a licence. They are kept as a mend of the head.",
            theme::TEXT,
        );
        ui.add_space(theme::GAP);
        let fields = [
            ("Name", "Avatar name", &mut form.name, ""),
            ("Authors", "Avatar authors", &mut form.authors, "Several with commas between them"),
            (
                "Licence",
                "Avatar licence",
                &mut form.licence,
                "The address of its text. That of VRM forbids what is not allowed",
            ),
        ];
        for (label, name, value, tip) in fields {
            row_ui(ui, label, tip, |ui| {
                ui.add(TextEdit::singleline(value).desired_width(340.0)).accessible_name(name);
            });
        }
        ui.add_space(theme::GAP_LARGE);
        ui.horizontal(|ui| {
            let is_whole = [&form.name, &form.authors, &form.licence].iter().all(|text| !text.trim().is_empty());
            if button_ui(ui, "Save…", is_whole, true) {
                set(cx, &form);
                cx.commands.push(save_command());
                is_open = false;
            }
            is_open &= !button_ui(ui, "Cancel", true, false);
        });
    });
    let is_left = modal.should_close() || ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    cx.state.avatar_form = Some(form).filter(|_| is_open && !is_left);
}

fn button_ui(ui: &mut egui::Ui, text: &str, is_enabled: bool, is_first: bool) -> bool {
    let mut button = Button::new(text).min_size(vec2(96.0, theme::BAR_HEIGHT));
    if is_first {
        button = button.fill(theme::ACCENT);
    }
    ui.add_enabled(is_enabled, button).clicked()
}

/// Keeps the answers: in the mend that has those of before, or in a new one.
fn set(cx: &mut PanelContext<'_>, form: &AvatarForm) {
    let authors = form.authors.split(',').map(|author| author.trim().to_owned()).filter(|it| !it.is_empty()).collect();
    let kind = Kind::Avatar(MakeAvatar { name: form.name.clone(), authors, licence_url: form.licence.clone() });
    let mends = &mut cx.session.edits.mends;
    match mends.iter_mut().find(|mend| matches!(mend.kind, Kind::Avatar(_))) {
        Some(mend) => *mend = kind.into(),
        None => {
            mends.truncate(Mend::MOST - 1);
            mends.push(kind.into());
        }
    }
}
