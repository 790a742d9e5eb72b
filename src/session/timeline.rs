//! The timeline of a session: how long it is, what plays of it, and where the play head is.

use super::{Edits, Session, SoundTrack, TakeEntry};
use smirk_face::motion::{Marker, Markers, TimeStep};

/// The timeline: its range, its markers, its sound, and the time that is on it.
pub struct TimelineMut<'a> {
    pub(super) session: &'a mut Session,
}

impl Session {
    /// The shortest timeline if there are only keys, so that there is room for more keys.
    pub const LEAST_KEYS_SECS: f32 = 10.0;

    pub fn timeline_mut(&mut self) -> TimelineMut<'_> {
        TimelineMut { session: self }
    }

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
        let played = clip.max(take).max(sequence).max(self.voice_end_secs());
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

    /// Advances the time by a number of seconds or by a [`TimeStep`].
    pub fn advance(&mut self, step: impl Into<TimeStep>) {
        self.clock.advance(step.into(), self.range_secs(), &self.edits.sequence);
        let now_secs = self.clock.running_secs();
        if self.fades.iter().flatten().any(|fade| fade.is_over(now_secs)) {
            self.fades.iter_mut().for_each(|fade| drop(fade.take_if(|fade| fade.is_over(now_secs))));
        }
    }

    /// Starts or stops playback; at the end of a timeline that does not loop, starts from the beginning.
    pub fn toggle_playing(&mut self) {
        self.clock.timeline.toggle(self.range_secs());
    }

    /// Moves the play head to a time, limited to the timeline.
    pub fn seek(&mut self, time_secs: f32) {
        self.clock.timeline.seek(time_secs, self.timeline_secs());
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

impl TimelineMut<'_> {
    /// Stops playback and moves the play head by `delta_secs`. On a looping timeline, a step past one end of what plays
    /// continues at the other.
    pub fn step(&mut self, delta_secs: f32) {
        self.step_to(self.session.clock.timeline.time_secs + delta_secs);
    }

    /// Like [`Self::step`], by a number of frames. From between two frames, the first step leads to one of them.
    pub fn step_frames(&mut self, count: i32) {
        /// A time that is closer than this to the start of a frame, in frames, is at its start.
        const SAME: f64 = 0.01;
        let rate = self.session.edits.timeline.rate;
        let frame = rate.frame_at(self.session.clock.timeline.time_secs);
        let frame = if count > 0 { (frame + SAME).floor() } else { (frame - SAME).ceil() };
        self.step_to(rate.secs_of(frame as i64 + i64::from(count)));
    }

    fn step_to(&mut self, time_secs: f32) {
        let (range_secs, duration_secs) = (self.session.range_secs(), self.session.timeline_secs());
        self.session.clock.timeline.step_to(time_secs, range_secs, duration_secs);
    }

    /// Sets the start of what plays to the play head, or back to the start of the timeline.
    pub fn set_in(&mut self, is_set: bool) {
        let time_secs = self.session.clock.timeline.time_secs;
        self.edit_range(|timeline| timeline.set_in(is_set.then_some(time_secs)));
    }

    /// Sets the end of what plays to the play head, or back to the end of the timeline.
    pub fn set_out(&mut self, is_set: bool) {
        let time_secs = self.session.clock.timeline.time_secs;
        self.edit_range(|timeline| timeline.set_out(is_set.then_some(time_secs)));
    }

    /// Adds a marker at the play head. Returns its index, unless there are [`Markers::MOST`] already.
    pub fn add_marker(&mut self) -> Option<usize> {
        let time_secs = self.session.clock.timeline.time_secs;
        let text = format!("Marker {}", self.session.edits.markers.all().len() + 1);
        self.session.edits.markers.add(Marker { time_secs, text, lasts_secs: 0.0 })
    }

    pub fn add_markers(&mut self, markers: Vec<Marker>) {
        self.session.edits.markers = self.session.edits.markers.with(&Markers::new(markers));
    }

    /// Stops playback and moves the play head to the next marker, or to the one before. False if there is none on the
    /// timeline.
    pub fn go_to_marker(&mut self, is_next: bool) -> bool {
        let (now_secs, end_secs) = (self.session.clock.timeline.time_secs, self.session.timeline_secs());
        let markers = &self.session.edits.markers;
        let marker = if is_next { markers.after(now_secs) } else { markers.before(now_secs) };
        let Some(time_secs) = marker.map(|marker| marker.time_secs).filter(|&secs| secs <= end_secs) else {
            return false;
        };
        self.session.clock.timeline.playing = false;
        self.session.seek(time_secs);
        true
    }

    /// Stops playback and moves the play head to the next key of the channels that count, or to the one before. False
    /// if there is none.
    pub fn go_to_key(&mut self, is_next: bool, counts: impl Fn(&str) -> bool) -> bool {
        let now_secs = self.session.clock.timeline.time_secs;
        let Some(secs) = self.session.keys().times_around(now_secs, counts)[usize::from(is_next)] else { return false };
        self.session.clock.timeline.playing = false;
        self.session.seek(secs);
        true
    }

    /// Gives what plays a sound: the take, or without one the timeline.
    pub fn set_sound(&mut self, sound: SoundTrack) {
        let edits = &mut *self.session.edits;
        match edits.playing_take_mut() {
            Some(entry) => entry.sound = Some(sound),
            None => edits.sound = Some(sound),
        }
        self.session.stay_on_timeline();
    }

    /// Changes the sound that [`Session::sound`] gives. With `None` as the result, it is removed.
    pub fn change_sound(&mut self, change: impl FnOnce(SoundTrack) -> Option<SoundTrack>) {
        let edits = &mut *self.session.edits;
        let has_own = edits.playing_take_mut().is_some_and(|entry| entry.sound.is_some());
        let of_take = edits.playing_take_mut().filter(|_| has_own).map(|entry| &mut entry.sound);
        let sound = match of_take {
            Some(sound) => sound,
            None => &mut edits.sound,
        };
        *sound = sound.take().and_then(change);
        self.session.stay_on_timeline();
    }
}
