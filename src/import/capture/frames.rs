//! Rows of numbers, some of them missing, to a [`Take`].

use super::super::unique_names::UniqueNames;
use super::super::{Fault, Problem};
use super::File;
use crate::head::{Curve, Interpolation, Kind, Note, Subject, quoted};
use crate::motion::{Column, Take};

/// More columns than this are no face.
pub const MAX_COLUMNS: usize = 4096;
/// More numbers than any performance has: a small file can name many columns and have many short rows.
const MAX_NUMBERS: usize = 1 << 27;
/// Frames closer than this are one.
const SAME_TIME_SECS: f64 = 1e-6;

/// Frames as they are read.
pub struct Frames {
    /// What frames are counted in: lines or frames.
    unit: Kind,
    columns: Vec<String>,
    /// Where in the file each frame is.
    places: Vec<usize>,
    /// Frame after frame; NaN where nothing usable was found.
    values: Vec<f32>,
}

/// What a format knows of time.
pub struct Clock {
    /// Per frame, in seconds from anywhere; none if the file's time cannot be used.
    pub times: Vec<Option<f64>>,
    /// See [`Take::frames_per_sec`].
    pub frames_per_sec: Option<f32>,
    /// See [`Take::start_timecode`].
    pub start_timecode: Option<String>,
}

impl Frames {
    /// No frames yet.
    pub fn new(unit: Kind, columns: Vec<String>) -> Self {
        Self { unit, columns, places: Vec::new(), values: Vec::new() }
    }

    /// Where the frames are in the file.
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// Adds a frame: a number per column, NaN or nothing where there is none; numbers beyond the columns are left out.
    pub fn push(&mut self, place: usize, values: impl Iterator<Item = f32>) -> Result<(), Fault> {
        let width = self.columns.len();
        if width > MAX_COLUMNS {
            let advice = format!("Smirk reads {MAX_COLUMNS}, far more than any face has expressions");
            let problem = Problem::new(format!("{width} of them")).advise(advice);
            return Err(Fault::invalid(Subject::field("columns"), problem));
        }
        if self.values.len() + width > MAX_NUMBERS {
            let frames = self.places.len() + 1;
            let text = format!("with it there are more than {MAX_NUMBERS} numbers ({width} columns, {frames} frames)");
            let problem = Problem::new(text).advise("split the file");
            return Err(Fault::invalid(Subject::Numbered(self.unit, place), problem));
        }
        self.places.push(place);
        let finite = values.map(|value| if value.is_finite() { value } else { f32::NAN });
        self.values.extend(finite.chain(std::iter::repeat(f32::NAN)).take(width));
        Ok(())
    }

    /// Puts the frames in order of time, fills what is missing, and leaves out columns without a single number.
    pub fn into_take(self, clock: Clock, file: &File<'_>, mut notes: Vec<Note>) -> Result<Take, Fault> {
        let frames = self.in_order(&clock.times, &mut notes);
        let Some(&(start_secs, _)) = frames.first() else {
            return Err(Fault::Unfit("has no frame with a time and numbers; record or export it again".into()));
        };
        let kept = self.columns_with_numbers(&frames, &mut notes);
        if kept.is_empty() {
            return Err(Fault::Unfit(format!("has no number in any of its {} columns", self.columns.len())));
        }
        let values = self.filled(&frames, &kept, &mut notes);
        let times: Vec<f32> = frames.iter().map(|(time, _)| (time - start_secs) as f32).collect();
        let duration_secs = times.last().copied().unwrap_or(0.0);
        let track = Curve::new(Interpolation::Linear, times, values, kept.len())
            .map_err(|error| Fault::invalid(Subject::field("frames"), error.to_string()))?;
        Ok(Take {
            name: file.name.to_owned(),
            source: Some(file.path.to_owned()),
            frames_per_sec: clock.frames_per_sec,
            start_timecode: clock.start_timecode,
            columns: self.named(&kept, &mut notes),
            tracks: vec![track],
            duration_secs,
            notes,
        })
    }

    /// Time and index of the frames to keep, by time.
    fn in_order(&self, times: &[Option<f64>], notes: &mut Vec<Note>) -> Vec<(f64, usize)> {
        let mut say = |which: Vec<usize>, what: &str| {
            if !which.is_empty() {
                let which: Vec<usize> = which.into_iter().map(|index| self.places[index]).collect();
                notes.push(Note::warning(Subject::numbered(self.unit, &which), what));
            }
        };
        let time_of = |index: usize| times.get(index).copied().flatten().filter(|time| time.is_finite());
        let count = self.places.len();
        say((0..count).filter(|&index| time_of(index).is_none()).collect(), "no time that can be read; left out");
        let mut frames: Vec<(f64, usize)> = (0..count).filter_map(|index| Some((time_of(index)?, index))).collect();
        let late: Vec<usize> = frames.windows(2).filter(|pair| pair[1].0 < pair[0].0).map(|pair| pair[1].1).collect();
        if !late.is_empty() {
            say(late, "earlier than the frame before; the frames were put in order of time");
            frames.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        let mut doubled = Vec::new();
        frames.dedup_by(|this, kept| {
            let is_same = this.0 - kept.0 < SAME_TIME_SECS;
            if is_same {
                doubled.push(this.1);
            }
            is_same
        });
        say(doubled, "at the time of another frame; the first of them is kept");
        frames
    }

    fn columns_with_numbers(&self, frames: &[(f64, usize)], notes: &mut Vec<Note>) -> Vec<usize> {
        let width = self.columns.len();
        let has_number = |&column: &usize| frames.iter().any(|(_, row)| !self.values[row * width + column].is_nan());
        let (kept, empty): (Vec<usize>, Vec<usize>) = (0..width).partition(has_number);
        for column in empty {
            notes.push(Note::warning(Subject::named(Kind::Column, &self.columns[column]), "has no number; left out"));
        }
        kept
    }

    /// The numbers of the kept columns, frame after frame. Where one is missing the one before it holds, and at the
    /// beginning the first one that is there.
    fn filled(&self, frames: &[(f64, usize)], kept: &[usize], notes: &mut Vec<Note>) -> Vec<f32> {
        let width = self.columns.len();
        let mut held: Vec<f32> = kept
            .iter()
            .map(|column| {
                let numbers = frames.iter().map(|(_, row)| self.values[row * width + column]);
                numbers.into_iter().find(|value| !value.is_nan()).unwrap_or(0.0)
            })
            .collect();
        let mut values = Vec::with_capacity(frames.len() * kept.len());
        let (mut missing_count, mut gaps) = (0, Vec::new());
        for &(_, row) in frames {
            let count_before = missing_count;
            for (held, column) in held.iter_mut().zip(kept) {
                let value = self.values[row * width + column];
                if value.is_nan() {
                    missing_count += 1;
                } else {
                    *held = value;
                }
                values.push(*held);
            }
            if missing_count > count_before {
                gaps.push(self.places[row]);
            }
        }
        if missing_count > 0 {
            let message = format!("{missing_count} values are missing or no numbers; the last good ones hold");
            notes.push(Note::warning(Subject::numbered(self.unit, &gaps), message));
        }
        values
    }

    /// The kept columns, no two of one name.
    fn named(&self, kept: &[usize], notes: &mut Vec<Note>) -> Vec<Column> {
        let mut free = UniqueNames::default();
        let mut named = Vec::with_capacity(kept.len());
        for (element, &column) in kept.iter().enumerate() {
            let name = self.columns[column].as_str();
            let unique = free.take(name.to_owned());
            if unique != name {
                let message = format!("is there more than once; here it is {}", quoted(&unique));
                notes.push(Note::warning(Subject::named(Kind::Column, name), message));
            }
            named.push(Column { name: unique, track: 0, element });
        }
        named
    }
}
