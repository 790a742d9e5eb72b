//! Frames as rows of a table that opens as a take, with the time in seconds and a column per value.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use super::LiveFrame;

/// Writes frames to a CSV: the time in seconds since the first frame, and the columns of the first frame.
#[derive(Debug)]
pub struct FrameTable<W> {
    file: W,
    columns: Arc<[String]>,
    other: Option<OtherColumns>,
    first_secs: Option<f64>,
    duration_secs: f64,
    rows: usize,
    left_out: Vec<String>,
    line: String,
}

/// The least time between two frames, which is written with six digits. Of frames of a capture that are less than a
/// microsecond apart, the first alone is read.
const LEAST_STEP_SECS: f64 = 3e-6;

#[derive(Debug)]
struct OtherColumns {
    names: Arc<[String]>,
    /// For each column of the table, the index of the column of the same name in `names`.
    indices: Vec<Option<usize>>,
}

impl<W: Write> FrameTable<W> {
    pub fn new(file: W) -> Self {
        Self {
            file,
            columns: Arc::default(),
            other: None,
            first_secs: None,
            duration_secs: 0.0,
            rows: 0,
            left_out: Vec::new(),
            line: String::new(),
        }
    }

    /// Adds a frame with its time, of which only the difference to the first one is written. Frames that arrive
    /// together, as those of a stream do after a delay, get times that a reader can tell apart. Where the frame lacks a
    /// column of the table, its cell stays empty; a column that the table lacks is left out.
    pub fn write(&mut self, secs: f64, frame: &LiveFrame) -> io::Result<()> {
        let first_secs = match self.first_secs {
            Some(secs) => secs,
            None => {
                self.columns = frame.columns.clone();
                self.file.write_all(header(&self.columns).as_bytes())?;
                *self.first_secs.insert(secs)
            }
        };
        let mut secs = secs - first_secs;
        if self.rows > 0 && (secs - self.duration_secs).abs() < 1e-3 {
            secs = secs.max(self.duration_secs + LEAST_STEP_SECS);
        }
        if frame.columns == self.columns {
            write_row(&mut self.line, secs, frame.values.iter().copied().map(Some));
        } else {
            let other = self.other_columns(&frame.columns);
            write_row(&mut self.line, secs, other.indices.iter().map(|index| frame.values.get((*index)?).copied()));
            self.other = Some(other);
        }
        self.file.write_all(self.line.as_bytes())?;
        (self.duration_secs, self.rows) = (secs, self.rows + 1);
        Ok(())
    }

    /// These columns, looked up unless the frame before had them too.
    fn other_columns(&mut self, names: &Arc<[String]>) -> OtherColumns {
        if let Some(known) = self.other.take().filter(|known| known.names == *names) {
            return known;
        }
        for name in names.iter() {
            if !self.columns.contains(name) && !self.left_out.contains(name) {
                self.left_out.push(name.clone());
            }
        }
        OtherColumns {
            names: names.clone(),
            indices: self.columns.iter().map(|name| names.iter().position(|other| other == name)).collect(),
        }
    }

    /// The names of values that came after the first frame and have no column, once each.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of values that the table has after another row.
    pub fn values_after_next(&self) -> usize {
        (self.rows + 1).saturating_mul(self.columns.len())
    }

    /// The time of the last frame after the first one, in seconds.
    pub fn duration_secs(&self) -> f64 {
        self.duration_secs
    }

    /// Hands what was written to the system, so that it outlives the program.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    pub fn file(&self) -> &W {
        &self.file
    }
}

/// The header of the column of times. It comes first in every list of such headers, so that no column of a sender is
/// taken for it.
const TIME: &str = "timeCode";

/// The line with the names. What separates cells in a table of any kind is replaced.
fn header(columns: &[String]) -> String {
    let mut line = String::from(TIME);
    for name in columns {
        let name: String =
            name.trim().chars().map(|c| if c.is_control() || matches!(c, ',' | ';' | '"') { '_' } else { c }).collect();
        line.push(',');
        line.push_str(if name.is_empty() { "unnamed" } else { &name });
    }
    line.push('\n');
    line
}

/// The line of a frame, in place of what `line` held. A value that is missing has an empty cell.
fn write_row(line: &mut String, secs: f64, values: impl Iterator<Item = Option<f32>>) {
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
