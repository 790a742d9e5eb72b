//! How the weights of several channels are combined.

use crate::motion::BlendRule;
use crate::session::Session;
use crate::ui::widgets::title_ui;

/// Shows the choice of the rule, with an explanation of each.
pub(super) fn rule_ui(ui: &mut egui::Ui, session: &mut Session) {
    title_ui(ui, "Blend rule", |_| {});
    for rule in BlendRule::ALL {
        ui.radio_value(&mut session.edits.rule, rule, rule.label());
        ui.indent(rule.label(), |ui| ui.weak(explanation(rule)));
    }
}

fn explanation(rule: BlendRule) -> &'static str {
    match rule {
        BlendRule::Additive => "Every channel adds its full movement, as glTF specifies.",
        BlendRule::Normalised => "Weights that add up to more than 1 are scaled down, so that mixes never overshoot.",
    }
}
