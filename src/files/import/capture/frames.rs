//! Makes a [`Take`] of frames with values, some of which are missing.

use super::CaptureFile;
use super::capture_times::CaptureTimes;
use crate::import::{Fault, Import, Problem, UniqueNames};
use smirk_base::names::quoted;
use smirk_face::head::{Curve, Interpolation, Kind, Notes, Subject};
use smirk_face::motion::{Take, TakeColumn};

/// The largest number of columns. No face has as many expressions.
pub(super) const MAX_COLUMNS: usize = 4096;
/// The largest number of frames: 19 hours at 60 frames per second.
const MAX_FRAMES: usize = 1 << 22;
const MAX_NUMBERS: usize = 1 << 27;
/// The number of values that any file may have. A small file can have many, by many columns and short rows.
const BASE_NUMBERS: usize = 1 << 24;
const SAME_TIME_SECS: f64 = 1e-6;

pub(super) struct Frames {
    /// What `positions` count: lines or frames.
    unit: Kind,
    columns: Vec<String>,
    /// Per frame, its line or its index in the file.
    positions: Vec<usize>,
    /// The values of all frames in turn; NaN where one is missing.
    values: Vec<f32>,
    /// The largest number of values that a file of its size may have.
    most_numbers: usize,
}

/// An error if a file with so many columns is not read.
pub(super) fn check_columns(count: usize) -> Result<(), Fault> {
    if count <= MAX_COLUMNS {
        return Ok(());
    }
    let advice = format!("Smirk reads {MAX_COLUMNS}, far more than any face has expressions");
    let problem = Problem::new(format!("{count} of them")).advise(advice);
    Err(Fault::invalid(Subject::field("columns"), problem))
}

/// An error if a frame with this index is one too many.
pub(super) fn check_frame_count(index: usize) -> Result<(), Fault> {
    if index < MAX_FRAMES {
        return Ok(());
    }
    let problem = Problem::new(format!("more than {MAX_FRAMES} of them, 19 hours at 60 per second"));
    Err(Fault::invalid(Subject::field("frames"), problem.advise("split the take")))
}

impl Frames {
    /// An empty list of frames for a file of `file_bytes` bytes. `unit` is what positions count: lines or frames.
    pub(super) fn new(unit: Kind, columns: Vec<String>, file_bytes: usize) -> Self {
        // A number takes two bytes in a table, and none where a frame of a JSON file leaves it out.
        let most_numbers = BASE_NUMBERS.saturating_add(file_bytes).min(MAX_NUMBERS);
        Self { unit, columns, positions: Vec::new(), values: Vec::new(), most_numbers }
    }

    pub(super) fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// Adds a frame with a value per column, NaN for one that is missing. Missing values at the end may be omitted, and
    /// values beyond the columns are ignored.
    pub(super) fn push(&mut self, position: usize, values: impl Iterator<Item = f32>) -> Result<(), Fault> {
        let width = self.columns.len();
        check_columns(width)?;
        check_frame_count(self.positions.len())?;
        let most = self.most_numbers;
        if self.values.len() + width > most {
            let frames = self.positions.len() + 1;
            let text = format!(
                "with it there are more than {most} numbers ({width} columns, {frames} frames), which the size of the file \
                 does not justify"
            );
            let problem = Problem::new(text).advise("split the file");
            return Err(Fault::invalid(Subject::Numbered(self.unit, position), problem));
        }
        self.positions.push(position);
        let finite = values.map(|value| if value.is_finite() { value } else { f32::NAN });
        self.values.extend(finite.chain(std::iter::repeat(f32::NAN)).take(width));
        Ok(())
    }

    /// Sorts the frames by time, fills in missing values, and leaves out columns without any value.
    pub(super) fn into_take(
        self,
        times: CaptureTimes,
        file: &CaptureFile<'_>,
        import: &mut Import<'_>,
    ) -> Result<Take, Fault> {
        let frames = self.in_order(&times.times, &mut import.notes);
        let Some(&(start_secs, _)) = frames.first() else {
            return Err(Fault::Unfit("has no frame with a time and numbers; record or export it again".into()));
        };
        let used = self.columns_with_numbers(&frames, &mut import.notes);
        if used.is_empty() {
            return Err(Fault::Unfit(format!("has no number in any of its {} columns", self.columns.len())));
        }
        let values = self.filled(&frames, &used, &mut import.notes);
        let key_times: Vec<f32> = frames.iter().map(|(time, _)| (time - start_secs) as f32).collect();
        let duration_secs = key_times.last().copied().unwrap_or(0.0);
        let track = Curve::new(Interpolation::Linear, key_times, values, used.len())
            .map_err(|error| Fault::invalid(Subject::field("frames"), error.to_string()))?;
        Ok(Take {
            name: file.name.to_owned(),
            source: Some(file.path.to_owned()),
            frames_per_sec: times.frames_per_sec,
            start_timecode: times.start_timecode,
            columns: self.named(&used, &mut import.notes),
            tracks: vec![track],
            duration_secs,
            notes: import.take_notes(),
            ..Take::default()
        })
    }

    /// Time and index of the frames that have a time of their own, sorted by time.
    fn in_order(&self, times: &[Option<f64>], notes: &mut Notes) -> Vec<(f64, usize)> {
        let (mut frames, mut without_time): (Vec<(f64, usize)>, Vec<usize>) = (Vec::new(), Vec::new());
        for index in 0..self.positions.len() {
            match times.get(index).copied().flatten().filter(|time| time.is_finite()) {
                Some(time) => frames.push((time, index)),
                None => without_time.push(index),
            }
        }
        let late: Vec<usize> = frames.windows(2).filter(|pair| pair[1].0 < pair[0].0).map(|pair| pair[1].1).collect();
        if !late.is_empty() {
            frames.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let mut doubled = Vec::new();
        frames.dedup_by(|this, previous| {
            let is_same = this.0 - previous.0 < SAME_TIME_SECS;
            if is_same {
                doubled.push(this.1);
            }
            is_same
        });
        for (which, message) in [
            (without_time, "no time that can be read; left out"),
            (late, "earlier than the frame before; the frames were sorted by time"),
            (doubled, "at the time of another frame; the first of them is kept"),
        ] {
            if !which.is_empty() {
                let which: Vec<usize> = which.into_iter().map(|index| self.positions[index]).collect();
                notes.warn(Subject::numbered(self.unit, &which), message);
            }
        }
        frames
    }

    /// The indices of columns that have a value in any of `frames`.
    fn columns_with_numbers(&self, frames: &[(f64, usize)], notes: &mut Notes) -> Vec<usize> {
        let width = self.columns.len();
        let (used, empty): (Vec<usize>, Vec<usize>) =
            (0..width).partition(|&column| frames.iter().any(|(_, row)| !self.values[row * width + column].is_nan()));
        for column in empty {
            notes.warn(Subject::named(Kind::Column, &self.columns[column]), "has no number; left out");
        }
        used
    }

    /// The values of the columns `used`, frame after frame. A missing value is replaced by the last one before it, or,
    /// at the beginning, by the first one after it.
    fn filled(&self, frames: &[(f64, usize)], used: &[usize], notes: &mut Notes) -> Vec<f32> {
        let width = self.columns.len();
        let mut last_values: Vec<f32> = used
            .iter()
            .map(|column| {
                let numbers = frames.iter().map(|(_, row)| self.values[row * width + column]);
                numbers.into_iter().find(|value| !value.is_nan()).unwrap_or(0.0)
            })
            .collect();
        let mut values = Vec::with_capacity(frames.len() * used.len());
        let (mut missing_count, mut gaps) = (0, Vec::new());
        for &(_, row) in frames {
            let count_before = missing_count;
            for (last, column) in last_values.iter_mut().zip(used) {
                let value = self.values[row * width + column];
                if value.is_nan() {
                    missing_count += 1;
                } else {
                    *last = value;
                }
                values.push(*last);
            }
            if missing_count > count_before {
                gaps.push(self.positions[row]);
            }
        }
        if missing_count > 0 {
            let message = format!("{missing_count} values are missing or not numbers; the last valid ones are used");
            notes.warn(Subject::numbered(self.unit, &gaps), message);
        }
        values
    }

    fn named(&self, used: &[usize], notes: &mut Notes) -> Vec<TakeColumn> {
        let mut unique_names = UniqueNames::default();
        let mut named = Vec::with_capacity(used.len());
        for (element, &column) in used.iter().enumerate() {
            let name = self.columns[column].as_str();
            let unique = unique_names.make(name.to_owned());
            if unique != name {
                let message = format!("occurs more than once; this one is named {}", quoted(&unique));
                notes.warn(Subject::named(Kind::Column, name), message);
            }
            named.push(TakeColumn { name: unique, track: 0, element });
        }
        named
    }
}
