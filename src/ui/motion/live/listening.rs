//! Listening: the ports, the sender that is used, the phone that is asked to send, and the state of the stream.

use std::time::{Instant, SystemTime};

use egui::{Align, CollapsingHeader, DragValue, Layout, RichText, TextEdit, vec2};

use smirk_base::date::clock_time;
use smirk_files::live::{LiveStatus, Protocol, SenderId, SenderStatus};
use smirk_session::{FixedSender, LiveSetup, Session};

use super::small_ui;
use crate::context::PanelContext;
use crate::live::{LiveState, SILENT_AFTER};
use crate::theme;
use crate::widgets::text::short_take_name;
use crate::widgets::{NumberField, checkbox_ui, choice_ui, close_row_ui, list_button_ui, names_ui, text};

/// Width of the names of the rows, so that all buttons begin at one place.
const NAME_WIDTH: f32 = 56.0;

pub(super) fn listening_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>, typed_phone: &mut Option<String>) {
    let LiveState { setup, view, .. } = &mut cx.state.live;
    network_ui(ui, setup);
    if let Some(problem) = &view.problem {
        small_ui(ui, problem, theme::ERROR);
    }
    ports_ui(ui, setup, view.status.as_ref());
    if let Some(status) = &view.status {
        heard_ui(ui, setup, status);
    }
    phone_ui(ui, setup, typed_phone);
}

fn network_ui(ui: &mut egui::Ui, setup: &mut LiveSetup) {
    let allows = &mut setup.allows_network;
    checkbox_ui(ui, allows, "Allow other machines").accessible_name("Allow other machines");
    let meaning = if *allows {
        "Everyone in your network can send a face to these ports while Smirk listens, and sees that they are open. Nothing else can be \
         done through them."
    } else {
        "Only programs on this machine are heard. A phone needs this allowed."
    };
    small_ui(ui, meaning, theme::TEXT_WEAK);
}

fn ports_ui(ui: &mut egui::Ui, setup: &mut LiveSetup, status: Option<&LiveStatus>) {
    let title = match status {
        None => "Ports".to_owned(),
        Some(status) => {
            let ip = status.listening.first().map(|socket| socket.address_to_type().ip().to_string());
            let ports = text::counted(status.listening.len(), "port");
            format!("Listening at {}, {ports}", ip.unwrap_or_default())
        }
    };
    CollapsingHeader::new(title).id_salt("live ports").show(ui, |ui| {
        for port in &mut setup.ports {
            ui.horizontal(|ui| {
                let name = format!("{}, {}", port.protocol.name(), port.transport.name());
                checkbox_ui(ui, &mut port.is_on, &name).on_hover_text("Listen for it");
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let number = DragValue::new(&mut port.port).range(LiveSetup::LOWEST_PORT..=u16::MAX).speed(0.2);
                    let number = ui.add(NumberField(number)).accessible_name(format!("Port of {name}"));
                    number.on_hover_text("The port to type into the app");
                });
            });
        }
    });
    for failure in status.iter().flat_map(|status| &status.failures) {
        small_ui(ui, text::shown_message(&failure.to_string()), theme::WARNING);
    }
}

/// The choice of the sender: the first that sends, or a particular one.
fn heard_ui(ui: &mut egui::Ui, setup: &mut LiveSetup, status: &LiveStatus) {
    row_ui(ui, "Hear", |ui| {
        let chosen = &mut setup.sender;
        let shown = chosen.as_ref().map_or_else(|| "Whoever sends first".to_owned(), fixed_name);
        let response = list_button_ui(ui, ui.available_width(), &shown, |ui| {
            ui.set_width(280.0);
            if choice_ui(ui, chosen.is_none(), "Whoever sends first") {
                *chosen = None;
            }
            for sender in &status.senders {
                let fixed = fixed(&sender.id);
                if choice_ui(ui, chosen.as_ref() == Some(&fixed), fixed_name(&fixed)) {
                    *chosen = Some(fixed);
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
fn phone_ui(ui: &mut egui::Ui, setup: &mut LiveSetup, typed_phone: &mut Option<String>) {
    row_ui(ui, "Phone", |ui| {
        let mut typed = typed_phone.take().unwrap_or_else(|| setup.phone.clone());
        let apps = Protocol::ALL.iter().copied().filter(|protocol| protocol.phone_port().is_some());
        let field = TextEdit::singleline(&mut typed)
            .hint_text("Address")
            .min_size(vec2(0.0, theme::BAR_HEIGHT))
            .desired_width(ui.available_width() - 116.0);
        let field = ui.add(field).accessible_name("Address of the phone");
        let field =
            field.on_hover_text("iFacialMocap and VTube Studio send after they were asked. Nothing is sent elsewhere");
        if field.has_focus() {
            *typed_phone = Some(typed);
        } else if field.lost_focus() {
            setup.phone = typed.trim().to_owned();
        }
        let response = list_button_ui(ui, ui.available_width(), setup.phone_protocol.name(), |ui| {
            for protocol in apps {
                if choice_ui(ui, setup.phone_protocol == protocol, protocol.name()) {
                    setup.phone_protocol = protocol;
                }
            }
        });
        response.on_hover_text("The app on the phone");
    });
    let phone = setup.phone.as_str();
    if !phone.is_empty() && setup.phone_address().is_none() {
        let problem = format!("“{}” is no address such as 192.168.0.12; the app shows it", text::shown(phone));
        small_ui(ui, problem, theme::WARNING);
    }
}

fn row_ui(ui: &mut egui::Ui, name: &str, right: impl FnOnce(&mut egui::Ui)) {
    close_row_ui(ui, |ui| {
        ui.allocate_ui_with_layout(vec2(NAME_WIDTH, theme::BAR_HEIGHT), Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_width(NAME_WIDTH);
            ui.label(name);
        });
        right(ui);
    });
}

pub(super) fn arriving_ui(ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
    let Some(status) = &cx.state.live.view.status else { return };
    let session = &mut *cx.session;
    match status.senders.iter().find(|sender| sender.is_heard) {
        Some(sender) => {
            sender_ui(ui, sender);
            held_back_ui(ui, session);
            if let (Some(map), Some(columns)) = (session.live_map(), session.live_columns()) {
                names_ui(ui, "unmapped name", &map.unmapped_names(columns.iter().map(String::as_str)));
                names_ui(ui, "name between opposites", &map.opposites(&session.head));
                names_ui(ui, "approximate name", &map.approximate(&session.head));
            }
        }
        None => {
            ui.weak("Nothing arrives yet. Let the app send to the address above.");
        }
    }
    others_ui(ui, status);
}

fn sender_ui(ui: &mut egui::Ui, sender: &SenderStatus) {
    let now = Instant::now();
    let age = sender.age(now);
    let is_silent = age.is_none_or(|age| age > SILENT_AFTER);
    let subject = if sender.id.subject.is_empty() { "A sender" } else { &sender.id.subject };
    let name = format!("{} · {}", text::shown(subject), sender.id.protocol.name());
    let (mark, color) = match (is_silent, sender.is_tracked) {
        (true, _) => ("silent", theme::ERROR),
        (false, false) => ("no face", theme::WARNING),
        (false, true) => ("live", theme::GOOD),
    };
    ui.horizontal(|ui| {
        ui.colored_label(color, RichText::new(mark).strong());
        ui.add(egui::Label::new(name).truncate().show_tooltip_when_elided(false))
            .on_hover_text(sender.id.address.to_string());
    });
    let numbers = match age {
        None => "no frame yet".to_owned(),
        Some(age) if is_silent => {
            let last = SystemTime::now().checked_sub(age).map_or_else(String::new, clock_time);
            format!("silent since {last}, after {}", text::counted(sender.frames as usize, "frame"))
        }
        Some(age) => format!(
            "{:.0} frames per second, {:.1} % lost, last {} ms ago",
            sender.frames_per_sec,
            100.0 * sender.loss(),
            age.as_millis()
        ),
    };
    small_ui(ui, numbers, theme::TEXT_WEAK);
    if !is_silent && !sender.is_tracked {
        small_ui(ui, "The app sees no face: it is held, then fades to neutral.", theme::WARNING);
    }
}

/// Why the live face is not on the face, and a button that shows it there.
fn held_back_ui(ui: &mut egui::Ui, session: &mut Session) {
    if session.live_drives() {
        return;
    }
    let why = match session.take() {
        Some(entry) => format!("Not on the face: the take {} plays", short_take_name(session, entry)),
        None => "Not on the face".to_owned(),
    };
    small_ui(ui, text::shown(&why), theme::WARNING);
    if ui.button("Show it on the face").clicked() {
        session.set_live_drives(true);
    }
}

fn others_ui(ui: &mut egui::Ui, status: &LiveStatus) {
    let others = status.senders.iter().filter(|sender| !sender.is_heard && sender.frames > 0).count();
    if others > 0 {
        let verb = if others == 1 { "sends" } else { "send" };
        let line = format!(
            "{} {verb} too and {} not heard",
            text::counted(others, "other"),
            if others == 1 { "is" } else { "are" }
        );
        small_ui(ui, line, theme::TEXT_WEAK);
    }
    let refused: u64 = status.senders.iter().map(|sender| sender.refused_packets).sum();
    let last = status.senders.iter().filter_map(|sender| sender.last_refusal.as_ref()).next_back();
    if let Some(last) = last.filter(|_| refused > 0) {
        let line = format!("{} refused: {}", text::counted(refused as usize, "packet"), last);
        small_ui(ui, text::shown_message(&line), theme::WARNING);
    }
}
