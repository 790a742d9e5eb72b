//! What the pointer is told about an expression: what it means, what it moves, what it holds back.

use crate::head::{Expression, Head, Override};

/// Rows beyond this would make the tip taller than the list.
const MOST_BINDS: usize = 10;

/// Everything but the layers.
pub fn expression_ui(ui: &mut egui::Ui, head: &Head, expression: &Expression) {
    ui.strong(match expression.preset.map(|preset| preset.name()) {
        Some(preset) if preset != expression.name => format!("{} (VRM's {preset})", expression.name),
        _ => expression.name.clone(),
    });
    if expression.binds.is_empty() {
        ui.label("Moves nothing");
    }
    for bind in expression.binds.iter().take(MOST_BINDS) {
        if let Some((mesh, target)) = head.target(bind.target) {
            ui.label(format!("Moves {} on {} by {:.2}", target.name, mesh.name, bind.weight));
        }
    }
    if let Some(more) = expression.binds.len().checked_sub(MOST_BINDS).filter(|more| *more > 0) {
        ui.label(format!("and {more} more"));
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
            Override::Blend => drop(ui.label(format!("Takes the place of {what} bit by bit"))),
        }
    }
}
