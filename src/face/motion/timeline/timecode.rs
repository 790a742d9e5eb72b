//! Timecode with sub-frames, as a face capture states it.

use super::FrameRate;
use super::frame_rate::with_drops;

/// How timecode counts frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimecodeBase {
    /// Frames per second of timecode, a whole number.
    counts: u32,
    /// Drop-frame (SMPTE ST 12-1): a second of timecode takes 1.001 s, and numbers are left out so that the timecode keeps up
    /// with real time.
    is_drop: bool,
}

impl TimecodeBase {
    /// The counts that readers know. Hundredths and thousandths of a second are among them.
    const KNOWN: [u32; 11] = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240, 1000];

    /// How frames of a rate are counted: drop-frame at the rates of NTSC, else by the rate if it is among the known counts, else by
    /// a multiple of it, else by the next higher count, so that frames get sub-frames.
    pub fn of(rate: FrameRate) -> Self {
        let per_sec = rate.frames_per_sec();
        if rate.is_ntsc() {
            return Self { counts: per_sec.round() as u32, is_drop: true };
        }
        let is_high_enough = |counts: &&u32| f64::from(**counts) >= per_sec - 1e-9;
        let is_multiple = |counts: &&u32| {
            let steps = f64::from(**counts) / per_sec;
            (steps - steps.round()).abs() < 1e-9
        };
        let known = || Self::KNOWN.iter().filter(is_high_enough);
        let counts = known().find(is_multiple).or_else(|| known().next()).copied();
        Self { counts: counts.unwrap_or(1000), is_drop: false }
    }

    /// Frames of timecode per second of real time.
    fn frames_per_sec(self) -> f64 {
        f64::from(self.counts) * if self.is_drop { 1000.0 / 1001.0 } else { 1.0 }
    }

    /// The first numbers of a minute that drop-frame timecode leaves out.
    fn dropped_per_minute(self) -> u32 {
        if self.is_drop { self.counts / 15 } else { 0 }
    }

    /// The timecode at a number of real seconds since midnight, `HH:MM:SS:FF.sub`; drop-frame with a `;` before the frames. It
    /// starts again at midnight.
    pub fn text(self, secs: f64) -> String {
        let counts = u64::from(self.counts);
        let frames_per_day = 144 * (600 * counts - 9 * u64::from(self.dropped_per_minute()));
        // Rounded as a whole, so that no sub-frame becomes 1.
        let millionths = (secs.max(0.0) * self.frames_per_sec() * 1e6).round() as u64 % (frames_per_day * 1_000_000);
        let (frame, sub) = (millionths / 1_000_000, millionths % 1_000_000);
        // Three digits, as captures have them, unless a frame of an odd rate needs more.
        let sub = if sub.is_multiple_of(1000) { format!("{:03}", sub / 1000) } else { format!("{sub:06}") };
        let number = if self.is_drop { with_drops(frame, counts) } else { frame };
        let (secs, frames) = (number / counts, number % counts);
        let (hours, minutes, secs) = (secs / 3600, secs / 60 % 60, secs % 60);
        let separator = if self.is_drop { ';' } else { ':' };
        format!("{hours:02}:{minutes:02}:{secs:02}{separator}{frames:02}.{sub}")
    }

    /// The real seconds since midnight of a timecode `HH:MM:SS:FF.sub`, or of a time of day `HH:MM:SS.sub`. None for other text.
    pub fn secs(self, text: &str) -> Option<f64> {
        let parts: Vec<&str> = text.trim().split([':', ';']).collect();
        let whole = |at: usize, end: u32| parts.get(at)?.parse().ok().filter(|number: &u32| *number < end);
        let fraction = |at: usize, end: f64| {
            let number = parts.get(at)?.replacen(',', ".", 1).parse().ok();
            number.filter(|number: &f64| (0.0..end).contains(number))
        };
        let minutes = whole(0, 24)? * 60 + whole(1, 60)?;
        if parts.len() == 3 {
            return Some(f64::from(minutes * 60) + fraction(2, 60.0)?);
        }
        let (second, frames) = (minutes * 60 + whole(2, 60)?, fraction(3, 1e4).filter(|_| parts.len() == 4)?);
        let dropped = (minutes - minutes / 10) * self.dropped_per_minute();
        Some((f64::from(second) * f64::from(self.counts) + frames - f64::from(dropped)) / self.frames_per_sec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(frames_per_sec: f64) -> TimecodeBase {
        TimecodeBase::of(FrameRate::nearest(frames_per_sec))
    }

    #[test]
    fn rates_are_counted_by_numbers_that_readers_know() {
        let counts = |rate: f64| (base(rate).counts, base(rate).is_drop);
        for rate in [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0, 1000.0] {
            assert_eq!(counts(rate), (rate as u32, false));
        }
        assert_eq!((counts(29.97), counts(59.94)), ((30, true), (60, true)));
        assert_eq!(
            (counts(12.5), counts(15.0), counts(20.0), counts(10.0)),
            ((25, false), (30, false), (60, false), (30, false))
        );
        assert_eq!((counts(23.976), counts(33.3), counts(333.0)), ((24, false), (48, false), (1000, false)));
    }

    #[test]
    fn timecode_and_seconds_are_the_same_moment() {
        for rate in [23.976, 24.0, 25.0, 29.97, 30.0, 33.3, 59.94, 60.0, 1000.0] {
            let base = base(rate);
            for secs in [0.0, 0.5, 59.97, 60.0, 61.3, 599.99, 600.0, 3600.0, 67_438.25, 86_000.25] {
                let text = base.text(secs);
                let read = base.secs(&text).unwrap();
                assert!(
                    (read - secs).abs() < 0.51e-6 / f64::from(base.counts) * 1.01,
                    "{rate}: {secs} s is {text}, {read} s"
                );
            }
        }
    }

    #[test]
    fn drop_frame_leaves_out_the_first_numbers_of_minutes_and_passes_midnight() {
        let ntsc = base(29.97);
        let at = |frame: f64| ntsc.text(frame * 1001.0 / 30_000.0);
        assert_eq!([1799.0, 1800.0, 17_982.0].map(at), ["00:00:59;29.000", "00:01:00;02.000", "00:10:00;00.000"]);
        assert_eq!(
            (at(24.0 * 107_892.0 - 1.0), at(24.0 * 107_892.0)),
            ("23:59:59;29.000".into(), "00:00:00;00.000".into())
        );
        assert_eq!(base(60.0).text(86_400.5), "00:00:00:30.000");
        assert_eq!(base(60.0).text(0.016_666), "00:00:00:00.999960");
        assert_eq!(base(60.0).text(0.016_666_666_66), "00:00:00:01.000", "no sub-frame of 1");
        assert_eq!(base(60.0).text(f64::NAN), "00:00:00:00.000");
    }

    #[test]
    fn other_text_is_no_timecode() {
        let secs = base(60.0).secs("18:43:58:59.723").unwrap();
        assert!((secs - (67_438.0 + 59.723 / 60.0)).abs() < 1e-9, "{secs}");
        assert_eq!(base(60.0).secs("00:01:02,25"), Some(62.25));
        for text in
            ["", "1", "1:2", "24:00:00:00", "00:00:60:00", "a:b:c:d", "00:00:00:-1", "0:0:0:0:0", "00:00:00:nan"]
        {
            assert_eq!(base(60.0).secs(text), None, "{text}");
        }
    }
}
