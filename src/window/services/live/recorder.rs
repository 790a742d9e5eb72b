//! Writes what is heard to a file that grows, on a thread of its own: a slow disk delays neither the sockets nor the
//! window, and nothing is lost while the window is minimised or busy.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;

use super::microphone::{RecordedSound, SoundRecorder};
use smirk_base::job::{Job, OnDrop};
use smirk_base::names::quoted;
use smirk_editor::document::Recording;
use smirk_face::head::{Kind, Note, Subject, listed};
use smirk_face::motion::Take;
use smirk_files::import;
use smirk_files::live::{ReceivedFrame, SenderClock};
use smirk_session::LiveSetup;
use smirk_ui::RecordingView;

/// What a recording has become.
#[derive(Debug)]
pub(super) struct Recorded {
    /// Its take with its sound; none if it has no frame.
    pub take: Option<(Take, RecordedSound)>,
    /// Why it ended before it was stopped.
    pub problem: Option<String>,
}

/// A recording under way, or its countdown. It ends once this and every copy of [`Self::frames`] are dropped.
#[derive(Debug)]
pub(super) struct Recorder {
    /// Where the receiver sends what it hears.
    pub frames: SyncSender<ReceivedFrame>,
    path: PathBuf,
    starts: Instant,
    written: Arc<Mutex<Written>>,
    pub sound: Option<SoundRecorder>,
    /// Gives what was written; none if it has no frame.
    job: Job<anyhow::Result<Option<WrittenFile>>>,
}

/// The file of a recording, and the names of the values that have no column in it.
type WrittenFile = (PathBuf, Vec<String>);

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
            let left_out = recording.left_out().to_vec();
            Ok(recording.finish()?.map(|path| (path, left_out)))
        });
        Self { frames, path, starts, written, sound, job }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether nothing is written any more.
    pub(super) fn has_failed(&self) -> bool {
        lock(&self.written).problem.is_some()
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
    pub(super) fn stop(self, notify: impl Fn() + Send + 'static) -> Job<anyhow::Result<Recorded>> {
        let Self { frames, written, sound, job, .. } = self;
        drop(frames);
        // Its files must get their names, whatever happens to the window.
        Job::spawn("end of recording", OnDrop::Join, notify, move |_| {
            let sound = sound.map_or_else(RecordedSound::default, SoundRecorder::finish);
            // The frames that waited are written now, and the last of them may have failed.
            let file = job.wait()??;
            let problem = lock(&written).problem.take();
            let Some((path, left_out)) = file else { return Ok(Recorded { take: None, problem }) };
            let mut take = import::open_takes(&path)?.into_iter().next().context("it holds no frame")?;
            if !left_out.is_empty() {
                let names: Vec<String> = left_out.iter().map(|name| quoted(name)).collect();
                let message = format!("came after the first frame and are not in the take: {}", listed(&names, 12));
                take.notes.push(Note::warning(Subject::All(Kind::Column), message));
            }
            Ok(Recorded { take: Some((take, sound)), problem })
        })
    }
}

fn lock(written: &Mutex<Written>) -> MutexGuard<'_, Written> {
    written.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use smirk_files::live::{LiveFrame, Protocol, SenderId, Transport};

    #[test]
    fn names_that_come_after_the_first_frame_are_said() {
        let folder = tempfile::tempdir().unwrap();
        let recording = Recording::create(&folder.path().join("Take 1.csv")).unwrap();
        let recorder = Recorder::start(recording, &LiveSetup::default(), || {});
        let sender = Arc::new(SenderId {
            protocol: Protocol::Vmc,
            transport: Transport::Udp,
            address: (Ipv4Addr::LOCALHOST, 1).into(),
            subject: "".into(),
        });
        for (index, columns) in [&["jawOpen"][..], &["jawOpen", "tongueOut"]].into_iter().enumerate() {
            let frame = LiveFrame {
                subject: "".into(),
                time_secs: Some(index as f64),
                is_tracked: true,
                columns: columns.iter().map(|&name| name.to_owned()).collect(),
                values: vec![0.5; columns.len()],
            };
            let received = Instant::now();
            recorder.frames.send(ReceivedFrame { frame, received, sender: sender.clone() }).unwrap();
        }
        let Recorded { take, problem } = recorder.stop(|| {}).wait().unwrap().unwrap();
        let notes: Vec<String> = take.unwrap().0.notes.iter().map(Note::to_string).collect();
        assert!(
            problem.is_none() && notes.iter().any(|note| note.contains("not in the take: \"tongueOut\"")),
            "{notes:?}"
        );
    }
}
