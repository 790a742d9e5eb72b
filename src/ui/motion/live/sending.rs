//! Sending on what is on the face.

use std::net::SocketAddr;

use egui::{TextEdit, vec2};

use smirk_files::live::SendFormat;

use super::small_ui;
use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{checkbox_ui, choice_ui, close_row_ui, list_button_ui, text, title_ui};

pub(super) fn sending_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, typed_to: &mut Option<String>) {
    let live = &mut cx.state.live;
    title_ui(ui, "Send on", |ui| {
        let send = checkbox_ui(ui, &mut live.sends, "Send").accessible_name("Send the face on");
        send.on_hover_text("Send what is on the face, live, take or keys, after all edits, to another program");
    });
    let setup = &mut live.setup.send;
    close_row_ui(ui, |ui| {
        let response = list_button_ui(ui, 120.0, setup.format.name(), |ui| {
            for &format in SendFormat::ALL {
                if choice_ui(ui, setup.format == format, format.name()) {
                    // The address keeps its machine, and gets the port of the form.
                    if let Ok(to) = setup.to.parse::<SocketAddr>() {
                        setup.to = SocketAddr::new(to.ip(), format.port()).to_string();
                    }
                    setup.format = format;
                }
            }
        });
        response.on_hover_text("The form of the packets").accessible_name("Form of what is sent");
        let mut typed = typed_to.take().unwrap_or_else(|| setup.to.clone());
        let field = TextEdit::singleline(&mut typed)
            .hint_text("127.0.0.1:11111")
            .min_size(vec2(0.0, theme::BAR_HEIGHT))
            .desired_width(ui.available_width() - theme::GAP);
        let field = ui.add(field).accessible_name("Address to send to");
        if field.has_focus() {
            *typed_to = Some(typed);
        } else if field.lost_focus() {
            setup.to = typed.trim().to_owned();
        }
    });
    if setup.to.parse::<SocketAddr>().is_err() {
        let problem = format!(
            "“{}” is no address with a port, such as 127.0.0.1:{}",
            text::shown(&setup.to),
            setup.format.port()
        );
        small_ui(ui, problem, theme::WARNING);
    } else if let Some(problem) = &live.view.send_problem {
        small_ui(ui, text::shown_message(problem), theme::ERROR);
    }
}
