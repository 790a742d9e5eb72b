//! What is done with every frame when it arrives, on the thread that takes frames from the receiver.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::microphone::SoundRecorder;
use smirk_editor::document::Recording;
use smirk_editor::session::LiveStream;
use smirk_files::live::{ReceivedFrame, SenderId};

/// The stream of the sender that is heard, and the recording of it.
#[derive(Debug)]
pub(super) struct Feed {
    pub stream: LiveStream,
    pub recorder: Option<Recorder>,
    sender: Option<Arc<SenderId>>,
    began: Instant,
}

/// A recording, from its countdown on.
#[derive(Debug)]
pub(super) struct Recorder {
    pub recording: Recording,
    /// The end of the countdown.
    pub starts: Instant,
    /// Why nothing is written any more.
    pub problem: Option<io::Error>,
    /// The microphone that is heard with it.
    pub sound: Option<SoundRecorder>,
}

impl Feed {
    pub(super) fn new() -> Self {
        let (stream, began) = (LiveStream::default(), Instant::now());
        Self { stream, recorder: None, sender: None, began }
    }

    /// Begins again without a sender. A recording stays until it is ended.
    pub(super) fn forget_sender(&mut self) {
        *self = Self { recorder: self.recorder.take(), ..Self::new() };
    }

    /// Takes a frame.
    pub(super) fn arrive(&mut self, received: &ReceivedFrame) {
        if self.sender.as_ref().is_some_and(|sender| *sender != received.sender) {
            self.stream.change_sender();
        }
        self.sender = Some(received.sender.clone());
        let now_secs = self.secs_at(received.received);
        let Some(secs) = self.stream.arrive(&received.frame, now_secs) else { return };
        if let Some(recorder) = &mut self.recorder
            && recorder.problem.is_none()
            && received.received >= recorder.starts
        {
            if let Some(sound) = &recorder.sound {
                let _ = sound.first_frame.set(received.received);
            }
            recorder.problem = recorder.recording.push(secs, &received.frame).err();
        }
    }

    /// A time of this machine as the stream counts it.
    pub(super) fn secs_at(&self, time: Instant) -> f64 {
        time.saturating_duration_since(self.began).as_secs_f64()
    }

    /// How long until something changes although nothing arrives.
    pub(super) fn due_in(&self, now: Instant) -> Option<Duration> {
        /// How often the countdown is shown.
        const COUNTDOWN_STEP: Duration = Duration::from_millis(100);
        let stream = self.stream.due_in_secs(self.secs_at(now)).map(Duration::from_secs_f64);
        let countdown = self.recorder.as_ref().map(|recorder| recorder.starts.saturating_duration_since(now));
        let countdown = countdown.filter(|left| !left.is_zero()).map(|left| left.min(COUNTDOWN_STEP));
        [stream, countdown].into_iter().flatten().min()
    }
}
