//! Text that must fit.

use egui::{Color32, FontId, Painter};

use crate::elide::elide_middle_until;

/// `text` if it is at most `width` points wide; otherwise with its middle left out, where names differ least.
pub fn elide_middle(painter: &Painter, text: &str, font: &FontId, width: f32) -> String {
    elide_middle_until(text, |text| {
        painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x <= width
    })
}
