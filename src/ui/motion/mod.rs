//! The Motion page: live capture, takes and their edits, the sound, the voice, the turns of head and eyes, the
//! sequence, blinking, gaze and the blend rule.

mod automatic;
mod edits;
mod head_and_eyes;
mod live;
mod mapping;
mod markers;
mod sequence;
mod sound;
mod takes;
mod voice;

pub(crate) use sound::{sound_button_ui, sound_button_width};

use smirk_face::motion::BlendRule;
use smirk_session::Session;

use crate::context::PanelContext;
use crate::theme;
use crate::widgets::{checkbox_ui, radio_ui, text, title_ui};

#[derive(Debug, Default)]
pub(crate) struct MotionPage {
    live: live::LiveSection,
    take_mapping: mapping::MappingList,
}

impl MotionPage {
    pub(crate) fn show_ui(&mut self, ui: &mut egui::Ui, cx: &mut PanelContext<'_>) {
        self.live.show_ui(ui, cx);
        ui.add_space(theme::GAP_LARGE);
        takes::takes_ui(ui, cx, &mut self.take_mapping);
        ui.add_space(theme::GAP_LARGE);
        sound::sound_ui(ui, cx);
        markers::markers_ui(ui, cx);
        ui.add_space(theme::GAP_LARGE);
        voice::voice_ui(ui, cx);
        ui.add_space(theme::GAP_LARGE);
        head_and_eyes::head_and_eyes_ui(ui, cx.session);
        ui.add_space(theme::GAP_LARGE);
        sequence::sequence_ui(ui, cx.session);
        ui.add_space(theme::GAP_LARGE);
        automatic::blink_ui(ui, cx);
        ui.add_space(theme::GAP_LARGE);
        automatic::gaze_ui(ui, cx.session);
        ui.add_space(theme::GAP_LARGE);
        rule_ui(ui, cx.session);
        correctives_ui(ui, cx.session);
        ui.add_space(theme::GAP_LARGE);
        self.live.sending_ui(ui, cx);
    }
}

fn rule_ui(ui: &mut egui::Ui, session: &mut Session) {
    title_ui(ui, "Blend rule", |_| {});
    for &rule in BlendRule::ALL {
        if radio_ui(ui, session.edits.rule == rule, rule.label()).clicked() {
            session.edits.rule = rule;
        }
        ui.indent(rule.label(), |ui| ui.weak(explanation(rule)));
    }
}

fn correctives_ui(ui: &mut egui::Ui, session: &mut Session) {
    let count = session.head.correctives.driven().count();
    if count == 0 {
        return;
    }
    ui.add_space(theme::GAP);
    title_ui(ui, "Correctives", |_| {});
    let tip = "Off: the targets of correctives are like all others, and at rest unless something moves them";
    let label = format!("Play {}", text::counted(count, "corrective"));
    checkbox_ui(ui, &mut session.edits.plays_correctives, label).on_hover_text(tip);
    ui.indent("correctives", |ui| ui.weak("Targets whose weight follows from others, as declared beside the head."));
}

fn explanation(rule: BlendRule) -> &'static str {
    match rule {
        BlendRule::Additive => "Every channel adds its full movement, as glTF specifies.",
        BlendRule::Normalised => "Weights that add up to more than 1 are scaled down, so that mixes never overshoot.",
    }
}
