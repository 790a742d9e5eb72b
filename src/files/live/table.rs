//! Frames as rows of a table that opens as a take, with the time in seconds and a column per value.

use std::fmt;
use std::io::{self, Write};
use std::time::Instant;

use super::receiver::ReceivedFrame;

/// Writes frames to a CSV: the time in seconds since the first frame, and its columns.
#[derive(Debug)]
pub struct FrameTable<W: Write> {
    file: W,
    /// The columns of the table; none before the first frame that has any.
    columns: Vec<String>,
    /// When the first frame was received, and its time at the sender.
    first: Option<(Instant, Option<f64>)>,
    /// The names of values that came later and have no column, once each.
    pub left_out: Vec<String>,
    /// The rows so far.
    pub rows: u64,
    line: String,
}

impl<W: Write> FrameTable<W> {
    /// A table without rows.
    pub fn new(file: W) -> Self {
        Self { file, columns: Vec::new(), first: None, left_out: Vec::new(), rows: 0, line: String::new() }
    }

    /// Adds a frame. Without a face in view it has no row: a take goes over such gaps. The times are the sender's, if it sends any.
    pub fn write(&mut self, frame: &ReceivedFrame) -> io::Result<()> {
        let ReceivedFrame { frame, received, .. } = frame;
        if !frame.is_tracked || frame.columns.is_empty() {
            return Ok(());
        }
        let (first, first_secs) = *self.first.get_or_insert((*received, frame.time_secs));
        if self.columns.is_empty() {
            self.columns = frame.columns.to_vec();
            self.file.write_all(table_header(&self.columns).as_bytes())?;
        }
        let by_sender = frame.time_secs.zip(first_secs).map(|(time, first)| time - first);
        let secs = by_sender.unwrap_or_else(|| received.saturating_duration_since(first).as_secs_f64());
        let is_same = frame.columns.iter().eq(&self.columns);
        let place_of = |(at, column): (usize, &String)| {
            if is_same { Some(at) } else { frame.columns.iter().position(|name| name == column) }
        };
        let value_at = |cell| place_of(cell).and_then(|at| frame.values.get(at).copied());
        table_row(&mut self.line, secs, self.columns.iter().enumerate().map(value_at));
        for name in frame.columns.iter().filter(|_| !is_same) {
            if !self.columns.contains(name) && !self.left_out.contains(name) {
                self.left_out.push(name.clone());
            }
        }
        self.rows += 1;
        self.file.write_all(self.line.as_bytes())
    }

    /// Hands what was written to the system, so that it outlives the program.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The header of the column of times. It comes first in every list of such headers, so that no column of a sender is taken for it.
const TIME: &str = "timeCode";

/// The line with the names. What separates cells in a table of any kind is replaced.
pub fn table_header(columns: &[String]) -> String {
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
pub fn table_row(line: &mut String, secs: f64, values: impl Iterator<Item = Option<f32>>) {
    line.clear();
    // The shortest decimals that give the same number again. Writing to a string does not fail.
    let _ = fmt::Write::write_fmt(line, format_args!("{secs:.6}"));
    for value in values {
        line.push(',');
        if let Some(value) = value {
            let _ = fmt::Write::write_fmt(line, format_args!("{value}"));
        }
    }
    line.push('\n');
}
