//! What the pointer is told about an expression: what it means, what it moves, what it holds back.

use crate::head::{Expression, Head, Override};

/// Rows beyond this would make the tip taller than the list.
const MOST_NAMES: usize = 10;

/// Nobody reads on, and every frame would.
const MOST_BINDS: usize = 1000;

/// Everything but the layers.
pub fn expression_ui(ui: &mut egui::Ui, head: &Head, expression: &Expression) {
    ui.strong(match expression.preset.map(|preset| preset.name()) {
        Some(preset) if preset != expression.name => format!("{} (VRM's {preset})", expression.name),
        _ => expression.name.clone(),
    });
    if expression.binds.is_empty() {
        ui.label("Moves nothing");
    }
    let names = names(head, expression);
    for (name, weight) in names.iter().take(MOST_NAMES) {
        ui.label(format!("Moves {name} by {weight:.2}"));
    }
    if names.len() > MOST_NAMES {
        ui.label(format!("and {} more", names.len() - MOST_NAMES));
    }
    if expression.is_binary {
        ui.label("On above 0.5, off below: nothing between");
    }
    for (what, by) in [
        ("blinks", expression.override_blink),
        ("the gaze", expression.override_look_at),
        ("speech", expression.override_mouth),
    ] {
        match by {
            Override::None => {}
            Override::Block => drop(ui.label(format!("Stops {what}"))),
            Override::Blend => drop(ui.label(format!("Fades {what} out as it comes"))),
        }
    }
}

/// What it moves by which weight, once for all meshes that move alike.
fn names<'h>(head: &'h Head, expression: &Expression) -> Vec<(&'h str, f32)> {
    let mut names = Vec::new();
    for bind in expression.binds.iter().take(MOST_BINDS) {
        let named = head.target(bind.target).map(|(_, target)| (target.name.as_str(), bind.weight));
        names.extend(named.filter(|named| !names.contains(named)));
    }
    names
}
