//! A calibration from some seconds of live faces: what is neutral, or how far each column reaches.

use std::sync::Arc;

use smirk_face::motion::{Angle, ColumnMap};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrationKind {
    /// The values of the performer's face at rest, which are subtracted.
    Neutral,
    /// The largest values of the performer, which become the whole shape.
    Reach,
}

/// The values of all frames since it began.
#[derive(Clone, Debug)]
pub struct Calibration {
    pub kind: CalibrationKind,
    columns: Arc<[String]>,
    /// Frame after frame.
    values: Vec<f32>,
    /// The seconds of faces so far, and the time of the last one.
    collected_secs: f32,
    last_secs: Option<f64>,
}

impl Calibration {
    /// The seconds of faces that it collects for the neutral face.
    pub const NEUTRAL_SECS: f32 = 3.0;
    /// The seconds in which the performer makes the largest expressions.
    pub const REACH_SECS: f32 = 10.0;
    /// The largest gain that a reach gives. A column that reached less was probably not moved on purpose.
    pub const LARGEST_GAIN: f32 = 4.0;
    /// The most values that are kept. A sender of 61 columns fills this in five minutes at 60 frames per second.
    const MOST_VALUES: usize = 1 << 20;
    /// A longer time from one frame to the next is one without a face.
    const LONGEST_STEP_SECS: f32 = 0.1;
    /// The part of the frames beyond which a value counts as a spike.
    const SPIKES: f32 = 0.02;

    pub fn new(kind: CalibrationKind) -> Self {
        Self { kind, columns: Arc::default(), values: Vec::new(), collected_secs: 0.0, last_secs: None }
    }

    /// The seconds of faces that this kind collects.
    pub fn secs(&self) -> f32 {
        match self.kind {
            CalibrationKind::Neutral => Self::NEUTRAL_SECS,
            CalibrationKind::Reach => Self::REACH_SECS,
        }
    }

    /// Adds a frame at a time. Another list of columns starts the calibration again; a time without a face does not
    /// count.
    pub(super) fn add(&mut self, columns: &Arc<[String]>, values: &[f32], secs: f64) {
        if self.columns != *columns {
            *self = Self { columns: columns.clone(), ..Self::new(self.kind) };
        }
        let step_secs = self.last_secs.map_or(0.0, |last_secs| (secs - last_secs) as f32);
        self.collected_secs += step_secs.clamp(0.0, Self::LONGEST_STEP_SECS);
        self.last_secs = Some(secs);
        if self.values.len() + values.len() <= Self::MOST_VALUES {
            self.values.extend_from_slice(values);
        }
    }

    pub fn collected_secs(&self) -> f32 {
        self.collected_secs
    }

    pub fn columns(&self) -> &Arc<[String]> {
        &self.columns
    }

    /// Changes the mapping of a column by what was found. Without any frame, nothing changes.
    pub fn apply(&self, column: usize, map: &mut ColumnMap) {
        let width = self.columns.len().max(1);
        let mut values: Vec<f32> = self.values.iter().skip(column).step_by(width).copied().collect();
        if values.is_empty() {
            return;
        }
        values.sort_unstable_by(f32::total_cmp);
        let at = |part: f32| values[((values.len() - 1) as f32 * part).round() as usize];
        match self.kind {
            CalibrationKind::Neutral => map.neutral = at(0.5),
            // Angles are not scaled to the reach of the performer: 20° of the performer are 20° of the head.
            CalibrationKind::Reach if Angle::of_column(&self.columns[column]).is_some() => {}
            CalibrationKind::Reach => {
                let reach = at(1.0 - Self::SPIKES) - map.neutral;
                if reach * Self::LARGEST_GAIN >= 1.0 {
                    map.gain = 1.0 / reach;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibrated(kind: CalibrationKind, frames: impl Iterator<Item = [f32; 2]>) -> [ColumnMap; 2] {
        let columns: Arc<[String]> = ["jawOpen".to_owned(), "HeadYaw".to_owned()].into();
        let mut calibration = Calibration::new(kind);
        frames.for_each(|frame| calibration.add(&columns, &frame, 0.0));
        [0, 1].map(|column| {
            let mut map = ColumnMap { neutral: 0.1, ..ColumnMap::default() };
            calibration.apply(column, &mut map);
            map
        })
    }

    #[test]
    fn neutral_is_the_usual_value_whatever_a_blink_does() {
        let frames = (0..180).map(|frame| if frame == 90 { [1.0, 0.0] } else { [0.06, -0.2] });
        let [jaw, yaw] = calibrated(CalibrationKind::Neutral, frames);
        assert_eq!((jaw.neutral, yaw.neutral, jaw.gain), (0.06, -0.2, 1.0));
    }

    #[test]
    fn the_largest_expression_becomes_the_whole_shape_but_for_angles_and_what_did_not_move() {
        let frames = |most: f32| (0..600).map(move |frame| [0.1 + most * (frame as f32 / 599.0), 0.5]);
        let [jaw, yaw] = calibrated(CalibrationKind::Reach, frames(0.5));
        assert!((jaw.shape(0.6) - 1.0).abs() < 0.03 && jaw.shape(0.1) == 0.0 && yaw.gain == 1.0, "{jaw:?}");
        assert_eq!(calibrated(CalibrationKind::Reach, frames(0.1))[0].gain, 1.0, "it was not moved");
        assert_eq!(calibrated(CalibrationKind::Reach, std::iter::empty())[0].gain, 1.0, "no frame");
    }
}
