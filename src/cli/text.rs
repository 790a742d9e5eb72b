//! Text for terminals.

use std::io::Write;

use crate::head::{Level, Note};

/// Writes to standard output. If the reader closes it early, as in `smirk inspect | head`, that is no error.
pub(super) fn print(text: &str) -> anyhow::Result<()> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// A name from a file that is safe to print: without control characters, and shortened to fit a line.
pub(super) fn printable(name: &str) -> String {
    const LONGEST: usize = 120;
    let text: String = name.chars().take(LONGEST).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
    if name.chars().nth(LONGEST).is_some() { text + "…" } else { text }
}

pub(super) fn level_name(level: Level) -> &'static str {
    match level {
        Level::Info => "info",
        Level::Warning => "warning",
    }
}

/// A note as a line: its level, its subject and its message.
pub(super) fn note(note: &Note) -> String {
    format!("{:7}  {}: {}", level_name(note.level), printable(&note.subject.to_string()), note.message)
}
