//! Where Smirk listens, whom it hears, and which phone it asks.

use egui::containers::menu::MenuButton;
use egui::{Align, Button, CollapsingHeader, DragValue, Label, Layout, RichText, TextEdit, vec2};

use super::{LivePanel, LiveView};
use crate::theme;
use crate::widgets::text;
use smirk_editor::session::{FixedSender, LiveSetup};
use smirk_files::live::{LiveStatus, Protocol, SenderId};

/// Width of the names of the rows, so that all buttons begin at one place.
const NAME_WIDTH: f32 = 56.0;

/// Shows the rows.
pub(super) fn listening_ui(ui: &mut egui::Ui, panel: &mut LivePanel, view: &LiveView) {
    network_ui(ui, panel);
    if let Some(problem) = &view.problem {
        wrapped_ui(ui, RichText::new(problem.as_str()).color(theme::ERROR));
    }
    ports_ui(ui, panel, view.status.as_ref());
    if let Some(status) = &view.status {
        sender_ui(ui, panel, status);
    }
    phone_ui(ui, panel);
}

/// A text of several lines.
pub(super) fn wrapped_ui(ui: &mut egui::Ui, text: RichText) {
    ui.add(Label::new(text.small()).wrap());
}

fn network_ui(ui: &mut egui::Ui, panel: &mut LivePanel) {
    let allows = &mut panel.setup.allows_network;
    ui.checkbox(allows, "Allow other machines").accessible_name("Allow other machines");
    let meaning = if *allows {
        "Everyone in your network can send a face to these ports while Smirk listens, and sees that they are open. Nothing else can be \
         done through them."
    } else {
        "Only programs on this machine are heard. A phone needs this allowed."
    };
    wrapped_ui(ui, RichText::new(meaning).color(theme::TEXT_WEAK));
}

/// The address to type into the apps, and the ports.
fn ports_ui(ui: &mut egui::Ui, panel: &mut LivePanel, status: Option<&LiveStatus>) {
    let title = status.map_or_else(
        || "Ports".to_owned(),
        |status| {
            let ip = status.listening.first().map(|socket| socket.address_to_type().ip().to_string());
            let ports = text::counted(status.listening.len(), "port");
            format!("Listening at {}, {ports}", ip.unwrap_or_default())
        },
    );
    CollapsingHeader::new(title).id_salt("live ports").show(ui, |ui| {
        for port in &mut panel.setup.ports {
            ui.horizontal(|ui| {
                let name = format!("{}, {}", port.protocol.name(), port.transport.name());
                ui.checkbox(&mut port.is_on, &name).on_hover_text("Listen for it");
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let number = DragValue::new(&mut port.port).range(LiveSetup::LOWEST_PORT..=u16::MAX).speed(0.2);
                    let number = ui.add(number.update_while_editing(false)).accessible_name(format!("Port of {name}"));
                    number.on_hover_text("The port to type into the app");
                });
            });
        }
    });
    for failure in status.iter().flat_map(|status| &status.failures) {
        wrapped_ui(ui, RichText::new(text::shown_message(&failure.to_string())).color(theme::WARNING));
    }
}

/// Who is heard: whoever sends, or one of those who do.
fn sender_ui(ui: &mut egui::Ui, panel: &mut LivePanel, status: &LiveStatus) {
    row_ui(ui, "Hear", |ui| {
        let chosen = &mut panel.setup.sender;
        let shown = chosen.as_ref().map_or_else(|| "Whoever sends first".to_owned(), fixed_name);
        let width = ui.available_width();
        let shown = text::elide_middle(ui.painter(), &shown, &theme::body_font(), width - 2.0 * theme::GAP);
        let button = Button::new(shown).min_size(vec2(width, theme::BAR_HEIGHT));
        let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
            ui.set_width(280.0);
            if ui.selectable_label(chosen.is_none(), "Whoever sends first").clicked() {
                *chosen = None;
                ui.close();
            }
            for sender in &status.senders {
                let fixed = fixed(&sender.id);
                if ui.selectable_label(chosen.as_ref() == Some(&fixed), fixed_name(&fixed)).clicked() {
                    *chosen = Some(fixed);
                    ui.close();
                }
            }
        });
        let tip = "Hear this sender only, also when others send";
        response.on_hover_text(tip).accessible_name("Sender that is heard");
    });
}

fn fixed(id: &SenderId) -> FixedSender {
    FixedSender { protocol: id.protocol, address: id.address.ip(), subject: id.subject.to_string() }
}

fn fixed_name(sender: &FixedSender) -> String {
    let subject = if sender.subject.is_empty() { "a sender" } else { sender.subject.as_str() };
    format!("{}, {} at {}", text::shown(subject), sender.protocol.name(), sender.address)
}

/// The phone that is asked to send. It is asked once its address is complete.
fn phone_ui(ui: &mut egui::Ui, panel: &mut LivePanel) {
    row_ui(ui, "Phone", |ui| {
        let setup = &mut panel.setup;
        let mut typed = panel.typed_phone.take().unwrap_or_else(|| setup.phone.clone());
        let apps = Protocol::ALL.into_iter().filter(|protocol| protocol.phone_port().is_some());
        let field = TextEdit::singleline(&mut typed)
            .hint_text("Address")
            .min_size(vec2(0.0, theme::BAR_HEIGHT))
            .desired_width(ui.available_width() - 116.0);
        let field = ui.add(field).accessible_name("Address of the phone");
        let field =
            field.on_hover_text("iFacialMocap and VTube Studio send after they were asked. Nothing is sent elsewhere");
        if field.has_focus() {
            panel.typed_phone = Some(typed);
        } else if field.lost_focus() {
            setup.phone = typed.trim().to_owned();
        }
        let name = setup.phone_protocol.name();
        let button = Button::new(name).min_size(vec2(ui.available_width(), theme::BAR_HEIGHT));
        let (response, _) = MenuButton::from_button(button).ui(ui, |ui| {
            for protocol in apps {
                if ui.selectable_label(setup.phone_protocol == protocol, protocol.name()).clicked() {
                    setup.phone_protocol = protocol;
                    ui.close();
                }
            }
        });
        response.on_hover_text("The app on the phone");
    });
    let phone = panel.setup.phone.as_str();
    if !phone.is_empty() && panel.setup.phone_address().is_none() {
        let problem = format!("“{}” is no address such as 192.168.0.12; the app shows it", text::shown(phone));
        wrapped_ui(ui, RichText::new(problem).color(theme::WARNING));
    }
}

fn row_ui(ui: &mut egui::Ui, name: &str, right: impl FnOnce(&mut egui::Ui)) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme::GAP_SMALL;
        ui.allocate_ui_with_layout(vec2(NAME_WIDTH, theme::BAR_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAME_WIDTH);
            ui.label(name);
        });
        right(ui);
    });
}
