//! The microphone that moves the mouth of the live face.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use smirk_analysis::voice::{COLUMNS, LiveVoice, Voice};
use smirk_base::job::{Job, OnDrop};
use smirk_face::motion::{LiveFace, is_same_column};
use smirk_files::audio::{self, DeviceError};

/// What the thread that listens and the window share.
#[derive(Debug, Default)]
struct Shared {
    /// What the artist has chosen.
    voice: Voice,
    /// The mouth that was heard last.
    weights: Option<[f32; COLUMNS.len()]>,
}

#[derive(Debug, Default)]
pub(super) struct LiveMouth {
    listening: Option<Listening>,
    joined: Option<Joined>,
}

#[derive(Debug)]
struct Listening {
    /// Its id; none for the default one.
    microphone: Option<String>,
    shared: Arc<Mutex<Shared>>,
    /// None after it has ended: its result comes once.
    job: Option<Job<Result<(), DeviceError>>>,
    problem: Option<String>,
}

/// The columns of a face with those of a mouth, and where each of these is among them.
#[derive(Debug)]
struct Joined {
    of_face: Arc<[String]>,
    all: Arc<[String]>,
    places: [usize; COLUMNS.len()],
}

impl LiveMouth {
    /// Listens to this microphone, or to none; `Some(None)` is the default one.
    pub(super) fn follow(
        &mut self,
        microphone: Option<Option<String>>,
        voice: &Voice,
        notify: impl Fn() + Clone + Send + 'static,
    ) {
        let Some(microphone) = microphone else {
            self.listening = None;
            return;
        };
        if self.listening.as_ref().is_none_or(|listening| listening.microphone != microphone) {
            self.listening = Some(Listening::start(microphone, notify));
        }
        if let Some(Listening { shared, job, problem, .. }) = &mut self.listening {
            lock(shared).voice.clone_from(voice);
            if let Some(outcome) = job.as_mut().and_then(Job::poll) {
                *job = None;
                let said = outcome.map(|listened| listened.err().map(|error| error.to_string()));
                *problem = said.unwrap_or_else(|error| Some(error.to_string()));
                lock(shared).weights = None;
            }
        }
    }

    /// Why nothing is heard.
    pub(super) fn problem(&self) -> Option<&str> {
        self.listening.as_ref()?.problem.as_deref()
    }

    /// A face with the mouth that is heard, or this mouth alone. A face that has a mouth may keep it.
    pub(super) fn on(&mut self, face: Option<LiveFace>, keeps_captured: bool) -> Option<LiveFace> {
        let weights = self.listening.as_ref().and_then(|listening| lock(&listening.shared).weights);
        let Some(weights) = weights else { return face };
        // What is lost would hide the mouth as it fades.
        let face = face.filter(|face| face.presence > 0.0).unwrap_or_default();
        let joined = match self.joined.take().filter(|joined| joined.of_face == face.columns) {
            Some(joined) => joined,
            None => Joined::new(face.columns),
        };
        if keeps_captured && joined.has_mouth() {
            let kept = LiveFace { columns: joined.of_face.clone(), ..face };
            self.joined = Some(joined);
            return Some(kept);
        }
        let mut values = face.values;
        values.resize(joined.all.len(), 0.0);
        joined.places.iter().zip(weights).for_each(|(&place, weight)| values[place] = weight);
        let face = LiveFace { columns: joined.all.clone(), values, presence: 1.0 };
        self.joined = Some(joined);
        Some(face)
    }
}

impl Joined {
    fn new(of_face: Arc<[String]>) -> Self {
        let mut all = of_face.to_vec();
        let places = COLUMNS.map(|column| {
            let place = all.iter().position(|own| is_same_column(own, column));
            place.unwrap_or_else(|| {
                all.push(column.to_owned());
                all.len() - 1
            })
        });
        Self { of_face, all: all.into(), places }
    }

    /// Whether the face has a mouth of its own.
    fn has_mouth(&self) -> bool {
        self.all.len() < self.of_face.len() + COLUMNS.len()
    }
}

impl Listening {
    fn start(microphone: Option<String>, notify: impl Fn() + Clone + Send + 'static) -> Self {
        let shared: Arc<Mutex<Shared>> = Arc::default();
        let (heard, id, wake) = (Arc::clone(&shared), microphone.clone(), notify.clone());
        let job = Job::spawn("voice", OnDrop::Detach, notify, move |control| {
            let mut voice: Option<LiveVoice> = None;
            audio::listen(id.as_deref(), None, &|| control.is_cancelled(), &mut |piece| {
                let voice = voice.get_or_insert_with(|| LiveVoice::new(piece.frames_per_sec));
                let samples: Vec<f32> = piece.samples.iter().map(|sample| f32::from(*sample) / 32768.0).collect();
                voice.hear(&samples);
                let mut shared = lock(&heard);
                shared.weights = Some(voice.weights(&shared.voice));
                drop(shared);
                wake();
                Ok(())
            })
        });
        Self { microphone, shared, job: Some(job), problem: None }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some(job) = &self.job {
            job.cancel();
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    // Whatever a thread that has panicked was about to store, the mouth before it is whole.
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_keeps_what_is_no_mouth_and_a_lost_one_leaves_the_mouth_alone() {
        let shared =
            Shared { weights: Some(std::array::from_fn(|column| 0.5 + 0.01 * column as f32)), ..Shared::default() };
        let listening = Listening { microphone: None, shared: Arc::new(Mutex::new(shared)), job: None, problem: None };
        let mut mouth = LiveMouth { listening: Some(listening), joined: None };
        let columns: Arc<[String]> = ["EyeBlinkLeft", "JawOpen", "MouthSmileLeft"].map(str::to_owned).into();
        let face = LiveFace { columns, values: vec![0.1, 0.2, 0.3], presence: 0.5 };
        let joined = mouth.on(Some(face.clone()), false).unwrap();
        assert_eq!((&joined.values[..3], joined.presence), (&[0.1, 0.5, 0.3][..], 1.0));
        assert_eq!(joined.columns.len(), 3 + COLUMNS.len() - 1);
        assert!(
            Arc::ptr_eq(&mouth.on(Some(face.clone()), false).unwrap().columns, &joined.columns),
            "names are bound once"
        );
        for alone in [None, Some(LiveFace { presence: 0.0, ..face.clone() })] {
            assert_eq!(mouth.on(alone, true).unwrap().columns[..], COLUMNS.map(str::to_owned));
        }
        let upper: Arc<[String]> = ["EyeBlinkLeft", "MouthSmileLeft"].map(str::to_owned).into();
        let without_mouth = LiveFace { columns: upper, values: vec![0.1, 0.3], presence: 1.0 };
        assert_eq!(mouth.on(Some(face.clone()), true), Some(face.clone()), "it keeps its jaw");
        assert_eq!(mouth.on(Some(without_mouth), true).unwrap().columns.len(), 2 + COLUMNS.len());
        mouth.follow(None, &Voice::default(), || {});
        assert_eq!(mouth.on(Some(face.clone()), false), Some(face));
    }

    #[test]
    fn why_nothing_is_heard_any_more_stays() {
        let job = Job::spawn("test", OnDrop::Detach, || {}, |_| Err(DeviceError::Mute));
        let listening = Listening { microphone: None, shared: Arc::default(), job: Some(job), problem: None };
        let mut mouth = LiveMouth { listening: Some(listening), joined: None };
        while mouth.problem().is_none() {
            mouth.follow(Some(None), &Voice::default(), || {});
        }
        mouth.follow(Some(None), &Voice::default(), || {});
        assert_eq!(mouth.problem(), Some(DeviceError::Mute.to_string().as_str()));
    }
}
