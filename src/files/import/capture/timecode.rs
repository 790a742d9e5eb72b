//! SMPTE timecode `HH:MM:SS:FF`, with sub-frames `.sub`. Files do not state its frame rate, so it is estimated.

use crate::import::median;

const DAY_SECS: u32 = 24 * 3600;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Timecode {
    /// Whole seconds since midnight, as the timecode counts them.
    pub second: u32,
    /// Frames since that second, with sub-frames as fraction; or a fraction of a second if the timecode has no frames.
    pub count: f64,
    /// The form `HH:MM:SS.fraction`, without frames.
    pub is_plain_clock: bool,
    /// There is a `;` before the frames, the usual sign of drop-frame timecode.
    pub has_drop_sign: bool,
}

impl Timecode {
    /// Reads `18:43:58:59.723`, `01:00:00;02` or `18:43:58.25`; a comma is read as a point.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.trim().split([':', ';']).collect();
        let (hour, minute) = (whole(parts.first()?, 24)?, whole(parts.get(1)?, 60)?);
        let minutes = hour * 60 + minute;
        match parts[2..] {
            [second, count] => Some(Self {
                second: minutes * 60 + whole(second, 60)?,
                count: fraction(count).filter(|count| *count < 1e4)?,
                has_drop_sign: text.contains(';'),
                ..Self::default()
            }),
            [second] => {
                let secs = fraction(second).filter(|secs| *secs < 60.0)?;
                let second = minutes * 60 + secs as u32;
                Some(Self { second, count: secs.fract(), is_plain_clock: true, ..Self::default() })
            }
            _ => None,
        }
    }

    /// Whether what follows the point is the time of the frame within its second, in milliseconds, as NeuroSync writes
    /// it: `00:00:00:01.016` is the second of 60 frames.
    pub(super) fn repeat_frames<'a>(codes: impl Iterator<Item = &'a Self> + Clone) -> bool {
        const FEWEST: usize = 8;
        let with_frames = codes.clone().filter(|code| !code.is_plain_clock && code.count >= 1.0);
        with_frames.clone().count() >= FEWEST
            && TimecodeRate::KNOWN.iter().any(|rate| {
                with_frames
                    .clone()
                    .all(|code| (code.count.floor() / f64::from(*rate) - code.count.fract()).abs() < 1.1e-3)
            })
    }
}

fn fraction(part: &str) -> Option<f64> {
    let part = part.replacen(',', ".", 1);
    let is_number = part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    part.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

fn whole(part: &str, end: u32) -> Option<u32> {
    let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    part.parse().ok().filter(|number: &u32| is_number && *number < end)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimecodeRate {
    /// Frames per second of timecode: 24, 25, 30, 50, 60 …
    pub counts: u32,
    /// Drop-frame: for a rate of 30, two numbers are skipped every minute but every tenth, and the real rate is 29.97.
    pub is_drop: bool,
    /// The rate follows from the file: it has frames on both sides of the start of a second.
    pub is_measured: bool,
}

impl TimecodeRate {
    /// Rates of cameras and phones; 100 and 1000 are hundredths and thousandths of a second.
    const KNOWN: [u32; 11] = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240, 1000];
    /// Rates that are assumed for a take too short to measure; the first that is higher than all its counts.
    const LIKELY: [u32; 5] = [30, 60, 120, 240, 1000];

    /// Estimates the rate: at the start of each second, the count drops by the rate minus the step between frames.
    pub(super) fn estimate(codes: &[Timecode]) -> Self {
        let most = codes.iter().map(|code| code.count).fold(0.0, f64::max);
        let steps = codes.windows(2).filter(|pair| pair[0].second == pair[1].second);
        let step = median(steps.map(|pair| pair[1].count - pair[0].count).filter(|step| *step > 0.0));
        // Without two frames in one second there is no step, and frames are a second apart.
        let starts = codes.windows(2).filter(|pair| pair[1].second == (pair[0].second + 1) % DAY_SECS);
        let rates = starts.map(|pair| (pair[1].second, pair[0].count + step.unwrap_or(0.0) - pair[1].count));
        let (at_minutes, at_seconds): (Vec<_>, Vec<_>) = rates.partition(|(second, _)| skips_numbers_at(*second));
        let [at_minutes, at_seconds] =
            [at_minutes, at_seconds].map(|rates| median(rates.into_iter().map(|(_, rate)| rate)));
        let measured = step.and(at_seconds.or(at_minutes)).and_then(|counts| {
            let possible = Self::KNOWN.into_iter().filter(|rate| f64::from(*rate) > most.floor());
            possible.min_by(|a, b| (f64::from(*a) - counts).abs().total_cmp(&(f64::from(*b) - counts).abs()))
        });
        let likely = Self::LIKELY.into_iter().find(|rate| f64::from(*rate) > most.floor());
        let counts = measured.or(likely).unwrap_or(most as u32 + 1);
        let mut rate = Self { counts, is_drop: false, is_measured: measured.is_some() };
        if counts.is_multiple_of(30) {
            let dropped = f64::from(rate.dropped_per_minute());
            let skipped = at_minutes.zip(at_seconds).is_some_and(|(minute, second)| second - minute > 0.5 * dropped);
            rate.is_drop = skipped || codes.iter().any(|code| code.has_drop_sign);
        }
        rate
    }

    pub(super) fn frames_per_sec(self) -> f64 {
        f64::from(self.counts) * if self.is_drop { 1000.0 / 1001.0 } else { 1.0 }
    }

    pub(super) fn secs(self, code: Timecode) -> f64 {
        if code.is_plain_clock {
            return f64::from(code.second) + code.count;
        }
        let minutes = code.second / 60;
        let skipped = if self.is_drop { (minutes - minutes / 10) * self.dropped_per_minute() } else { 0 };
        let frames = f64::from(code.second * self.counts) + code.count - f64::from(skipped);
        frames / self.frames_per_sec()
    }

    /// Real seconds that a day of timecode takes.
    pub(super) fn day_secs(self) -> f64 {
        self.secs(Timecode { second: DAY_SECS, ..Timecode::default() })
    }

    fn dropped_per_minute(self) -> u32 {
        self.counts / 30 * 2
    }
}

/// Whether drop-frame timecode skips numbers at the start of a second of the day.
fn skips_numbers_at(second: u32) -> bool {
    second.is_multiple_of(60) && !second.is_multiple_of(600)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The timecode of real frame `frame`, plus `sub`, counted from midnight.
    fn code(counts: u32, is_drop: bool, frame: u32, sub: f64) -> Timecode {
        let mut number = frame;
        if is_drop {
            // Ten minutes lose nine times the dropped numbers.
            let dropped = counts / 30 * 2;
            let (minute, ten) = (counts * 60 - dropped, counts * 600 - 9 * dropped);
            let rest = frame % ten;
            number += 9 * dropped * (frame / ten);
            if rest >= dropped {
                number += dropped * ((rest - dropped) / minute);
            }
        }
        Timecode { second: number / counts, count: f64::from(number % counts) + sub, ..Timecode::default() }
    }

    #[test]
    fn timecodes_are_parsed_and_other_text_is_refused() {
        let read = |text: &str| Timecode::parse(text).map(|code| (code.second, code.count));
        assert_eq!(read("18:43:58:59.723"), Some((67_438, 59.723)));
        assert_eq!(read(" 00:00:01;02 "), Some((1, 2.0)));
        assert_eq!(read("00:01:02:03,5"), Some((62, 3.5)));
        assert_eq!(read("00:01:02.25"), Some((62, 0.25)));
        assert!(Timecode::parse("00:00:00;02").unwrap().has_drop_sign);
        let others = "12 1:2 24:00:00:00 00:60:00:00 00:00:60:00 00:00:00:-1 a:b:c:d :::: 00:00:00:1e3 \
                      00:00:00:00:00 +1:00:00:00 00:00:00:nan 00:00:00:99999";
        for text in std::iter::once("").chain(others.split(' ').filter(|text| !text.is_empty())) {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn every_rate_is_measured_and_times_are_those_of_the_frames() {
        let without_drop = [24, 25, 30, 48, 50, 60, 120].map(|counts| (counts, false));
        for (counts, is_drop) in without_drop.into_iter().chain([(30, true), (60, true)]) {
            // 20 s across a minute at which drop-frame skips numbers, with sub-frames, one frame in 13 missing.
            let frames: Vec<u32> = (50 * counts..70 * counts).filter(|frame| frame % 13 != 0).collect();
            let codes: Vec<Timecode> = frames.iter().map(|&frame| code(counts, is_drop, frame, 0.25)).collect();
            let rate = TimecodeRate::estimate(&codes);
            assert_eq!(rate, TimecodeRate { counts, is_drop, is_measured: true });
            for (frame, code) in frames.iter().zip(&codes) {
                let expected = (f64::from(*frame) + 0.25) / rate.frames_per_sec();
                assert!((rate.secs(*code) - expected).abs() < 1e-9, "{counts} {frame}");
            }
        }
    }

    #[test]
    fn the_rate_of_the_recording_does_not_change_the_rate_of_timecode() {
        for (counts, step) in [(60, 1.0016), (60, 2.0), (30, 0.5), (60, 2.503), (25, 0.41667), (24, 0.999)] {
            let at = |frame: u32| {
                let total = 7.3 + f64::from(frame) * step;
                let second = (total / f64::from(counts)) as u32;
                Timecode { second, count: total - f64::from(second * counts), ..Timecode::default() }
            };
            let codes: Vec<Timecode> = (0..400).map(at).collect();
            let measured = TimecodeRate { counts, is_drop: false, is_measured: true };
            assert_eq!(TimecodeRate::estimate(&codes), measured, "{step}");
        }
    }

    #[test]
    fn a_take_too_short_to_measure_has_a_likely_rate() {
        let codes = |last: u32| (0..=last).map(|frame| code(1000, false, frame, 0.5)).collect::<Vec<_>>();
        assert_eq!(TimecodeRate::estimate(&codes(20)), TimecodeRate { counts: 30, is_drop: false, is_measured: false });
        assert_eq!(TimecodeRate::estimate(&codes(30)).counts, 60);
        assert_eq!(TimecodeRate::estimate(&[]).counts, 30);
    }

    #[test]
    fn a_day_of_timecode_takes_a_day() {
        assert_eq!(TimecodeRate { counts: 30, is_drop: false, is_measured: true }.day_secs(), 86_400.0);
        assert!((TimecodeRate { counts: 30, is_drop: true, is_measured: true }.day_secs() - 86_399.913_6).abs() < 1e-3);
    }
}
