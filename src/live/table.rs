//! Frames as rows of a table that opens as a take.

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
}

impl<W: Write> FrameTable<W> {
    /// A table without rows.
    pub fn new(file: W) -> Self {
        Self { file, columns: Vec::new(), first: None, left_out: Vec::new(), rows: 0 }
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
            let names: Vec<String> = self.columns.iter().map(|name| quoted(name)).collect();
            writeln!(self.file, "Time,{}", names.join(","))?;
        }
        let by_sender = frame.time_secs.zip(first_secs).map(|(time, first)| time - first);
        let secs = by_sender.unwrap_or_else(|| received.saturating_duration_since(first).as_secs_f64());
        let mut row = format!("{secs:.6}");
        let is_same = frame.columns.iter().eq(&self.columns);
        for (at, column) in self.columns.iter().enumerate() {
            let place = if is_same { Some(at) } else { frame.columns.iter().position(|name| name == column) };
            row.push(',');
            // A value that is missing leaves its cell empty.
            if let Some(value) = place.and_then(|at| frame.values.get(at)) {
                row += &value.to_string();
            }
        }
        for name in frame.columns.iter().filter(|_| !is_same) {
            if !self.columns.contains(name) && !self.left_out.contains(name) {
                self.left_out.push(name.clone());
            }
        }
        self.rows += 1;
        writeln!(self.file, "{row}")
    }

    /// Hands what was written to the system, so that it outlives the program.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A name as a cell of a CSV.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}
