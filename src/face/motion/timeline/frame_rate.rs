//! Frames per second, frame numbers and timecode.

use serde::{Deserialize, Serialize};

/// Frames per second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FrameRate(f64);

impl FrameRate {
    /// The usual rates of film and video. Those of NTSC are 1000/1001 of a whole number.
    pub const USUAL: [Self; 8] = [
        Self(24.0),
        Self(25.0),
        Self(30_000.0 / 1001.0),
        Self(30.0),
        Self(48.0),
        Self(50.0),
        Self(60_000.0 / 1001.0),
        Self(60.0),
    ];
    /// The lowest and the highest rate.
    pub const LIMITS: [f64; 2] = [1.0, 1000.0];

    /// The usual rate if there is one within 0.02 %, else this one, limited to [`Self::LIMITS`]. A number that is not
    /// finite gives the default.
    pub fn nearest(frames_per_sec: f64) -> Self {
        if !frames_per_sec.is_finite() {
            return Self::default();
        }
        let is_near = |usual: &&Self| (usual.0 - frames_per_sec).abs() < 2e-4 * usual.0;
        let [least, most] = Self::LIMITS;
        Self::USUAL.iter().find(is_near).copied().unwrap_or(Self(frames_per_sec.clamp(least, most)))
    }

    /// Frames per second.
    pub fn frames_per_sec(self) -> f64 {
        self.0
    }

    /// The rate as text, such as `29.97`.
    pub fn label(self) -> String {
        let text = format!("{:.3}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if self.is_ntsc() { format!("{:.2}", self.0) } else { text.to_owned() }
    }

    /// The frame at a time, counted from 0, with the part of the frame that has passed.
    pub fn frame_at(self, secs: f32) -> f64 {
        f64::from(secs) * self.0
    }

    /// The start of a frame.
    pub fn secs_of(self, frame: i64) -> f32 {
        (frame as f64 / self.0) as f32
    }

    /// The start of the nearest frame.
    pub fn snapped(self, secs: f32) -> f32 {
        self.secs_of(self.frame_at(secs).round() as i64)
    }

    pub(super) fn is_ntsc(self) -> bool {
        [Self::USUAL[2], Self::USUAL[6]].contains(&self)
    }

    /// The timecode of a time, `HH:MM:SS:FF`, according to SMPTE ST 12-1. At 29.97 and 59.94 frames per second it is
    /// drop-frame, `HH:MM:SS;FF`: the numbers of the first 2 or 4 frames of each minute are left out, but not of every
    /// tenth minute, so that the timecode keeps up with real time.
    pub fn timecode(self, secs: f32) -> String {
        let frame = self.frame_at(secs.max(0.0)).round() as u64;
        let per_sec = (self.0.round() as u64).max(1);
        let (number, separator) = if self.is_ntsc() { (with_drops(frame, per_sec), ';') } else { (frame, ':') };
        let (secs, frames) = (number / per_sec, number % per_sec);
        format!("{:02}:{:02}:{:02}{separator}{frames:02}", secs / 3600, secs / 60 % 60, secs % 60)
    }
}

/// The number of a frame in drop-frame timecode, counted with the numbers that are left out.
pub(super) fn with_drops(frame: u64, per_sec: u64) -> u64 {
    let dropped = per_sec / 15;
    let in_minute = 60 * per_sec - dropped;
    let in_ten_minutes = 10 * in_minute + dropped;
    let (tens, rest) = (frame / in_ten_minutes, frame % in_ten_minutes);
    // Only the first of ten minutes has all numbers.
    let minutes = if rest < in_minute + dropped { 0 } else { 1 + (rest - in_minute - dropped) / in_minute };
    frame + dropped * (9 * tens + minutes)
}

impl Default for FrameRate {
    fn default() -> Self {
        Self(30.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The start of a frame in seconds, found without the conversion that is tested.
    fn timecode(rate: FrameRate, frame: i64) -> String {
        rate.timecode(rate.secs_of(frame))
    }

    #[test]
    fn timecode_drops_frame_numbers_only_at_the_rates_of_ntsc() {
        let [_, _, ntsc, thirty, _, _, fast_ntsc, _] = FrameRate::USUAL;
        assert_eq!([1799, 1800].map(|frame| timecode(thirty, frame)), ["00:00:59:29", "00:01:00:00"]);
        assert_eq!([1799, 1800].map(|frame| timecode(ntsc, frame)), ["00:00:59;29", "00:01:00;02"]);
        assert_eq!([17_981, 17_982].map(|frame| timecode(ntsc, frame)), ["00:09:59;29", "00:10:00;00"]);
        assert_eq!([3599, 3600].map(|frame| timecode(fast_ntsc, frame)), ["00:00:59;59", "00:01:00;04"]);
        assert_eq!(timecode(fast_ntsc, 35_964), "00:10:00;00");
        assert_eq!(timecode(FrameRate::USUAL[0], 24 * 3600 + 5), "01:00:00:05");
        // One hour of real time is one hour of drop-frame timecode, but for less than a frame.
        assert_eq!(timecode(ntsc, 107_892), "01:00:00;00");
    }

    #[test]
    fn every_number_of_drop_frame_timecode_is_new_and_none_is_a_dropped_one() {
        let mut last = None;
        for frame in 0..40_000 {
            let number = with_drops(frame, 30);
            assert!(last.is_none_or(|last| number > last), "{frame}");
            assert!(number % 1800 >= 2 || number % 18_000 < 2, "{number} is dropped");
            last = Some(number);
        }
    }

    #[test]
    fn frames_come_back_from_their_times_and_usual_rates_are_found() {
        for rate in FrameRate::USUAL {
            for frame in [0, 1, 7, 1000, 86_399, 1_000_000] {
                assert_eq!(rate.snapped(rate.secs_of(frame)), rate.secs_of(frame), "{rate:?} {frame}");
            }
            assert_eq!(FrameRate::nearest(rate.frames_per_sec() as f32 as f64), rate);
        }
        assert_eq!(FrameRate::nearest(29.97), FrameRate::USUAL[2]);
        assert_eq!(FrameRate::nearest(f64::NAN), FrameRate::default());
        assert_eq!(FrameRate::nearest(1e9).frames_per_sec(), 1000.0);
        assert_eq!(FrameRate::USUAL.map(FrameRate::label), ["24", "25", "29.97", "30", "48", "50", "59.94", "60"]);
        assert_eq!(FrameRate::nearest(12.5).label(), "12.5");
    }
}
