//! A line on standard error that shows the progress of a command and is overwritten in place. It is written only to a
//! terminal.

use std::io::{IsTerminal, Write};

use smirk_base::names::printable_message;
use smirk_base::progress::Cancelled;

/// A line that can be overwritten.
pub(super) struct ProgressLine {
    is_terminal: bool,
}

impl ProgressLine {
    /// An empty line.
    pub(super) fn new() -> Self {
        Self { is_terminal: std::io::stderr().is_terminal() }
    }

    /// Replaces the text of the line.
    pub(super) fn show(&self, text: &str) {
        if self.is_terminal {
            let mut stderr = std::io::stderr().lock();
            // \x1b[K clears the rest of the line. An error, such as a closed terminal, must not stop the command.
            let _ = write!(stderr, "\r\x1b[K{}", printable_message(text)).and_then(|()| stderr.flush());
        }
    }

    /// Shows the step of long work, which goes on.
    pub(super) fn show_stage(&self, stage: &str) -> Result<(), Cancelled> {
        self.show(stage);
        Ok(())
    }

    /// Clears the line.
    pub(super) fn clear(&self) {
        self.show("");
    }

    /// Replaces the text of the line and starts a new line, so that the text stays.
    pub(super) fn end(&self, text: &str) {
        self.show(text);
        if self.is_terminal {
            let _ = writeln!(std::io::stderr().lock());
        }
    }
}
