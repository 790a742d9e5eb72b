//! The sound of what plays: decoded beside the window, and played with the play head.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::window::event::EventSender;
use smirk_base::job::{Job, OnDrop};
use smirk_base::progress::Progress;
use smirk_editor::session::Session;
use smirk_face::motion::TimeStep;
use smirk_files::audio::{self, Loudness, Playback, Player, Sound, SoundError};
use smirk_ui::{SoundState, SoundView};

/// The sound of the session.
#[derive(Debug, Default)]
pub(crate) struct WindowSound {
    /// The file that the session's sound is in, and how far it is.
    file: Option<(Arc<Path>, Decoding)>,
    player: Player,
}

#[derive(Debug)]
enum Decoding {
    Job(Job<Result<Sound, SoundError>>),
    Done(Arc<Sound>),
    Failed(String),
}

impl WindowSound {
    /// The time since the last frame, if a sound that is heard is the clock.
    pub(crate) fn step(&mut self, now: Instant, elapsed: Duration, session: &Session) -> Option<TimeStep> {
        self.player.step(now, elapsed, session.clock.timeline.time_secs)
    }

    /// Decodes the sound of the session if it is another one, and plays what the session plays.
    pub(crate) fn follow(&mut self, session: &Session, loudness: Loudness, now: Instant, events: &EventSender) {
        let track = session.sound();
        let wanted = track.map(|track| &track.file);
        if self.file.as_ref().map(|(file, _)| file) != wanted {
            self.file = wanted.map(|file| (file.clone(), Decoding::start(file.clone(), events)));
        }
        if let Some((_, decoding)) = &mut self.file {
            decoding.follow();
        }
        let decoded = self.decoded().cloned();
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

    fn decoded(&self) -> Option<&Arc<Sound>> {
        match &self.file {
            Some((_, Decoding::Done(sound))) => Some(sound),
            _ => None,
        }
    }

    /// Takes a sound that was decoded by the loader.
    pub(crate) fn give(&mut self, file: &Arc<Path>, sound: Arc<Sound>) {
        self.file = Some((file.clone(), Decoding::Done(sound)));
    }

    /// Whether the file of the session's sound cannot be used.
    pub(crate) fn is_missing(&self, file: &Path) -> bool {
        matches!(&self.file, Some((own, Decoding::Failed(_))) if **own == *file)
    }

    /// Tries again what failed: to read the file, and to find a device.
    pub(crate) fn retry(&mut self) {
        self.file.take_if(|(_, decoding)| matches!(decoding, Decoding::Failed(_)));
        self.player.retry();
    }

    /// What the panels show.
    pub(crate) fn view(&self) -> SoundView {
        let state = match &self.file {
            None => SoundState::None,
            Some((_, Decoding::Job(_))) => SoundState::Decoding,
            Some((_, Decoding::Done(sound))) => SoundState::Ready(sound.clone()),
            Some((_, Decoding::Failed(problem))) => SoundState::Failed(problem.clone()),
        };
        SoundView { state, problem: self.player.problem().map(str::to_owned) }
    }
}

impl Decoding {
    fn start(file: Arc<Path>, events: &EventSender) -> Self {
        Self::Job(Job::spawn("decoding", OnDrop::Detach, events.job_notifier(), move |control| {
            audio::open(&file, Progress::new(&|stage, part| control.report_quietly(stage, part)))
        }))
    }

    fn follow(&mut self) {
        if let Self::Job(job) = self
            && let Some(result) = job.poll()
        {
            *self = match result {
                Ok(Ok(sound)) => Self::Done(Arc::new(sound)),
                Ok(Err(error)) => Self::Failed(error.to_string()),
                Err(error) => Self::Failed(error.to_string()),
            };
        }
    }
}
