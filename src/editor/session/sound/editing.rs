//! The sound of the timeline, and its markers.

use super::SoundTrack;
use crate::session::Session;
use smirk_face::motion::{FrameRate, Marker, Markers};

impl Session {
    /// The sound that belongs to what plays: that of the take, or, if it has none, that of the timeline.
    pub fn sound(&self) -> Option<&SoundTrack> {
        self.take().and_then(|entry| entry.sound.as_ref()).or(self.edits.sound.as_ref())
    }

    /// Gives what plays a sound: the take, or without one the timeline.
    pub fn set_sound(&mut self, sound: SoundTrack) {
        let edits = &mut *self.edits;
        match edits.playing_take_mut() {
            Some(entry) => entry.sound = Some(sound),
            None => edits.sound = Some(sound),
        }
        self.stay_on_timeline();
    }

    /// Changes the sound that [`Self::sound`] gives. With `None` as the result, it is removed.
    pub fn change_sound(&mut self, change: impl FnOnce(SoundTrack) -> Option<SoundTrack>) {
        let edits = &mut *self.edits;
        let has_own = edits.playing_take_mut().is_some_and(|entry| entry.sound.is_some());
        let of_take = edits.playing_take_mut().filter(|_| has_own).map(|entry| &mut entry.sound);
        let sound = match of_take {
            Some(sound) => sound,
            None => &mut edits.sound,
        };
        *sound = sound.take().and_then(change);
        self.stay_on_timeline();
    }

    /// What the sound belongs to, in words.
    pub fn sound_owner(&self) -> String {
        match self.take().filter(|entry| entry.sound.is_some()) {
            Some(entry) => format!("take {}", entry.take.name),
            None => "the timeline".into(),
        }
    }

    /// The frame rate in which the offset of the sound is shown: that of the take, else of the timeline.
    pub fn sound_rate(&self) -> FrameRate {
        let of_take = self.take().and_then(|entry| entry.take.frames_per_sec);
        of_take.map_or(self.edits.timeline.rate, |rate| FrameRate::nearest(rate.into()))
    }

    /// Adds a marker at the play head. Returns its index, unless there are [`Markers::MOST`] already.
    pub fn add_marker(&mut self) -> Option<usize> {
        let time_secs = self.clock.timeline.time_secs;
        let text = format!("Marker {}", self.edits.markers.all().len() + 1);
        self.edits.markers.add(Marker { time_secs, text })
    }

    /// Adds the markers of a file.
    pub fn add_markers(&mut self, markers: Vec<Marker>) {
        self.edits.markers = self.edits.markers.with(&Markers::new(markers));
    }

    /// Stops playback and moves the play head to the next marker, or to the one before. False if there is none on the timeline.
    pub fn go_to_marker(&mut self, is_next: bool) -> bool {
        let (now_secs, end_secs) = (self.clock.timeline.time_secs, self.timeline_secs());
        let markers = &self.edits.markers;
        let marker = if is_next { markers.after(now_secs) } else { markers.before(now_secs) };
        let Some(time_secs) = marker.map(|marker| marker.time_secs).filter(|&secs| secs <= end_secs) else {
            return false;
        };
        self.clock.timeline.playing = false;
        self.seek(time_secs);
        true
    }
}
