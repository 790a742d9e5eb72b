//! The sound of what plays: decoded beside the window, and played with the play head.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::derived::{Computing, Derived};
use crate::window::event::EventSender;
use smirk_base::job::{Job, OnDrop};
use smirk_base::progress::Progress;
use smirk_face::motion::TimeStep;
use smirk_files::audio::{self, Loudness, Playback, Player, Sound};
use smirk_session::{FileRef, Session};
use smirk_ui::{SoundState, SoundView};

#[derive(Debug, Default)]
pub(crate) struct WindowSound {
    decoded: Derived<FileRef, Arc<Sound>>,
    player: Player,
}

impl WindowSound {
    /// The time since the last frame, if a sound that is heard is the clock.
    pub(crate) fn step(&mut self, now: Instant, elapsed: Duration, session: &Session) -> Option<TimeStep> {
        self.player.step(now, elapsed, session.clock.timeline.time_secs)
    }

    /// Decodes the sound of the session if it is another one, and plays what the session plays.
    pub(crate) fn follow(&mut self, session: &Session, loudness: Loudness, now: Instant, events: &EventSender) {
        let track = session.sound();
        match track.map(|track| &track.file) {
            None => self.decoded.forget(),
            Some(file) => {
                self.decoded.follow(file.clone(), true, || decode(file.clone(), events));
            }
        }
        let decoded = track.and_then(|track| self.decoded.output(&track.file)).cloned();
        let playback = Playback {
            sound: track.zip(decoded).map(|(track, sound)| (sound, f64::from(track.offset_secs))),
            time_secs: session.clock.timeline.time_secs,
            is_playing: session.clock.timeline.playing,
            speed: session.clock.timeline.speed,
            range_secs: session.range_secs(),
            looping: session.clock.timeline.looping,
            loudness,
        };
        self.player.follow(&playback, now, events.job_notifier());
    }

    pub(crate) fn give(&mut self, file: &FileRef, sound: Arc<Sound>) {
        self.decoded.set(file.clone(), sound);
    }

    /// Why the file of the sound that was followed last cannot be used.
    fn failure(&self) -> Option<String> {
        self.decoded.outcome(self.decoded.input()?)?.as_ref().err().map(ToString::to_string)
    }

    /// Whether this is the file of the session's sound and cannot be used.
    pub(crate) fn is_missing(&self, file: &Path) -> bool {
        self.decoded.input().is_some_and(|own| **own == *file) && self.failure().is_some()
    }

    /// Tries again what failed: to read the file, and to find a device.
    pub(crate) fn retry(&mut self) {
        if self.failure().is_some() {
            self.decoded.forget();
        }
        self.player.retry();
    }

    pub(crate) fn view(&self, session: &Session) -> SoundView {
        let state = match session.sound().map(|track| self.decoded.outcome(&track.file)) {
            None => SoundState::None,
            Some(None) => SoundState::Decoding,
            Some(Some(Ok(sound))) => SoundState::Ready(sound.clone()),
            Some(Some(Err(error))) => SoundState::Failed(error.to_string()),
        };
        SoundView { state, problem: self.player.problem().map(str::to_owned) }
    }
}

fn decode(file: FileRef, events: &EventSender) -> Computing<Arc<Sound>> {
    Job::spawn("decoding", OnDrop::Detach, events.job_notifier(), move |control| {
        Ok(Arc::new(audio::open(&file, Progress::new(&|stage, part| control.report_quietly(stage, part)))?))
    })
}
