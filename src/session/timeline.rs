//! Time in a session: the play heads over clip, take, keys and sequence, and the clock of all that moves by itself.

use super::{Edits, Session, TakeEntry};
use crate::head::Clip;

impl Session {
    /// As far as keys can be set where nothing else moves.
    pub const ROOM_FOR_KEYS_SECS: f32 = 10.0;

    /// The clip that drives its channels now.
    pub fn clip(&self) -> Option<&Clip> {
        self.head.clips.get(self.playback.clip?)
    }

    /// The clip that drives now, and its own play head: one shorter than the take it plays under starts over.
    pub(super) fn clip_now(&self) -> Option<(&Clip, f32)> {
        let time_secs = self.playback.time_secs;
        self.clip().map(|clip| (clip, clip.time_within(time_secs)))
    }

    /// The take that drives its channels now.
    pub fn take(&self) -> Option<&TakeEntry> {
        self.edits.take_entry(self.edits.take?)
    }

    /// Where the last of clip, take and keys ends, in seconds; 0 without any. Keys alone have room for more of them.
    pub fn timeline_secs(&self) -> f32 {
        let clip = self.clip().map_or(0.0, |clip| clip.duration_secs);
        let take = self.take().map_or(0.0, |entry| entry.take.duration_secs);
        let keys = &self.edits.keys;
        let room = if clip.max(take) == 0.0 && !keys.is_empty() { Self::ROOM_FOR_KEYS_SECS } else { 0.0 };
        clip.max(take).max(keys.end_secs()).max(room)
    }

    /// The play head stays on a timeline that may have become shorter.
    pub(super) fn stay_on_timeline(&mut self) {
        self.seek(self.playback.time_secs);
    }

    /// Chooses the clip that drives, from its start; none leaves its rows free.
    pub fn select_clip(&mut self, clip: Option<usize>) {
        self.playback.clip = clip.filter(|&clip| clip < self.head.clips.len());
        self.playback.time_secs = 0.0;
    }

    /// Lets time pass in which nothing was shown: blinks go on, play heads stand.
    pub fn rest(&mut self, elapsed_secs: f64) {
        self.clock_secs += elapsed_secs;
    }

    /// Lets `elapsed_secs` of clock pass.
    pub fn advance(&mut self, elapsed_secs: f64) {
        self.clock_secs += elapsed_secs;
        self.playback.advance(elapsed_secs as f32, self.timeline_secs());
        let sequence = &self.edits.sequence;
        if self.sequence_head.playing && sequence.is_on() {
            self.sequence_head.time_secs += elapsed_secs;
            self.sequence_head.playing = !sequence.is_over(self.sequence_head.time_secs);
        }
        for fade in self.fades.iter_mut() {
            fade.take_if(|fade| fade.is_over(self.clock_secs));
        }
    }

    /// Shows everything as it stands after it has run for a while from its start, on any machine.
    pub fn show_moment(&mut self, elapsed_secs: f64) {
        (self.clock_secs, self.sequence_head.time_secs, self.playback.time_secs) = (0.0, 0.0, 0.0);
        self.fades.fill(None);
        self.playback.playing = true;
        self.advance(elapsed_secs);
    }

    /// Starts or stops the timeline; at the end of one that does not loop, starts it over.
    pub fn toggle_playing(&mut self) {
        let end_secs = self.timeline_secs();
        if end_secs == 0.0 {
            return;
        }
        let ended = !self.playback.looping && self.playback.time_secs >= end_secs;
        if !self.playback.playing && ended {
            self.playback.time_secs = 0.0;
        }
        self.playback.playing = !self.playback.playing;
    }

    /// Puts the play head at a time within the timeline.
    pub fn seek(&mut self, time_secs: f32) {
        self.playback.time_secs = time_secs.clamp(0.0, self.timeline_secs());
    }

    /// Steps the play head while it stands still; a looping timeline is stepped around its ends.
    pub fn step(&mut self, delta_secs: f32) {
        let duration_secs = self.timeline_secs();
        self.playback.playing = false;
        let time_secs = self.playback.time_secs + delta_secs;
        let wraps = self.playback.looping && duration_secs > 0.0;
        self.seek(if wraps { time_secs.rem_euclid(duration_secs) } else { time_secs });
    }

    /// Starts or stops the sequence; at its end, starts it over.
    pub fn toggle_sequence(&mut self) {
        if !self.edits.sequence.is_on() {
            return;
        }
        if !self.sequence_head.playing && self.edits.sequence.is_over(self.sequence_head.time_secs) {
            self.sequence_head.time_secs = 0.0;
        }
        self.sequence_head.playing = !self.sequence_head.playing;
    }

    /// Seconds until something moves by itself: 0 while it does, none if nothing ever will.
    pub fn rest_secs(&self) -> Option<f64> {
        let plays = self.playback.playing && self.timeline_secs() > 0.0;
        let sequence_plays = self.sequence_head.playing && self.edits.sequence.is_on();
        if plays || sequence_plays || self.fades.iter().any(Option::is_some) {
            return Some(0.0);
        }
        let Edits { blink, gaze, .. } = &*self.edits;
        let blinks = blink.enabled.then(|| blink.rest_secs(self.clock_secs));
        let looks = gaze.enabled.then(|| gaze.rest_secs(self.clock_secs));
        [blinks, looks].into_iter().flatten().reduce(f64::min)
    }

    /// The time of blinks, gaze and fades.
    pub fn clock_secs(&self) -> f64 {
        self.clock_secs
    }
}
