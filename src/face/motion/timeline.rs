//! The timeline of a session: its frame rate, how times are shown, and the range that plays.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FrameRate(f64);

impl FrameRate {
    /// The usual rates of film and video. Those of NTSC are 1000/1001 of a whole number.
    pub const USUAL: [Self; 9] = [
        Self(24_000.0 / 1001.0),
        Self(24.0),
        Self(25.0),
        Self::NTSC,
        Self(30.0),
        Self(48.0),
        Self(50.0),
        Self::FAST_NTSC,
        Self(60.0),
    ];
    pub const NTSC: Self = Self(30_000.0 / 1001.0);
    const FAST_NTSC: Self = Self(60_000.0 / 1001.0);
    pub const LIMITS: [f64; 2] = [1.0, 1000.0];

    /// The usual rate if there is one within 0.02 %, else this one, limited to [`Self::LIMITS`]. A number that is not
    /// finite gives the default.
    pub fn nearest(frames_per_sec: f64) -> Self {
        if !frames_per_sec.is_finite() {
            return Self::default();
        }
        let [least, most] = Self::LIMITS;
        let usual = Self::USUAL.iter().find(|usual| (usual.0 - frames_per_sec).abs() < 2e-4 * usual.0);
        usual.copied().unwrap_or(Self(frames_per_sec.clamp(least, most)))
    }

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

    pub fn secs_of(self, frame: i64) -> f32 {
        (frame as f64 / self.0) as f32
    }

    pub fn snapped(self, secs: f32) -> f32 {
        self.secs_of(self.frame_at(secs).round() as i64)
    }

    fn is_ntsc(self) -> bool {
        [Self::NTSC, Self::FAST_NTSC].contains(&self)
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
fn with_drops(frame: u64, per_sec: u64) -> u64 {
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimecodeBase {
    /// Frames per second of timecode, a whole number.
    counts: u32,
    /// Drop-frame (SMPTE ST 12-1): a second of timecode takes 1.001 s, and numbers are left out so that the timecode
    /// keeps up with real time.
    is_drop: bool,
}

impl TimecodeBase {
    /// The counts that readers know. Hundredths and thousandths of a second are among them.
    const KNOWN: [u32; 11] = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240, 1000];

    /// How frames of a rate are counted: drop-frame at the rates of NTSC, else by the rate if it is among the known
    /// counts, else by a multiple of it, else by the next higher count, so that frames get sub-frames.
    pub fn for_rate(rate: FrameRate) -> Self {
        let per_sec = rate.frames_per_sec();
        if rate.is_ntsc() {
            return Self { counts: per_sec.round() as u32, is_drop: true };
        }
        let mut high_enough = Self::KNOWN.into_iter().filter(|counts| f64::from(*counts) >= per_sec - 1e-9);
        let multiple = high_enough.clone().find(|counts| {
            let steps = f64::from(*counts) / per_sec;
            (steps - steps.round()).abs() < 1e-9
        });
        Self { counts: multiple.or_else(|| high_enough.next()).unwrap_or(1000), is_drop: false }
    }

    /// Frames of timecode per second of real time.
    fn frames_per_sec(self) -> f64 {
        f64::from(self.counts) * if self.is_drop { 1000.0 / 1001.0 } else { 1.0 }
    }

    /// The first numbers of a minute that drop-frame timecode leaves out.
    fn dropped_per_minute(self) -> u32 {
        if self.is_drop { self.counts / 15 } else { 0 }
    }

    /// The timecode at a number of real seconds since midnight, `HH:MM:SS:FF.sub`; drop-frame with a `;` before the
    /// frames. It starts again at midnight.
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

    /// The real seconds since midnight of a timecode `HH:MM:SS:FF.sub`, or of a time of day `HH:MM:SS.sub`. None for
    /// other text.
    pub fn secs(self, text: &str) -> Option<f64> {
        let parts: Vec<&str> = text.trim().split([':', ';']).collect();
        let [hours, minutes, rest @ ..] = &parts[..] else { return None };
        let minutes = whole(hours, 24)? * 60 + whole(minutes, 60)?;
        match rest {
            [secs] => Some(f64::from(minutes * 60) + fraction(secs, 60.0)?),
            [secs, frames] => {
                let (second, frames) = (minutes * 60 + whole(secs, 60)?, fraction(frames, 1e4)?);
                let dropped = (minutes - minutes / 10) * self.dropped_per_minute();
                let counts = f64::from(second) * f64::from(self.counts) + frames - f64::from(dropped);
                Some(counts / self.frames_per_sec())
            }
            _ => None,
        }
    }
}

/// A whole number below `end`.
fn whole(text: &str, end: u32) -> Option<u32> {
    text.parse().ok().filter(|number| *number < end)
}

/// A number from 0 to `end`, with a point or a comma.
fn fraction(text: &str, end: f64) -> Option<f64> {
    text.replacen(',', ".", 1).parse().ok().filter(|number| (0.0..end).contains(number))
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
pub enum TimeDisplay {
    #[default]
    Seconds,
    /// Frames, counted from 0.
    Frames,
    /// Hours, minutes, seconds and frames.
    Timecode,
}

impl TimeDisplay {
    /// All ways, in the order of the menu.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        self.into()
    }

    pub fn text(self, rate: FrameRate, secs: f32) -> String {
        match self {
            Self::Seconds => format!("{secs:.2} s"),
            Self::Frames => format!("f {:.0}", rate.frame_at(secs)),
            Self::Timecode => rate.timecode(secs),
        }
    }
}

/// Time that is inserted into everything on the timeline, or deleted from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeChange {
    /// Everything from a time on comes later.
    Insert { at_secs: f32, secs: f32 },
    /// What is between two times is removed, and everything after it comes earlier.
    Delete { from_secs: f32, to_secs: f32 },
}

impl TimeChange {
    /// The change after which what is at `from_secs` is at `to_secs`, and everything later moves along.
    pub fn moving(from_secs: f32, to_secs: f32) -> Self {
        if to_secs < from_secs {
            Self::Delete { from_secs: to_secs, to_secs: from_secs }
        } else {
            Self::Insert { at_secs: from_secs, secs: to_secs - from_secs }
        }
    }

    /// Where a point of the timeline is afterwards. A point in deleted time is at the cut; one at the moment of an
    /// insertion stays.
    pub fn of_point(self, secs: f32) -> f32 {
        match self {
            Self::Insert { at_secs, secs: longer } => {
                if secs > at_secs {
                    secs + longer
                } else {
                    secs
                }
            }
            Self::Delete { from_secs, to_secs } => secs.min(from_secs).max(secs - (to_secs - from_secs)),
        }
    }
}

impl TimelineSettings {
    /// The settings with the in and the out point where they are afterwards. If nothing is left between them, both are
    /// unset.
    #[must_use]
    pub fn rippled(self, change: TimeChange) -> Self {
        let [in_secs, out_secs] = [self.in_secs, self.out_secs].map(|secs| secs.map(|secs| change.of_point(secs)));
        let is_empty = matches!((in_secs, out_secs), (Some(start), Some(end)) if start >= end);
        if is_empty { Self { in_secs: None, out_secs: None, ..self } } else { Self { in_secs, out_secs, ..self } }
    }
}

/// The frame rate, how times are shown, and the range that plays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TimelineSettings {
    /// Frames per second, those of the first take.
    pub rate: FrameRate,
    pub display: TimeDisplay,
    /// Whether keys and the play head are dragged from frame to frame.
    pub snaps: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub auto_keys: bool,
    /// Where playback starts, if not at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_secs: Option<f32>,
    /// Where playback ends, if not at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out_secs: Option<f32>,
}

impl Default for TimelineSettings {
    fn default() -> Self {
        Self {
            rate: FrameRate::default(),
            display: TimeDisplay::default(),
            snaps: true,
            auto_keys: false,
            in_secs: None,
            out_secs: None,
        }
    }
}

impl TimelineSettings {
    /// The same settings with a usable frame rate and range, where a file may hold others.
    #[must_use]
    pub fn within_reason(self) -> Self {
        let [in_secs, mut out_secs] =
            [self.in_secs, self.out_secs].map(|secs| secs.filter(|secs| secs.is_finite() && *secs >= 0.0));
        if let (Some(start), Some(end)) = (in_secs, out_secs)
            && start >= end
        {
            out_secs = None;
        }
        Self { rate: FrameRate::nearest(self.rate.frames_per_sec()), in_secs, out_secs, ..self }
    }

    /// The seconds that play, on a timeline of `duration_secs`: from in to out as far as the timeline reaches; the
    /// whole timeline if nothing of it is between them.
    pub fn range_secs(&self, duration_secs: f32) -> [f32; 2] {
        let start = self.in_secs.unwrap_or(0.0).clamp(0.0, duration_secs);
        let end = self.out_secs.unwrap_or(duration_secs).clamp(0.0, duration_secs);
        if start < end { [start, end] } else { [0.0, duration_secs] }
    }

    /// Sets where playback starts, and clears an end that is not later. `None` for the start of the timeline.
    pub fn set_in(&mut self, secs: Option<f32>) {
        self.in_secs = secs;
        self.out_secs.take_if(|end| secs.is_some_and(|start| start >= *end));
    }

    /// Sets where playback ends, and clears a start that is not earlier. `None` for the end of the timeline.
    pub fn set_out(&mut self, secs: Option<f32>) {
        self.out_secs = secs.filter(|secs| *secs > 0.0);
        self.in_secs.take_if(|start| secs.is_some_and(|end| *start >= end));
    }

    /// The nearest frame if frames are snapped to, else the time itself.
    pub fn snapped(&self, secs: f32) -> f32 {
        self.dragged_to(secs, false)
    }

    /// The time that a drag to `secs` reaches, while a key that turns snapping round is held or not.
    pub fn dragged_to(&self, secs: f32, is_turned_round: bool) -> f32 {
        if self.snaps == is_turned_round { secs } else { self.rate.snapped(secs) }
    }

    pub fn text(&self, secs: f32) -> String {
        self.display.text(self.rate, secs)
    }

    /// A length of time as text: "24 frames" where a time is "f 24".
    pub fn length_text(&self, secs: f32) -> String {
        match (self.display, self.rate.frame_at(secs).round()) {
            (TimeDisplay::Frames, 1.0) => "1 frame".into(),
            (TimeDisplay::Frames, frames) => format!("{frames:.0} frames"),
            (TimeDisplay::Seconds | TimeDisplay::Timecode, _) => self.text(secs),
        }
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
        let [_, _, _, ntsc, thirty, _, _, fast_ntsc, _] = FrameRate::USUAL;
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
        assert_eq!(FrameRate::nearest(29.97), FrameRate::NTSC);
        assert_eq!(FrameRate::nearest(f64::NAN), FrameRate::default());
        assert_eq!(FrameRate::nearest(1e9).frames_per_sec(), 1000.0);
        assert_eq!(
            FrameRate::USUAL.map(FrameRate::label),
            ["23.976", "24", "25", "29.97", "30", "48", "50", "59.94", "60"]
        );
        assert_eq!(FrameRate::nearest(12.5).label(), "12.5");
    }

    fn base(frames_per_sec: f64) -> TimecodeBase {
        TimecodeBase::for_rate(FrameRate::nearest(frames_per_sec))
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

    #[test]
    fn points_move_with_what_they_mark() {
        let insert = TimeChange::moving(2.0, 5.0);
        assert_eq!([1.0, 2.0, 3.0].map(|secs| insert.of_point(secs)), [1.0, 2.0, 6.0]);
        let delete = TimeChange::moving(5.0, 2.0);
        assert_eq!(delete, TimeChange::Delete { from_secs: 2.0, to_secs: 5.0 });
        assert_eq!([1.0, 2.0, 3.0, 5.0, 7.0].map(|secs| delete.of_point(secs)), [1.0, 2.0, 2.0, 2.0, 4.0]);
    }

    #[test]
    fn the_range_moves_along_and_is_unset_when_it_is_deleted() {
        let settings = TimelineSettings { in_secs: Some(3.0), out_secs: Some(6.0), ..TimelineSettings::default() };
        let ends = |change| {
            let settings = settings.rippled(change);
            (settings.in_secs, settings.out_secs)
        };
        assert_eq!(ends(TimeChange::moving(1.0, 2.0)), (Some(4.0), Some(7.0)));
        assert_eq!(ends(TimeChange::moving(4.0, 2.0)), (Some(2.0), Some(4.0)));
        assert_eq!(ends(TimeChange::moving(7.0, 2.0)), (None, None));
    }

    #[test]
    fn a_length_counts_frames() {
        let mut settings = TimelineSettings::default();
        let [one, many] = [1, 24].map(|frames| settings.rate.secs_of(frames));
        settings.display = TimeDisplay::Frames;
        assert_eq!([one, many].map(|secs| settings.length_text(secs)), ["1 frame", "24 frames"]);
        assert_eq!(settings.text(many), "f 24");
        settings.display = TimeDisplay::Seconds;
        assert_eq!(settings.length_text(1.5), "1.50 s");
    }

    #[test]
    fn the_range_is_within_the_timeline_and_never_empty() {
        let mut settings = TimelineSettings::default();
        assert_eq!(settings.range_secs(8.0), [0.0, 8.0]);
        settings.set_in(Some(2.0));
        settings.set_out(Some(5.0));
        assert_eq!((settings.range_secs(8.0), settings.range_secs(4.0)), ([2.0, 5.0], [2.0, 4.0]));
        assert_eq!(settings.range_secs(1.0), [0.0, 1.0], "a shorter take plays as a whole");
        settings.set_in(Some(6.0));
        assert_eq!((settings.in_secs, settings.out_secs), (Some(6.0), None));
        settings.set_out(Some(3.0));
        assert_eq!((settings.in_secs, settings.out_secs), (None, Some(3.0)));
        let damaged = TimelineSettings { in_secs: Some(f32::NAN), out_secs: Some(-1.0), ..settings }.within_reason();
        assert_eq!(damaged.range_secs(8.0), [0.0, 8.0]);
        let crossed = TimelineSettings { in_secs: Some(3.0), out_secs: Some(1.0), ..settings }.within_reason();
        assert_eq!(crossed.range_secs(8.0), [3.0, 8.0]);
    }
}
