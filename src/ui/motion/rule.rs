//! How the weights of several channels are combined, and whether correctives play.

use crate::theme;
use crate::widgets::{text, title_ui};
use smirk_editor::session::Session;
use smirk_face::motion::BlendRule;

/// Shows the choice of the rule, with an explanation of each.
pub(super) fn rule_ui(ui: &mut egui::Ui, session: &mut Session) {
    title_ui(ui, "Blend rule", |_| {});
    for rule in BlendRule::ALL {
        ui.radio_value(&mut session.edits.rule, rule, rule.label());
        ui.indent(rule.label(), |ui| ui.weak(explanation(rule)));
    }
}

/// Shows the switch of the correctives, for a head that has some.
pub(super) fn correctives_ui(ui: &mut egui::Ui, session: &mut Session) {
    let count = session.head.correctives.driven().count();
    if count == 0 {
        return;
    }
    ui.add_space(theme::GAP);
    title_ui(ui, "Correctives", |_| {});
    let tip = "Off: the targets of correctives are like all others, and at rest unless something moves them";
    let label = format!("Play {}", text::counted(count, "corrective"));
    ui.checkbox(&mut session.edits.plays_correctives, label).on_hover_text(tip);
    ui.indent("correctives", |ui| ui.weak("Targets whose weight follows from others, as declared beside the head."));
}

fn explanation(rule: BlendRule) -> &'static str {
    match rule {
        BlendRule::Additive => "Every channel adds its full movement, as glTF specifies.",
        BlendRule::Normalised => "Weights that add up to more than 1 are scaled down, so that mixes never overshoot.",
    }
}
