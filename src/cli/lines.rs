//! Lines of text for terminals.

use crate::head::{Level, Note};

/// A name from a file as a terminal may have it: no control characters, not longer than a line bears.
pub fn printable(name: &str) -> String {
    const LONGEST: usize = 120;
    let text: String = name.chars().take(LONGEST).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
    if name.chars().nth(LONGEST).is_some() { text + "…" } else { text }
}

/// How much something matters, in a word.
pub fn word(level: Level) -> &'static str {
    match level {
        Level::Info => "info",
        Level::Warning => "warning",
    }
}

/// A note: how much it matters, what it is about, what it says.
pub fn note(note: &Note) -> String {
    format!("{:7}  {}: {}", word(note.level), printable(&note.subject.to_string()), note.message)
}
