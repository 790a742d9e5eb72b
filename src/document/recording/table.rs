//! The rows of a recording: a table that Smirk reads as a take, with the time in seconds and a column per value.

use std::fmt::Write;

/// The header of the column of times. It comes first in every list of such headers, so that no column of a sender is taken for it.
const TIME: &str = "timeCode";

/// The line with the names. What separates cells in a table of any kind is replaced.
pub(super) fn header(columns: &[String]) -> String {
    let mut line = String::from(TIME);
    for name in columns {
        let safe = |c: char| if c.is_control() || matches!(c, ',' | ';' | '"') { '_' } else { c };
        let name: String = name.trim().chars().map(safe).collect();
        line.push(',');
        line.push_str(if name.is_empty() { "unnamed" } else { &name });
    }
    line.push('\n');
    line
}

/// The line of a frame, in place of what `line` held. A value that is missing has an empty cell.
pub(super) fn row(line: &mut String, secs: f64, values: impl Iterator<Item = Option<f32>>) {
    line.clear();
    // The shortest decimals that give the same number again. Writing to a string does not fail.
    let _ = write!(line, "{secs:.6}");
    for value in values {
        line.push(',');
        if let Some(value) = value {
            let _ = write!(line, "{value}");
        }
    }
    line.push('\n');
}
