//! Takes: recorded performances. Their columns have the names in the file, independently of any head.

mod aliases;
mod angles;
mod bound_columns;
mod bound_take;
mod edit;
mod smooth;
mod take_map;

pub use aliases::Aliases;
pub use angles::{ANGLE_COLUMNS, Angle, angle_values};
pub(super) use bound_columns::{BoundColumn, BoundColumns};
pub(super) use bound_take::BoundTake;
pub use edit::{EditKind, Fit, NeutralOf, Reduction, TakeEdit};
pub use edit::{EditedTake, fit_lines};
pub(super) use smooth::smoothed;
pub use take_map::{ColumnMap, TakeMap};

use std::path::PathBuf;

use crate::head::{Curve, Note};

/// A recorded performance: the columns of its file over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Take {
    /// The file's name without its extension, or the clip's name.
    pub name: String,
    /// The file that it was read from.
    pub source: Option<PathBuf>,
    /// The frame rate that the file states. Each frame still has its own time, because some frames may have been
    /// dropped.
    pub frames_per_sec: Option<f32>,
    /// The timecode of the first frame, as written in the file.
    pub start_timecode: Option<String>,
    /// The recorded columns, in the file's order.
    pub columns: Vec<TakeColumn>,
    /// The values. A capture has one curve with an element per column; a glTF clip has one curve per animated mesh.
    pub tracks: Vec<Curve>,
    /// The time of the last frame; the first is at 0.
    pub duration_secs: f32,
    /// What the importer assumed, repaired or skipped.
    pub notes: Vec<Note>,
}

/// A column of a take: one recorded value per frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeColumn {
    /// The name in the file.
    pub name: String,
    /// Index into [`Take::tracks`].
    pub track: usize,
    /// The element of that curve.
    pub element: usize,
}

impl Take {
    /// The value of a column at a time; 0 if the take does not have the column.
    pub fn sample(&self, column: usize, time_secs: f32) -> f32 {
        self.curve_of(column).map_or(0.0, |(curve, element)| curve.sample(time_secs, element))
    }

    /// Like [`Self::sample`], smoothed with a window of `window_secs`.
    pub fn sample_smoothed(&self, column: usize, time_secs: f32, window_secs: f32) -> f32 {
        self.curve_of(column).map_or(0.0, |(curve, element)| smoothed(curve, time_secs, element, window_secs))
    }

    /// The names of the columns, in the file's order.
    pub fn column_names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The curve of a column, and the index of its element.
    pub fn curve_of(&self, column: usize) -> Option<(&Curve, usize)> {
        let column = self.columns.get(column)?;
        let curve = self.tracks.get(column.track)?;
        (column.element < curve.width()).then_some((curve, column.element))
    }
}
