//! The tooltip of an expression: its meaning, its targets and what it overrides.

use crate::widgets::text::shown;
use smirk_face::head::{Expression, Head, Override};

/// The largest number of listed targets; more would make the tooltip taller than the window.
const MOST_NAMES: usize = 10;

/// Binds beyond this number are not listed; the tooltip is built anew every frame.
const MOST_BINDS: usize = 1000;

/// Shows everything about an expression except the layers that set its value.
pub(super) fn expression_ui(ui: &mut egui::Ui, head: &Head, expression: &Expression) {
    ui.strong(match expression.preset.map(|preset| preset.name()) {
        Some(preset) if preset != expression.name => format!("{} (VRM's {preset})", shown(&expression.name)),
        _ => shown(&expression.name).into_owned(),
    });
    if expression.binds.is_empty() {
        ui.label("Moves nothing");
    }
    let names = names(head, expression);
    for (name, weight) in names.iter().take(MOST_NAMES) {
        ui.label(format!("Moves {} by {weight:.2}", shown(name)));
    }
    if names.len() > MOST_NAMES {
        ui.label(format!("and {} more", names.len() - MOST_NAMES));
    }
    if expression.is_binary {
        ui.label("On or off: on above 0.5");
    }
    for (what, by) in [
        ("blinking", expression.override_blink),
        ("gaze", expression.override_look_at),
        ("speech", expression.override_mouth),
    ] {
        match by {
            Override::None => {}
            Override::Block => drop(ui.label(format!("Blocks {what}"))),
            Override::Blend => drop(ui.label(format!("Fades out {what}"))),
        }
    }
}

/// Names and weights of the expression's targets. Equal ones on several meshes are listed once.
fn names<'h>(head: &'h Head, expression: &Expression) -> Vec<(&'h str, f32)> {
    let mut names = Vec::new();
    for bind in expression.binds.iter().take(MOST_BINDS) {
        let named = head.target(bind.target).map(|(_, target)| (target.name.as_str(), bind.weight));
        names.extend(named.filter(|named| !names.contains(named)));
    }
    names
}
