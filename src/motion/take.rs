//! A take: a recorded performance, in its own words, before it is tied to a head.

use std::path::PathBuf;

use super::smoothed;
use crate::head::{Curve, Note};

/// A performance as its file has it: columns over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// What to call it: the file's name without its extension, or the clip's.
    pub name: String,
    /// The file it was read from.
    pub source: Option<PathBuf>,
    /// What the file counts its frames at. Frames stand at their own times all the same: some may have been dropped.
    pub frames_per_sec: Option<f32>,
    /// The timecode of the first frame, as the file has it.
    pub start_timecode: Option<String>,
    /// What was recorded, in the file's order.
    pub columns: Vec<TakeColumn>,
    /// Where the values are. A capture has one curve as wide as it has columns; a glTF clip one per animated mesh.
    pub tracks: Vec<Curve>,
    /// From the first frame, at 0, to the last, in seconds.
    pub duration_secs: f32,
    /// What was assumed, repaired or skipped.
    pub notes: Vec<Note>,
}

/// One recorded number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeColumn {
    /// As in the file.
    pub name: String,
    /// Index into [`Take::tracks`].
    pub track: usize,
    /// Which element of that curve.
    pub element: usize,
}

impl Take {
    /// The value of a column at a time; time 0 is the first frame. A column the take has not is 0.
    pub fn sample(&self, column: usize, time_secs: f32) -> f32 {
        self.curve_of(column).map_or(0.0, |(curve, element)| curve.sample(time_secs, element))
    }

    /// The same, averaged over a window of `window_secs` around that time: a pure function of time, like the other.
    pub fn sample_smoothed(&self, column: usize, time_secs: f32, window_secs: f32) -> f32 {
        self.curve_of(column).map_or(0.0, |(curve, element)| smoothed(curve, time_secs, element, window_secs))
    }

    /// Where a column's values are: its curve and the element of it.
    pub fn curve_of(&self, column: usize) -> Option<(&Curve, usize)> {
        let column = self.columns.get(column)?;
        let curve = self.tracks.get(column.track)?;
        (column.element < curve.width()).then_some((curve, column.element))
    }
}
