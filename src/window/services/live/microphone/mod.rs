//! The microphone of live capture: what it hears is the sound of recordings, and may move the mouth of the face. It has
//! threads of its own: whatever happens to it, the recording of the face goes on.

mod mouth;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use smirk_base::job::{Job, OnDrop};
use smirk_editor::document::SoundRecording;
use smirk_face::motion::LiveFace;
use smirk_files::audio::{self, DeviceError, Microphone};
use smirk_session::{LiveSetup, MicrophoneChoice, Session, SoundTrack};
use smirk_ui::{LiveState, MicrophoneView};

use mouth::LiveMouth;

/// The microphones of this machine, and what the chosen one is used for.
#[derive(Debug, Default)]
pub(super) struct LiveMicrophone {
    found: Microphones,
    mouth: LiveMouth,
    /// Why the recording under way, or the last one, has no sound or lacks its end.
    recording_problem: Option<String>,
}

impl LiveMicrophone {
    /// Takes what was found and heard. `recorder` is that of the recording under way.
    pub(super) fn follow(
        &mut self,
        live: &LiveState,
        session: &Session,
        recorder: Option<&mut SoundRecorder>,
        notify: impl Fn() + Clone + Send + 'static,
    ) {
        self.found.follow();
        self.note_problem(recorder.and_then(SoundRecorder::problem));
        let moves_mouth = Some(live).filter(|live| live.is_on).and_then(|live| live.setup.mouth_microphone());
        self.mouth.follow(moves_mouth, &session.edits.voice, notify);
    }

    /// The face to show, with the mouth that is heard.
    pub(super) fn on(&mut self, face: Option<LiveFace>, setup: &LiveSetup) -> Option<LiveFace> {
        self.mouth.on(face, setup.keeps_captured_mouth)
    }

    /// Searches for microphones if the panels ask for it.
    pub(super) fn obey(&mut self, live: &mut LiveState, notify: impl Fn() + Send + 'static) {
        if std::mem::take(&mut live.finds_microphones) {
            self.found.look(notify);
        }
    }

    /// Forgets what was wrong with the sound of the recording before.
    pub(super) fn begin_recording(&mut self) {
        self.recording_problem = None;
    }

    /// Keeps the first problem of a recording.
    pub(super) fn note_problem(&mut self, problem: Option<String>) {
        if let Some(problem) = problem.filter(|_| self.recording_problem.is_none()) {
            log::warn!("no sound is recorded: {problem}");
            self.recording_problem = Some(problem);
        }
    }

    pub(super) fn view(&self) -> MicrophoneView {
        MicrophoneView {
            found: self.found.found.clone(),
            recording_problem: self.recording_problem.clone(),
            mouth_problem: self.mouth.problem().map(str::to_owned),
        }
    }
}

#[derive(Debug)]
pub(super) struct SoundRecorder {
    /// The moment at which the first frame has arrived: the sound begins with it.
    pub first_frame: Arc<OnceLock<Instant>>,
    job: Job<RecordedSound>,
    ended: Option<RecordedSound>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct RecordedSound {
    /// The file; `None` if no sound was recorded.
    pub sound: Option<SoundTrack>,
    /// Why the sound is missing, or ends before the recording.
    pub problem: Option<String>,
}

impl SoundRecorder {
    /// Listens for the recording that will be the table at `recording`. None if no microphone is chosen.
    pub(super) fn start(
        choice: &MicrophoneChoice,
        recording: &Path,
        notify: impl Fn() + Send + 'static,
    ) -> Option<Self> {
        let microphone = match choice {
            MicrophoneChoice::None => return None,
            MicrophoneChoice::Default => None,
            MicrophoneChoice::Named { id, .. } => Some(id.clone()),
        };
        let first_frame = Arc::default();
        let mut recording = SoundRecording::new(recording, Arc::clone(&first_frame));
        // A sound that has ended must get its name, whatever happens to the window.
        let job = Job::spawn("microphone", OnDrop::Join, notify, move |control| {
            let (id, is_ended) = (microphone.as_deref(), &|| control.is_cancelled());
            let listened = audio::listen(id, None, is_ended, &mut |piece| recording.push(piece));
            RecordedSound::new(listened, recording)
        });
        Some(Self { first_frame, job, ended: None })
    }

    pub(super) fn problem(&mut self) -> Option<String> {
        if self.ended.is_none() {
            self.ended = self.job.poll().map(|result| result.unwrap_or_else(RecordedSound::failed));
        }
        self.ended.as_ref()?.problem.clone()
    }

    /// Ends the recording, and waits until its file is complete.
    pub(super) fn finish(self) -> RecordedSound {
        let Self { job, ended, .. } = self;
        job.cancel();
        ended.unwrap_or_else(|| job.wait().unwrap_or_else(RecordedSound::failed))
    }
}

impl RecordedSound {
    fn new(listened: Result<(), DeviceError>, recording: SoundRecording) -> Self {
        let problem = listened.err().map(|error| error.to_string());
        match recording.finish() {
            Ok(sound) => Self { sound: sound.map(|(path, secs)| SoundTrack::new(&path, secs as f32)), problem },
            Err(error) => Self { sound: None, problem: problem.or(Some(error.to_string())) },
        }
    }

    fn failed(error: impl ToString) -> Self {
        Self { sound: None, problem: Some(error.to_string()) }
    }
}

/// The microphones of this machine, once they were searched.
#[derive(Debug, Default)]
struct Microphones {
    found: Vec<Microphone>,
    job: Option<Job<Result<Vec<Microphone>, DeviceError>>>,
}

impl Microphones {
    /// Starts a search, unless one is running.
    fn look(&mut self, notify: impl Fn() + Send + 'static) {
        self.job.get_or_insert_with(|| Job::spawn("microphones", OnDrop::Detach, notify, |_| audio::microphones(None)));
    }

    fn follow(&mut self) {
        let Some(result) = self.job.as_mut().and_then(Job::poll) else { return };
        self.job = None;
        self.found = match result {
            Ok(Ok(found)) => found,
            // A search for a recording says why there is no microphone.
            Ok(Err(error)) => none_found(&error),
            Err(error) => none_found(&error),
        };
    }
}

fn none_found(error: &dyn std::error::Error) -> Vec<Microphone> {
    log::warn!("microphones are not found: {error}");
    Vec::new()
}
