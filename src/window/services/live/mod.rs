//! Live capture in the window: listening, showing what arrives, recording it, and sending on what is on the face.
//!
//! ```text
//! sockets ─► Receiver ─► LiveStream ──► Session::show_live, once a frame
//!                └─────► Recorder ────► Recording (a file that grows)
//! microphone ─► SoundRecorder ────────► SoundRecording (another one)
//!        └────► LiveMouth ────────────► the mouth of the face that is shown
//! ```

mod capture;
mod microphone;
mod recorder;
mod sending;

use std::time::{Duration, Instant};

use super::{Service, ServiceContext};
use crate::window::event::EventSender;
use capture::LiveCapture;
use microphone::{LiveMicrophone, RecordedSound};
use recorder::Recorded;
use sending::Sending;
use smirk_files::live::Calibration;
use smirk_session::MicrophoneChoice;
use smirk_ui::LiveView;

pub(super) struct Live {
    capture: LiveCapture,
    sending: Sending,
    microphone: LiveMicrophone,
}

impl Service for Live {
    /// Listens as the artist has chosen, shows what has arrived, takes what was recorded and calibrated, and sends on
    /// what is on the face.
    fn follow(&mut self, cx: &mut ServiceContext<'_>) {
        self.capture.look();
        self.listen_as_chosen(cx);
        let session = &mut cx.document.session;
        let notify = self.capture.notifier();
        let sound = self.capture.recorder.as_mut().and_then(|recorder| recorder.sound.as_mut());
        self.microphone.follow(&cx.ui.live, session, sound, notify);
        session.show_live(self.microphone.on(self.capture.face(cx.now), &cx.ui.live.setup));
        let stream = &mut self.capture.stream;
        if let Some(calibration) = stream.calibration().filter(|it| it.collected_secs() >= it.secs()).cloned() {
            stream.set_calibration(None);
            session.glide(session.edits.transition.duration_secs, |session| session.edits.live.calibrate(&calibration));
        }
        if self.capture.recorder.as_ref().is_some_and(|it| !cx.ui.live.is_on || it.has_failed()) {
            self.capture.stop_recording();
        }
        self.take_recorded(cx);
        let live = &mut cx.ui.live;
        self.sending.follow(live.sends.then_some(&live.setup.send), &cx.document.session, cx.now);
        let LiveCapture { stream, failed, recorder, .. } = &self.capture;
        let calibration = stream.calibration();
        live.calibrates = calibration.map(|calibration| calibration.kind);
        live.records = recorder.is_some();
        live.view = LiveView {
            status: self.capture.status(),
            problem: failed.as_ref().map(|(_, problem)| problem.clone()),
            send_problem: self.sending.problem().map(str::to_owned),
            latency: stream.latency(),
            calibrated: calibration.map_or(0.0, |it| (it.collected_secs() / it.secs()).min(1.0)),
            recording: self.capture.recording(cx.now),
            microphone: self.microphone.view(),
            next_take: cx.document.next_recording(&live.setup.take_name).unwrap_or_default(),
        };
    }

    fn obey(&mut self, cx: &mut ServiceContext<'_>) {
        self.listen_as_chosen(cx);
        let stream = &mut self.capture.stream;
        if cx.ui.live.calibrates != stream.calibration().map(|calibration| calibration.kind) {
            stream.set_calibration(cx.ui.live.calibrates.map(Calibration::new));
            cx.wants_frame = true;
        }
        self.microphone.obey(&mut cx.ui.live, self.capture.notifier());
        match (cx.ui.live.records, self.capture.recorder.is_some()) {
            (true, false) => self.start_recording(cx),
            (false, true) => self.capture.stop_recording(),
            (true, true) | (false, false) => return,
        }
        cx.wants_frame = true;
    }

    fn due_in(&self, now: Instant) -> Option<Duration> {
        [self.capture.due_in(now), self.sending.due_in(now)].into_iter().flatten().min()
    }

    fn end(&mut self, _: &mut ServiceContext<'_>) {
        self.capture.stop_recording();
    }
}

impl Live {
    pub(super) fn new(events: &EventSender) -> Self {
        Self {
            capture: LiveCapture::new(events.service_notifier()),
            sending: Sending::default(),
            microphone: LiveMicrophone::default(),
        }
    }

    /// Opens and closes ports as the artist has chosen. What comes of it is shown in the next frame.
    fn listen_as_chosen(&mut self, cx: &mut ServiceContext<'_>) {
        let setup = cx.ui.live.is_on.then_some(&cx.ui.live.setup);
        cx.wants_frame |= self.capture.follow(setup, cx.document.session.edits.live.smoothing);
    }

    fn take_recorded(&mut self, cx: &mut ServiceContext<'_>) {
        while let Some((path, result)) = self.capture.take_recorded() {
            let Recorded { take, problem } = match result {
                Ok(recorded) => recorded,
                Err(problem) => {
                    cx.document.end_recording(&path, None, None);
                    cx.notices.fail("A recording cannot be read", format!("{}: {problem:#}", path.display()));
                    continue;
                }
            };
            if let Some(problem) = &problem {
                let kept = match take {
                    Some(_) => "What was recorded until then is kept",
                    None => "Nothing was recorded",
                };
                let message = format!("{problem}. {kept}.");
                cx.notices.fail("The recording has ended", message);
            }
            match take {
                None => {
                    cx.document.end_recording(&path, None, None);
                    if problem.is_none() {
                        cx.notices.show_status("Nothing was recorded: no face arrived".into(), Instant::now());
                    }
                }
                Some((take, RecordedSound { sound, problem })) => {
                    self.microphone.note_problem(problem);
                    let with_sound = if sound.is_some() { " with sound" } else { "" };
                    let text = format!("{} recorded{with_sound}, {:.1} s", take.name, take.duration_secs);
                    cx.document.end_recording(&path, Some(take), sound);
                    cx.notices.show_status(text, Instant::now());
                }
            }
        }
    }

    fn start_recording(&mut self, cx: &mut ServiceContext<'_>) {
        if !cx.ui.live.is_on {
            let text = "Nothing is recorded: switch Live on, on the Motion page";
            return cx.notices.show_status(text.into(), Instant::now());
        }
        let setup = &cx.ui.live.setup;
        let has_sound = setup.microphone != MicrophoneChoice::None;
        match cx.document.begin_recording(&setup.take_name, has_sound) {
            Ok(recording) => {
                self.microphone.begin_recording();
                self.capture.record(recording, setup);
                cx.document.session.set_live_drives(true);
            }
            Err(error) => cx.notices.fail("Cannot record", error.to_string()),
        }
    }
}
