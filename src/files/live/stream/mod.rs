//! What happens to the frames of a sender from their arrival until they are shown. Everything is computed from the
//! frames and the times at which they arrive, so that it does not depend on how often the window draws.
//!
//! ```text
//! frame ── SenderClock (when it belongs) ── One Euro filter ── JitterBuffer ──► LiveFace
//! ```

mod calibration;
mod jitter_buffer;
mod sender_clock;

pub use calibration::{Calibration, CalibrationKind};
pub use sender_clock::SenderClock;

use std::sync::Arc;

use super::LiveFrame;
use jitter_buffer::JitterBuffer;
use smirk_face::motion::{LiveFace, OneEuro, Smoothing};

/// The frames of a sender. Times are seconds of a clock of this machine that is never set.
#[derive(Clone, Debug, Default)]
pub struct LiveStream {
    pub smoothing: Smoothing,
    /// How many frames are held back to make them even: 0, 1 or 2.
    pub buffer_frames: u8,
    /// How long the face stays after it was lost, in seconds.
    pub hold_secs: f32,
    clock: SenderClock,
    columns: Arc<[String]>,
    filters: Vec<OneEuro>,
    last_secs: f64,
    buffer: JitterBuffer<Vec<f32>>,
    shown: Vec<f32>,
    tracking: Option<Tracking>,
    calibration: Option<Calibration>,
}

#[derive(Clone, Copy, Debug)]
struct Tracking {
    /// The arrival of the last frame with a face.
    last_secs: f64,
    /// When it came back, and how much of it was still shown then.
    back: (f64, f32),
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LatencyReading {
    /// The lag of a value that hardly moves, in seconds.
    pub still_secs: f32,
    /// The lag of the value that moved fastest in the last frame.
    pub fastest_secs: f32,
    pub buffer_secs: f32,
}

impl LiveStream {
    /// How long a lost face takes to fade to neutral.
    pub const FADE_SECS: f32 = 0.5;
    /// How long it takes to come back.
    pub const RETURN_SECS: f32 = 0.15;

    /// Takes a frame that has arrived at `now_secs`. Returns its time in seconds since the first frame by the clock of
    /// its sender; none if it has no face.
    pub fn arrive(&mut self, frame: &LiveFrame, now_secs: f64) -> Option<f64> {
        if !frame.is_tracked || frame.values.len() != frame.columns.len() {
            return None;
        }
        let secs = self.clock.secs_of(frame.time_secs, now_secs);
        let is_first = self.tracking.is_none();
        if is_first || self.columns != frame.columns {
            self.columns = frame.columns.clone();
            self.filters = vec![OneEuro::default(); frame.columns.len()];
            self.buffer = JitterBuffer::default();
            self.shown.clone_from(&frame.values);
        }
        let presence = self.presence(now_secs);
        let back = match self.tracking {
            Some(tracking) if presence > 0.0 && now_secs - tracking.last_secs <= f64::from(self.hold_secs) => {
                tracking.back
            }
            _ => (now_secs, presence),
        };
        self.tracking = Some(Tracking { last_secs: now_secs, back });
        let step_secs = (secs - self.last_secs) as f32;
        self.last_secs = secs;
        let filtered = self.filters.iter_mut().zip(&frame.values);
        let values = filtered.map(|(filter, &raw)| filter.next(raw, step_secs, self.smoothing)).collect();
        if let Some(calibration) = &mut self.calibration {
            calibration.add(&frame.columns, &frame.values, secs);
        }
        self.buffer.push(secs, now_secs, values);
        Some(secs)
    }

    /// The face to show. None before the first frame with a face.
    pub fn face(&mut self, now_secs: f64) -> Option<LiveFace> {
        if let Some(values) = self.buffer.take(now_secs, self.buffer_frames) {
            self.shown = values;
        }
        self.tracking?;
        Some(LiveFace { columns: self.columns.clone(), values: self.shown.clone(), presence: self.presence(now_secs) })
    }

    /// How long until [`Self::face`] gives something else although nothing arrives; 0 while the face fades. None if it
    /// will not.
    pub fn due_in_secs(&self, now_secs: f64) -> Option<f64> {
        let tracking = self.tracking?;
        let fades_in_secs = tracking.last_secs + f64::from(self.hold_secs) - now_secs;
        let is_gone = fades_in_secs <= -f64::from(Self::FADE_SECS);
        let returns = now_secs - tracking.back.0 < f64::from(Self::RETURN_SECS);
        let fading = (!is_gone).then_some(if returns { 0.0 } else { fades_in_secs.max(0.0) });
        [fading, self.buffer.due_in_secs(now_secs, self.buffer_frames)].into_iter().flatten().reduce(f64::min)
    }

    /// How much of the face is shown: all of it while it is tracked and some time longer, then less and less.
    fn presence(&self, now_secs: f64) -> f32 {
        let Some(Tracking { last_secs, back: (back_secs, from) }) = self.tracking else { return 0.0 };
        let lost_secs = (now_secs - last_secs) as f32 - self.hold_secs;
        let fallen = (lost_secs / Self::FADE_SECS).clamp(0.0, 1.0);
        let risen = from + (now_secs - back_secs) as f32 / Self::RETURN_SECS;
        (1.0 - fallen).min(risen.clamp(0.0, 1.0))
    }

    /// Prepares for the frames of another sender: its clock and its noise have nothing to do with those of the one
    /// before. The face that is shown stays until the first of them.
    pub fn change_sender(&mut self) {
        self.clock.change_sender();
        self.filters.iter_mut().for_each(|filter| *filter = OneEuro::default());
        self.buffer = JitterBuffer::default();
    }

    /// By how much it delays what it shows.
    pub fn latency(&self) -> LatencyReading {
        let fastest = self.filters.iter().map(|filter| filter.speed().abs()).fold(0.0, f32::max);
        LatencyReading {
            still_secs: self.smoothing.secs_at(0.0),
            fastest_secs: self.smoothing.secs_at(fastest),
            buffer_secs: self.buffer.delay_secs(self.buffer_frames) as f32,
        }
    }

    pub fn set_calibration(&mut self, calibration: Option<Calibration>) {
        self.calibration = calibration;
    }

    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }
}
