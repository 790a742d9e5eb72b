//! Text that must fit.

use egui::{Color32, FontId, Painter};

/// `text` if it is at most `width` points wide; otherwise with its middle left out, where names differ least.
pub fn elide_middle(painter: &Painter, text: &str, font: &FontId, width: f32) -> String {
    elide_middle_until(text, |text| {
        painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x <= width
    })
}

/// `text` if it fits; otherwise with as little of its middle left out as makes it fit.
pub fn elide_middle_until(text: &str, mut fits: impl FnMut(&str) -> bool) -> String {
    if fits(text) {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    let keep = |count: usize| {
        let head = count.div_ceil(2);
        let tail = letters.len() - (count - head);
        letters[..head].iter().chain(&['…']).chain(&letters[tail..]).collect::<String>()
    };
    let (mut kept, mut too_many) = (0, letters.len());
    while kept + 1 < too_many {
        let count = (kept + too_many) / 2;
        if fits(&keep(count)) { kept = count } else { too_many = count }
    }
    keep(kept)
}
