//! What the window does for live capture: once a frame, and when the artist records or calibrates.

use std::time::{Duration, Instant};

use super::Viewer;
use crate::window::live::RecordedSound;
use smirk_session::{LiveCommand, MicrophoneChoice};
use smirk_ui::LiveView;

impl Viewer {
    /// Listens as the artist has chosen, shows what has arrived, takes what was recorded and calibrated, and sends on
    /// what is on the face: in every frame, and when something arrives while the window is hidden and has no frames.
    pub(super) fn follow_live(&mut self, now: Instant) {
        self.live.look();
        self.listen_as_chosen();
        self.document.session.show_live(self.live.face(now));
        if let Some(calibration) = self.live.take_calibration() {
            let session = &mut self.document.session;
            session.glide(session.edits.transition.duration_secs, |session| session.calibrate_live(&calibration));
        }
        if self.live.is_recording() && (!self.ui.live.is_on || self.live.recording_failed()) {
            self.stop_recording();
        }
        self.take_recorded();
        let send = self.ui.live.sends.then_some(&self.ui.live.setup.send);
        self.sending.follow(send, &self.document.session, now);
    }

    /// Opens and closes ports as the artist has chosen. What comes of it is shown in the next frame.
    pub(super) fn listen_as_chosen(&mut self) {
        let setup = self.ui.live.is_on.then_some(&self.ui.live.setup);
        if self.live.follow(setup, self.document.session.edits.live.smoothing) {
            self.request_frame();
        }
    }

    fn take_recorded(&mut self) {
        while let Some((path, result)) = self.live.take_recorded() {
            match result {
                Ok(None) => {
                    self.document.end_recording(&path, None, None);
                    self.notices.show_status("Nothing was recorded: no face arrived".into(), Instant::now());
                }
                Ok(Some((take, RecordedSound { sound, .. }))) => {
                    let with_sound = if sound.is_some() { " with sound" } else { "" };
                    let text = format!("{} recorded{with_sound}, {:.1} s", take.name, take.duration_secs);
                    self.document.end_recording(&path, Some(take), sound);
                    self.notices.show_status(text, Instant::now());
                }
                Err(problem) => {
                    self.document.end_recording(&path, None, None);
                    self.notices.fail("A recording cannot be read", format!("{}: {problem:#}", path.display()));
                }
            }
        }
    }

    pub(super) fn live_view(&self, now: Instant) -> LiveView {
        LiveView {
            status: self.live.status(),
            problem: self.live.problem().map(str::to_owned),
            send_problem: self.sending.problem().map(str::to_owned),
            latency: self.live.latency(),
            calibrating: self.live.calibrating(),
            recording: self.live.recording(now),
            sound_problem: self.live.sound_problem().map(str::to_owned),
            microphones: self.live.microphones().to_vec(),
            next_take: self.document.next_recording(&self.ui.live.setup.take_name).unwrap_or_default(),
        }
    }

    pub(super) fn execute_live(&mut self, command: LiveCommand) {
        match command {
            LiveCommand::Record if self.live.is_recording() => self.stop_recording(),
            LiveCommand::Record => self.start_recording(),
            LiveCommand::FindMicrophones => self.live.find_microphones(),
            LiveCommand::Calibrate(kind) => self.live.calibrate(kind),
        }
    }

    fn start_recording(&mut self) {
        if !self.ui.live.is_on {
            self.notices.show_status("Nothing is recorded: switch Live on, on the Motion page".into(), Instant::now());
            return;
        }
        let setup = &self.ui.live.setup;
        let has_sound = setup.microphone != MicrophoneChoice::None;
        match self.document.begin_recording(&setup.take_name, has_sound) {
            Ok(recording) => {
                let countdown = Duration::from_secs(setup.countdown_secs.into());
                self.live.record(recording, countdown, &setup.microphone);
                self.document.session.set_live_drives(true);
            }
            Err(error) => self.notices.fail("Cannot record", error.to_string()),
        }
    }

    /// Ends the recording. Its take is in the list a moment later.
    pub(super) fn stop_recording(&mut self) {
        if let Some(problem) = self.live.stop_recording() {
            let message = format!("{problem}. What was recorded until then is kept.");
            self.notices.fail("The recording has ended", message);
        }
    }
}
