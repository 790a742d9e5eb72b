//! A line on standard error that shows how far a command is, and rewrites itself. Only a terminal gets it.

use std::io::{IsTerminal, Write};

/// The line.
pub(super) struct ProgressLine {
    is_terminal: bool,
}

impl ProgressLine {
    /// A line that is still empty.
    pub(super) fn new() -> Self {
        Self { is_terminal: std::io::stderr().is_terminal() }
    }

    /// Shows this text instead of the one before.
    pub(super) fn show(&self, text: &str) {
        if self.is_terminal {
            let mut stderr = std::io::stderr().lock();
            // \x1b[K clears the rest of the line. A terminal that was closed is no reason to stop.
            let _ = write!(stderr, "\r\x1b[K{text}").and_then(|()| stderr.flush());
        }
    }

    /// Clears the line.
    pub(super) fn clear(&self) {
        self.show("");
    }

    /// Ends the line with this text, which stays.
    pub(super) fn end(&self, text: &str) {
        self.show(text);
        if self.is_terminal {
            eprintln!();
        }
    }
}
