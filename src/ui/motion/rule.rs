//! What several expressions at once add up to.

use crate::motion::BlendRule;
use crate::session::Session;
use crate::ui::widgets::title_ui;

/// The choice and a line on each.
pub fn rule_ui(ui: &mut egui::Ui, session: &mut Session) {
    title_ui(ui, "Blend rule", |_| {});
    for rule in BlendRule::ALL {
        ui.radio_value(&mut session.edits.rule, rule, rule.label());
        ui.indent(rule.label(), |ui| ui.weak(explanation(rule)));
    }
}

fn explanation(rule: BlendRule) -> &'static str {
    match rule {
        BlendRule::Additive => "Every expression adds its full movement, as glTF says.",
        BlendRule::Normalised => "Weights that sum up to more than 1 share it: mixes never overshoot.",
    }
}
