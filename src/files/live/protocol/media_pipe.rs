//! MediaPipe Face Landmarker, as programs send its result: JSON in any of the forms that captures have, of which there
//! is no standard. Messages of OSC come over the same WebSocket from programs in a browser.

use std::sync::Arc;

use serde_json::Value;

use super::PacketError;
use super::columns::{NamedValues, SharedColumns};
use crate::import::{MediaPipeFrame, unit_by_name, unit_by_step};
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

/// The clock of a sender, whose unit follows from the name of its times, else from the first step between two frames.
#[derive(Debug, Default)]
struct Clock {
    secs_per_unit: Option<f64>,
    first: Option<f64>,
}

impl Clock {
    /// A time in seconds; none while the unit is not known.
    fn secs(&mut self, key: &str, time: f64) -> Option<f64> {
        let step = self.first.map_or(0.0, |first| time - first);
        self.first.get_or_insert(time);
        let known = self.secs_per_unit.or_else(|| unit_by_name(key));
        self.secs_per_unit = known.or_else(|| (step > 0.0).then(|| unit_by_step(step)));
        self.secs_per_unit.map(|secs| time * secs)
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
}
