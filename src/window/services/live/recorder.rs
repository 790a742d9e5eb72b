//! Writes what is heard to a file that grows, on a thread of its own: a slow disk delays neither the sockets nor the
//! window, and nothing is lost while the window is minimised or busy.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::microphone::{RecordedSound, SoundRecorder};
use smirk_base::job::{Job, OnDrop};
use smirk_editor::document::Recording;
use smirk_face::motion::Take;
use smirk_files::import;
use smirk_files::live::{ReceivedFrame, SenderClock};
use smirk_session::LiveSetup;
use smirk_ui::RecordingView;

/// What a recording has become: a take with its sound; none if it has no frame; or why it cannot be read.
pub(super) type Recorded = anyhow::Result<Option<(Take, RecordedSound)>>;

/// A recording under way, or its countdown. It ends once this and every copy of [`Self::frames`] are dropped.
#[derive(Debug)]
pub(super) struct Recorder {
    /// Where the receiver sends what it hears.
    pub frames: SyncSender<ReceivedFrame>,
    path: PathBuf,
    starts: Instant,
    written: Arc<Mutex<Written>>,
    pub sound: Option<SoundRecorder>,
    job: Job<anyhow::Result<Option<PathBuf>>>,
}

/// What is in the file.
#[derive(Debug, Default)]
struct Written {
    frames: usize,
    duration_secs: f64,
    /// Why nothing is written any more.
    problem: Option<String>,
}

/// So many frames wait for the disk, a minute of most senders, before the socket waits too.
const MOST_WAITING: usize = 4096;

impl Recorder {
    /// Begins a recording after the countdown. The microphone is opened at once, since that takes time.
    pub(super) fn start(
        mut recording: Recording,
        setup: &LiveSetup,
        notify: impl Fn() + Clone + Send + 'static,
    ) -> Self {
        let countdown = Duration::from_secs(setup.countdown_secs.into());
        let (path, starts, written) = (recording.path().to_owned(), Instant::now() + countdown, Arc::default());
        let sound = SoundRecorder::start(&setup.microphone, &path, notify.clone());
        let first_frame = sound.as_ref().map(|sound| sound.first_frame.clone()).unwrap_or_default();
        let (frames, arriving) = mpsc::sync_channel::<ReceivedFrame>(MOST_WAITING);
        let shared = Arc::clone(&written);
        // A recording that has ended must get its name, whatever happens to the window.
        let job = Job::spawn("recording", OnDrop::Join, notify, move |_| {
            let (mut clock, mut sender) = (SenderClock::default(), None);
            for ReceivedFrame { frame, received, sender: from } in arriving {
                let has_face = frame.is_tracked && frame.values.len() == frame.columns.len();
                if received < starts || !has_face || lock(&shared).problem.is_some() {
                    continue;
                }
                if sender.replace(from.clone()).is_some_and(|before| before != from) {
                    clock.change_sender();
                }
                let first = *first_frame.get_or_init(|| received);
                let arrived_secs = received.saturating_duration_since(first).as_secs_f64();
                let outcome = recording.push(clock.secs_of(frame.time_secs, arrived_secs), &frame);
                *lock(&shared) = Written {
                    frames: recording.frames(),
                    duration_secs: recording.duration_secs(),
                    problem: outcome.err().map(|error| error.to_string()),
                };
            }
            Ok(recording.finish()?)
        });
        Self { frames, path, starts, written, sound, job }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Why nothing is written any more.
    pub(super) fn problem(&self) -> Option<String> {
        lock(&self.written).problem.clone()
    }

    pub(super) fn view(&self, now: Instant) -> RecordingView {
        let countdown = self.countdown(now);
        if !countdown.is_zero() {
            return RecordingView::Countdown { secs: countdown.as_secs_f32() };
        }
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let written = lock(&self.written);
        RecordingView::Running { name, secs: written.duration_secs as f32, frames: written.frames }
    }

    /// What is left of the countdown.
    pub(super) fn countdown(&self, now: Instant) -> Duration {
        self.starts.saturating_duration_since(now)
    }

    /// Ends the recording, and begins to read it.
    pub(super) fn stop(self, notify: impl Fn() + Send + 'static) -> Job<Recorded> {
        let Self { frames, sound, job, .. } = self;
        drop(frames);
        // Its files must get their names, whatever happens to the window.
        Job::spawn("end of recording", OnDrop::Join, notify, move |_| {
            let sound = sound.map_or_else(RecordedSound::default, SoundRecorder::finish);
            let Some(path) = job.wait()?? else { return Ok(None) };
            let take = import::open_takes(&path)?.into_iter().next().context("it holds no frame")?;
            Ok(Some((take, sound)))
        })
    }
}

fn lock(written: &Mutex<Written>) -> MutexGuard<'_, Written> {
    written.lock().unwrap_or_else(PoisonError::into_inner)
}
