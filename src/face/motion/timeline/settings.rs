//! The settings of the timeline, which are saved with the project.

use serde::{Deserialize, Serialize};

use super::{FrameRate, TimeDisplay};

/// The frame rate, how times are shown, and the range that plays.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TimelineSettings {
    /// Frames per second, those of the first take.
    pub rate: FrameRate,
    /// How times are shown.
    pub display: TimeDisplay,
    /// Whether keys and the play head are dragged from frame to frame.
    pub snaps: bool,
    /// Whether dragging a slider sets keys.
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
        let time = |secs: Option<f32>| secs.filter(|secs| secs.is_finite() && *secs >= 0.0);
        let (in_secs, mut out_secs) = (time(self.in_secs), time(self.out_secs));
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

    /// A time as text.
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
