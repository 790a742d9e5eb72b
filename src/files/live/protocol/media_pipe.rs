//! MediaPipe Face Landmarker, as programs send its result: JSON in any of the forms that captures have, of which there
//! is no standard. Messages of OSC come over the same WebSocket from programs in a browser.

use std::sync::Arc;

use serde_json::Value;

use super::PacketError;
use super::columns::{NamedValues, SharedColumns};
use crate::import::{MediaPipeFrame, median, unit_by_name, unit_by_step};
use crate::live::LiveFrame;

#[derive(Debug, Default)]
pub(super) struct MediaPipeDecoder {
    columns: SharedColumns,
    /// The columns and values of the last frame with a face.
    last: Option<(Arc<[String]>, Vec<f32>)>,
    clock: Clock,
}

impl MediaPipeDecoder {
    pub(super) fn decode(&mut self, packet: &[u8]) -> Result<LiveFrame, PacketError> {
        let message: Value = serde_json::from_slice(packet)?;
        let frame = MediaPipeFrame::from_message(&message).ok_or(PacketError::NoScores)?;
        let mut values = NamedValues::default();
        for &(name, score) in &frame.scores {
            values.push(name, score)?;
        }
        let is_tracked = !frame.scores.is_empty();
        if is_tracked {
            self.last = Some(self.columns.share(&values));
        }
        let (columns, values) = self.last.clone().unwrap_or_default();
        let time_secs = frame.time.and_then(|(key, time)| self.clock.secs(key, time));
        Ok(LiveFrame { subject: "".into(), time_secs, is_tracked, columns, values })
    }
}

/// The clock of a sender, whose unit follows from the name of its times, else from the median of the first steps
/// between two frames, one of which may be a pause.
#[derive(Debug, Default)]
struct Clock {
    last: Option<f64>,
    steps: Vec<f64>,
}

impl Clock {
    const MOST_STEPS: usize = 9;

    /// A time in seconds; none while the unit is not known.
    fn secs(&mut self, key: &str, time: f64) -> Option<f64> {
        let step = time - self.last.replace(time).unwrap_or(time);
        if step > 0.0 && self.steps.len() < Self::MOST_STEPS {
            self.steps.push(step);
        }
        let unit = unit_by_name(key).or_else(|| median(self.steps.iter().copied()).map(unit_by_step));
        unit.map(|secs| time * secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_unit_of_their_name_or_of_their_step() {
        let mut named = Clock::default();
        assert_eq!(named.secs("timestampMs", 500.0), Some(0.5));
        let mut unnamed = Clock::default();
        assert_eq!(unnamed.secs("timestamp", 1000.0), None);
        assert_eq!(unnamed.secs("timestamp", 1033.0), Some(1.033));
        assert_eq!(unnamed.secs("timestamp", 1034.0), Some(1.034), "the unit stays");
        let mut seconds = Clock::default();
        seconds.secs("time", 10.0);
        assert_eq!(seconds.secs("time", 10.033), Some(10.033));
    }

    #[test]
    fn a_pause_after_the_first_frame_does_not_set_the_unit() {
        for unit in [1.0, 1e3, 1e6] {
            let mut clock = Clock::default();
            let times = [0.0, 5.5, 5.534, 5.567, 5.6, 30.0, 30.033].map(|secs| (secs, clock.secs("t", secs * unit)));
            assert_eq!(times[0].1, None);
            for (secs, found) in &times[3..] {
                assert!((found.unwrap() - secs).abs() < 1e-9, "{secs} s of {unit}: {found:?}");
            }
        }
    }
}
