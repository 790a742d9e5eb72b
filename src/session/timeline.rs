//! Operations on the clock, and the duration of the timeline.

use super::{Edits, Session, TakeEntry};
use crate::head::Clip;
use crate::motion::TimeStep;

impl Session {
    /// The shortest timeline if there are only keys, so that there is room for more keys.
    pub const LEAST_KEYS_SECS: f32 = 10.0;

    /// The selected clip.
    pub fn clip(&self) -> Option<&Clip> {
        self.head.clips.get(self.clip_index?)
    }

    /// The selected clip and its own time: a clip that is shorter than the timeline repeats.
    pub(super) fn clip_now(&self) -> Option<(&Clip, f32)> {
        let time_secs = self.clock.timeline.time_secs;
        self.clip().map(|clip| (clip, clip.time_within(time_secs)))
    }

    /// The selected take.
    pub fn take(&self) -> Option<&TakeEntry> {
        self.edits.take_entry(self.edits.take?)
    }

    /// The end of the last of clip, take, keys and a sequence without a clock of its own, in seconds; 0 if there is none. With keys alone, at least
    /// [`Self::LEAST_KEYS_SECS`].
    pub fn timeline_secs(&self) -> f32 {
        let clip = self.clip().map_or(0.0, |clip| clip.duration_secs);
        let take = self.take().map_or(0.0, |entry| entry.take.duration_secs);
        let keys = &self.edits.keys;
        let sequence = self.edits.sequence.timeline_secs();
        let played = clip.max(take).max(sequence);
        let room = if played == 0.0 && !keys.is_empty() { Self::LEAST_KEYS_SECS } else { 0.0 };
        played.max(keys.end_secs()).max(room)
    }

    /// Limits the play head to the timeline, which may have become shorter.
    pub(super) fn stay_on_timeline(&mut self) {
        self.seek(self.clock.timeline.time_secs);
    }

    /// Selects the clip that plays, and starts it from its beginning. With `None`, no clip drives the head.
    pub fn select_clip(&mut self, clip: Option<usize>) {
        self.clip_index = clip.filter(|&clip| clip < self.head.clips.len());
        self.clock.timeline.time_secs = 0.0;
    }

    /// Advances the time by a number of seconds or by a [`TimeStep`].
    pub fn advance(&mut self, step: impl Into<TimeStep>) {
        self.clock.advance(step.into(), self.timeline_secs(), &self.edits.sequence);
        let now_secs = self.clock.running_secs();
        if self.fades.iter().flatten().any(|fade| fade.is_over(now_secs)) {
            self.fades.iter_mut().for_each(|fade| drop(fade.take_if(|fade| fade.is_over(now_secs))));
        }
    }

    /// Shows the animation at a time after its start. The result is the same on any machine.
    pub fn show_moment(&mut self, elapsed_secs: f64) {
        self.clock.restart();
        self.fades.fill(None);
        self.advance(elapsed_secs);
    }

    /// Starts or stops playback; at the end of a timeline that does not loop, starts from the beginning.
    pub fn toggle_playing(&mut self) {
        self.clock.timeline.toggle(self.timeline_secs());
    }

    /// Moves the play head to a time, limited to the timeline.
    pub fn seek(&mut self, time_secs: f32) {
        self.clock.timeline.seek(time_secs, self.timeline_secs());
    }

    /// Stops playback and moves the play head by `delta_secs`. On a looping timeline, a step past one end continues at
    /// the other.
    pub fn step(&mut self, delta_secs: f32) {
        self.clock.timeline.step(delta_secs, self.timeline_secs());
    }

    /// Stops playback and moves the play head by a number of frames, from frame to frame of the selected take, or else of
    /// 30 frames per second.
    pub fn step_frames(&mut self, frames: i32) {
        let rate = self.take().and_then(|entry| entry.take.frames_per_sec).filter(|rate| *rate > 0.0).unwrap_or(30.0);
        let now = self.clock.timeline.time_secs;
        let to = ((now * rate).round() + frames as f32) / rate;
        self.step(to - now);
    }

    /// Seconds until the next animated movement: 0 while something moves, `None` if nothing is animated.
    pub fn secs_until_motion(&self) -> Option<f64> {
        let plays = self.clock.timeline.playing && self.timeline_secs() > 0.0;
        let Edits { blink, gaze, sequence, .. } = &*self.edits;
        let sequence_plays = self.clock.sequence.playing && sequence.is_on() && sequence.has_own_clock;
        if plays || sequence_plays || self.fades.iter().any(Option::is_some) {
            return Some(0.0);
        }
        let blinks = blink.enabled.then(|| blink.secs_until_motion(self.clock.running_secs()));
        let looks = gaze.enabled.then(|| gaze.secs_until_motion(self.clock.running_secs()));
        [blinks, looks].into_iter().flatten().reduce(f64::min)
    }
}
