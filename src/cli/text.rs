//! Text for terminals.

use std::io::{IsTerminal, Write};

use serde::Serialize;
use unicode_width::UnicodeWidthStr;

use smirk_base::names::{printable, printable_message, without_hidden_characters};
use smirk_base::progress::Cancelled;
use smirk_export::StoredShape;
use smirk_face::head::{Head, Level, Note};

/// Writes lines to standard output, without anything that a terminal would obey. If the reader closes it early, as in
/// `smirk inspect | head`, that is no error.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    write(&text.lines().map(|line| without_hidden_characters(line) + "\n").collect::<String>())
}

/// Writes a value to standard output as JSON. Every string in it is exact: what a terminal would obey is escaped as
/// JSON escapes it.
pub(super) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    write(&json_text(value)?)
}

/// A value as [`print_json`] writes it.
pub(super) fn json_text(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(escaped_json(&serde_json::to_string_pretty(value)?) + "\n")
}

fn write(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// JSON in which also the characters are escaped that JSON allows and a terminal obeys or hides: they occur in its
/// strings only.
fn escaped_json(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for letter in json.chars() {
        if matches!(letter, '\n' | ' '..='~') || is_shown(letter) {
            escaped.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    escaped
}

/// Whether a character is shown as it is, wherever it stands.
fn is_shown(letter: char) -> bool {
    without_hidden_characters(letter.encode_utf8(&mut [0; 4])).ends_with(letter)
}

/// A name in a column of a table: with spaces up to a number of cells. East Asian characters take two cells each.
pub(super) fn padded(name: &str, cells: usize) -> String {
    name.to_owned() + &" ".repeat(cells.saturating_sub(name.width()))
}

pub(super) fn widest<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(UnicodeWidthStr::width).max().unwrap_or(0)
}

pub(super) fn channel_names(head: &Head, channels: &[usize]) -> Vec<String> {
    channels.iter().map(|&channel| head.channels[channel].name.clone()).collect()
}

/// What the shapes of a file take and lose, as a table; empty without shapes.
pub(super) fn stored_shapes(shapes: &[StoredShape]) -> Vec<String> {
    const HEADER: &str = "shape";
    if shapes.is_empty() {
        return Vec::new();
    }
    let names: Vec<String> = shapes.iter().map(|shape| printable(&shape.name).into_owned()).collect();
    let width = widest(names.iter().map(String::as_str).chain([HEADER]));
    let header = format!("{}     before      after    worst mm  worst degrees", padded(HEADER, width));
    let rows = names.iter().zip(shapes).map(|(name, shape)| {
        let StoredShape { bytes_before, bytes, worst_mm, worst_degrees, .. } = shape;
        let name = padded(name, width);
        format!("{name} {bytes_before:10} {bytes:10} {worst_mm:11.4} {worst_degrees:14.3}")
    });
    std::iter::once(header).chain(rows).collect()
}

pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

pub(super) fn level_name(level: Level) -> &'static str {
    match level {
        Level::Info => "info",
        Level::Warning => "warning",
    }
}

/// A note as a line: its level, its subject and its message.
pub(super) fn note(note: &Note) -> String {
    format!("{:7}  {}: {}", level_name(note.level), note.subject, printable_message(&note.message))
}

pub(super) struct ProgressLine {
    is_terminal: bool,
}

impl ProgressLine {
    pub(super) fn new() -> Self {
        Self { is_terminal: std::io::stderr().is_terminal() }
    }

    pub(super) fn show(&self, text: &str) {
        if self.is_terminal {
            let mut stderr = std::io::stderr().lock();
            // \x1b[K clears the rest of the line. An error, such as a closed terminal, must not stop the command.
            write!(stderr, "\r\x1b[K{}", printable_message(text)).and_then(|()| stderr.flush()).ok();
        }
    }

    /// Shows the step of long work, which goes on.
    pub(super) fn show_stage(&self, stage: &str) -> Result<(), Cancelled> {
        self.show(stage);
        Ok(())
    }

    pub(super) fn clear(&self) {
        self.show("");
    }

    /// Replaces the text of the line and starts a new line, so that the text stays.
    pub(super) fn end(&self, text: &str) {
        self.show(text);
        if self.is_terminal {
            writeln!(std::io::stderr().lock()).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_exact_and_nothing_in_it_moves_the_cursor() {
        let names = ["a\x1b[2J\u{9b}1m\u{7f}\u{202e}b\u{2028}", "口 ابتسامة 😀 \u{e0061}", "e\u{301}", "\"\\\n"];
        let json = escaped_json(&serde_json::to_string_pretty(&names).unwrap());
        assert_eq!(serde_json::from_str::<Vec<String>>(&json).unwrap(), names);
        assert!(json.contains("口 ابتسامة 😀") && json.contains("\\udb40\\udc61"), "{json}");
        let hidden = json.chars().filter(|&c| c != '\n' && (c.is_control() || "\u{202e}\u{2028}\u{e0061}".contains(c)));
        assert_eq!(hidden.count(), 0, "{json}");
    }

    #[test]
    fn columns_are_as_wide_as_what_a_terminal_shows() {
        let names = ["jaw", "口を", "e\u{301}"];
        assert_eq!(widest(names.into_iter()), 4);
        assert_eq!(names.map(|name| padded(name, 5)), ["jaw  ", "口を ", "e\u{301}    "]);
    }
}
