//! Text that fits the space it has, and counted nouns.

use egui::{Color32, FontId, Painter};

use crate::names::elide_middle_until;

/// `text` if it is at most `width` points wide; otherwise shortened in its middle, where names differ least.
pub(crate) fn elide_middle(painter: &Painter, text: &str, font: &FontId, width: f32) -> String {
    elide_middle_until(text, |text| {
        painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x <= width
    })
}

/// A count and its noun: `1 pose`, `2 poses`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
