//! The sound of what plays: decoded beside the window, and played with the play head.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Service, ServiceContext};
use crate::window::event::EventSender;
use smirk_analysis::voice::Heard;
use smirk_base::derived::{Computing, Derived};
use smirk_base::job::{Job, OnDrop};
use smirk_base::progress::Progress;
use smirk_face::motion::TimeStep;
use smirk_files::audio::{self, Playback, Player, Sound};
use smirk_session::{FileRef, Session};
use smirk_ui::{SoundPanel, SoundState, SoundView};

#[derive(Debug, Default)]
pub(super) struct WindowSound {
    decoded: Derived<FileRef, Arc<Sound>>,
    /// What the voice hears in the sound, once it needs it.
    heard: Derived<FileRef, Arc<Heard>>,
    player: Player,
}

impl Service for WindowSound {
    fn step(&mut self, now: Instant, elapsed: Duration, session: &Session) -> Option<TimeStep> {
        self.player.step(now, elapsed, session.clock.timeline.time_secs)
    }

    fn follow(&mut self, cx: &mut ServiceContext<'_>) {
        if let Some((file, sound)) = cx.ui.sound.opened.take() {
            self.decoded.set(file, sound);
        }
        self.listen(cx);
        cx.ui.sound.view = self.view(&cx.document.session);
    }

    /// Decodes the sound of the session if it is another one, and plays what the session plays.
    fn obey(&mut self, cx: &mut ServiceContext<'_>) {
        self.listen(cx);
        let (session, SoundPanel { loudness, retries, .. }) = (&cx.document.session, &mut cx.ui.sound);
        if std::mem::take(retries) {
            self.retry();
            cx.wants_frame = true;
        }
        let track = session.sound();
        match track.map(|track| &track.file) {
            None => self.decoded.forget(),
            Some(file) => {
                self.decoded.follow(file.clone(), true, || decode(file.clone(), cx.events));
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
            loudness: *loudness,
        };
        self.player.follow(&playback, cx.now, cx.events.job_notifier());
    }

    fn problem(&self) -> Option<&str> {
        self.player.problem()
    }
}

impl WindowSound {
    /// Listens to the sound for the voice, beside the window.
    fn listen(&mut self, cx: &mut ServiceContext<'_>) {
        let session = &mut cx.document.session;
        let Some(file) = session.unheard().cloned() else { return };
        let Some(sound) = self.decoded.output(&file).cloned() else { return };
        self.heard.follow(file.clone(), true, || {
            Job::spawn("listening", OnDrop::Detach, cx.events.job_notifier(), move |_| {
                Ok(Arc::new(Heard::new(&sound.mono(), sound.frames_per_sec())))
            })
        });
        if let Some(heard) = self.heard.output(&file) {
            session.hear(file, heard.clone());
            cx.wants_frame = true;
        }
    }

    /// Why the file of the sound that was followed last cannot be used.
    fn failure(&self) -> Option<String> {
        self.decoded.outcome(self.decoded.input()?)?.as_ref().err().map(ToString::to_string)
    }

    /// Tries again what failed: to read the file, and to find a device.
    fn retry(&mut self) {
        if self.failure().is_some() {
            self.decoded.forget();
        }
        self.player.retry();
    }

    fn view(&self, session: &Session) -> SoundView {
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
