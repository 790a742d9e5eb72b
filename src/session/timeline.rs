//! Operations on the clock, and the duration of the timeline.

use super::edits::clip_rate;
use super::{ClipName, Edits, Session, TakeEntry};
use smirk_face::head::Clip;
use smirk_face::motion::TimeStep;

impl Session {
    /// The shortest timeline if there are only keys, so that there is room for more keys.
    pub const LEAST_KEYS_SECS: f32 = 10.0;

    /// The clips that play, in the order of the head's list.
    pub fn clips(&self) -> impl Iterator<Item = &Clip> {
        self.playing_clips.iter().filter_map(|&clip| self.head.clips.get(clip))
    }

    /// The names of the clips that play, in the order in which they were chosen, also of those that the head lacks.
    pub fn clip_names(&self) -> &[ClipName] {
        &self.clip_names
    }

    /// The names of the clips that would play if the head had them.
    pub fn lacking_clips(&self) -> impl Iterator<Item = &ClipName> {
        self.clip_names.iter().filter(|clip| clip.index_on(&self.head).is_none())
    }

    pub fn plays_clip(&self, clip: usize) -> bool {
        self.playing_clips.contains(&clip)
    }

    /// The selected take.
    pub fn take(&self) -> Option<&TakeEntry> {
        self.edits.take_entry(self.edits.take?)
    }

    /// The end of the last of clips, take, keys and a sequence without a clock of its own, in seconds; 0 if there is
    /// none. With none of them but keys, it reaches to the end of the sound and to the last marker, and is at least
    /// [`Self::LEAST_KEYS_SECS`].
    pub fn timeline_secs(&self) -> f32 {
        let clip = self.clips().map(|clip| clip.duration_secs).fold(0.0, f32::max);
        let take = self.take().map_or(0.0, |entry| entry.edited().duration_secs);
        let keys = self.keys();
        let sequence = self.edits.sequence.timeline_secs();
        let played = clip.max(take).max(sequence);
        if played > 0.0 {
            return played.max(keys.end_secs());
        }
        // A voice is there before the face that is animated to it.
        let room = if keys.is_empty() { 0.0 } else { Self::LEAST_KEYS_SECS };
        keys.end_secs().max(self.edits.attachments_end_secs()).max(room)
    }

    /// The seconds that play: from in to out.
    pub fn range_secs(&self) -> [f32; 2] {
        self.timeline().range_secs(self.timeline_secs())
    }

    /// Limits the play head to the timeline, which may have become shorter.
    pub(super) fn stay_on_timeline(&mut self) {
        self.seek(self.clock.timeline.time_secs);
    }

    /// Selects the one clip that plays, and starts it from its beginning. With `None`, no clip drives the head. If the
    /// rate of the timeline is that of the clip before, it becomes that of this one: a rate that a take has set or the
    /// artist has chosen stays.
    pub fn select_clip(&mut self, clip: Option<usize>) {
        let before = self.playing_clips.first().and_then(|&clip| clip_rate(&self.head, clip)).unwrap_or_default();
        let rate = clip.and_then(|clip| clip_rate(&self.head, clip)).filter(|_| self.edits.takes.is_empty());
        if let Some(rate) = rate.filter(|rate| before == self.edits.timeline.rate && *rate != before) {
            self.edits.timeline.rate = rate;
        }
        self.select_clips(clip);
        self.clock.timeline.time_secs = 0.0;
    }

    /// Selects the clips that play together. Of two that drive a channel or a node, the one that comes later in the
    /// head's list counts.
    pub fn select_clips(&mut self, clips: impl IntoIterator<Item = usize>) {
        self.select_named_clips(clips.into_iter().filter_map(|clip| ClipName::at(&self.head, clip)).collect());
    }

    /// Selects the clips of these names. Those that the head lacks play when it has them again.
    pub fn select_named_clips(&mut self, mut names: Vec<ClipName>) {
        let mut seen = Vec::new();
        names.retain(|name| {
            !seen.contains(name) && {
                seen.push(name.clone());
                true
            }
        });
        self.playing_clips = names.iter().filter_map(|name| name.index_on(&self.head)).collect();
        self.playing_clips.sort_unstable();
        self.playing_clips.dedup();
        self.clip_names = names;
    }

    /// Adds a clip to those that play, or takes it away. The play head stays where it is.
    pub fn toggle_clip(&mut self, clip: usize) {
        let added = if self.plays_clip(clip) { None } else { ClipName::at(&self.head, clip) };
        let others = self.clip_names.iter().filter(|name| name.index_on(&self.head) != Some(clip)).cloned();
        self.select_named_clips(others.chain(added).collect());
        self.stay_on_timeline();
    }

    /// Advances the time by a number of seconds or by a [`TimeStep`].
    pub fn advance(&mut self, step: impl Into<TimeStep>) {
        self.clock.advance(step.into(), self.range_secs(), &self.edits.sequence);
        let now_secs = self.clock.running_secs();
        if self.fades.iter().flatten().any(|fade| fade.is_over(now_secs)) {
            self.fades.iter_mut().for_each(|fade| drop(fade.take_if(|fade| fade.is_over(now_secs))));
        }
    }

    /// Shows the animation at a time after the start of what plays, without any live face. The result is the same on
    /// any machine.
    pub fn show_moment(&mut self, elapsed_secs: f64) {
        self.clock.restart(self.range_secs()[0]);
        self.fades.fill(None);
        self.show_live(None);
        self.advance(elapsed_secs);
    }

    /// Starts or stops playback; at the end of a timeline that does not loop, starts from the beginning.
    pub fn toggle_playing(&mut self) {
        self.clock.timeline.toggle(self.range_secs());
    }

    /// Moves the play head to a time, limited to the timeline.
    pub fn seek(&mut self, time_secs: f32) {
        self.clock.timeline.seek(time_secs, self.timeline_secs());
    }

    /// Stops playback and moves the play head by `delta_secs`. On a looping timeline, a step past one end of what plays
    /// continues at the other.
    pub fn step(&mut self, delta_secs: f32) {
        self.step_to(self.clock.timeline.time_secs + delta_secs);
    }

    /// Like [`Self::step`], by a number of frames. From between two frames, the first step leads to one of them.
    pub fn step_frames(&mut self, count: i32) {
        /// A time that is closer than this to the start of a frame, in frames, is at its start.
        const SAME: f64 = 0.01;
        let rate = self.edits.timeline.rate;
        let frame = rate.frame_at(self.clock.timeline.time_secs);
        let frame = if count > 0 { (frame + SAME).floor() } else { (frame - SAME).ceil() };
        self.step_to(rate.secs_of(frame as i64 + i64::from(count)));
    }

    fn step_to(&mut self, time_secs: f32) {
        let (range_secs, duration_secs) = (self.range_secs(), self.timeline_secs());
        self.clock.timeline.step_to(time_secs, range_secs, duration_secs);
    }

    /// Sets the start of what plays to the play head, or back to the start of the timeline.
    pub fn set_in(&mut self, is_set: bool) {
        let time_secs = self.clock.timeline.time_secs;
        self.edit_range(|timeline| timeline.set_in(is_set.then_some(time_secs)));
    }

    /// Sets the end of what plays to the play head, or back to the end of the timeline.
    pub fn set_out(&mut self, is_set: bool) {
        let time_secs = self.clock.timeline.time_secs;
        self.edit_range(|timeline| timeline.set_out(is_set.then_some(time_secs)));
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
