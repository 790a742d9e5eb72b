//! Names and messages as they are drawn, text that fits the space it has, and counted nouns.

use std::borrow::Cow;

use egui::{Color32, FontId, Painter};

use smirk_base::names::{
    common_prefix, elide_middle_until, in_drawing_order, printable, printable_message, without_prefix,
};
use smirk_session::{Session, TakeEntry};

/// A name as it is drawn: what nobody sees in it is shown as code points, a name of thousands of characters is
/// shortened, and words are in the order in which egui draws them. Every name from a file is drawn through this or
/// [`elide_middle`].
pub(crate) fn shown(name: &str) -> Cow<'_, str> {
    match printable(name) {
        Cow::Borrowed(name) => in_drawing_order(name),
        Cow::Owned(name) => Cow::Owned(in_drawing_order(&name).into_owned()),
    }
}

pub(crate) fn shown_message(message: &str) -> String {
    let lines = message.lines().map(|line| in_drawing_order(&printable_message(line)).into_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// A name as it is drawn if it is at most `width` points wide; otherwise shortened in its middle, where names differ
/// least.
pub(crate) fn elide_middle(painter: &Painter, name: &str, font: &FontId, width: f32) -> String {
    let shown = elide_middle_until(&printable(name), |text: &str| {
        let drawn = in_drawing_order(text).into_owned();
        painter.layout_no_wrap(drawn, font.clone(), Color32::WHITE).size().x <= width
    });
    in_drawing_order(&shown).into_owned()
}

/// A weight with two decimals, and without a sign if it is shown as 0.
pub(crate) fn two_decimals(value: f32) -> String {
    // Adding 0 turns -0 into 0.
    format!("{:.2}", (value * 100.0).round() / 100.0 + 0.0)
}

/// A count and its noun: `1 pose`, `2 poses`, `3 meshes`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with("sh") => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

/// The name of a take without the words that all takes of the session begin with: captures of one day often begin with
/// the same words and differ at the end. The whole name belongs into a tooltip.
pub(crate) fn short_take_name(session: &Session, entry: &TakeEntry) -> String {
    let names: Vec<&str> = session.edits.playable_takes().map(|entry| entry.take.name.as_str()).collect();
    without_prefix(&entry.take.name, common_prefix(&names))
}

/// The name of what the face is compared with, where there is little room.
pub(crate) fn short_b_name(session: &Session) -> String {
    session.b().name(|entry| short_take_name(session, entry))
}

pub(crate) fn whole_b_name(session: &Session) -> String {
    session.b().name(|entry| entry.take.name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_counted_as_they_are_written() {
        assert_eq!([counted(1, "mesh"), counted(2, "mesh"), counted(0, "pose")], ["1 mesh", "2 meshes", "0 poses"]);
    }
}
