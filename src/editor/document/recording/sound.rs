//! The sound of a recording while it grows. It begins with the first frame, so that it needs no offset, here or in
//! another program.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::grow::{complete_file, create_growing, growing_path, open_to_mend, rename_to_new};
use smirk_files::audio::{self, Piece, WavWriter};

/// What a microphone hears during a recording: a WAV file of the same name, with `.part` behind it while it grows. Once
/// a second, all of it is on disk.
#[derive(Debug)]
pub struct SoundRecording {
    path: PathBuf,
    /// The moment at which the first frame has arrived.
    first_frame: Arc<OnceLock<Instant>>,
    /// When the first sample was heard: no later than each piece says, since those were delayed on their way.
    began: Option<Instant>,
    sample_count: u64,
    growing: Growing,
}

#[derive(Debug)]
enum Growing {
    /// Samples that are kept until it is known which of them belong to the first frame.
    Waiting {
        samples: Vec<i16>,
        frames_per_sec: u32,
    },
    File(WavWriter),
}

impl SoundRecording {
    /// How long it listens before it decides when it began.
    const SETTLING_SECS: f64 = 0.5;
    /// How much is kept of what was heard before the first frame.
    const KEPT_SECS: f64 = 1.0;

    /// The sound of the recording that will be the table at `recording`. `first_frame` is set when that begins.
    pub fn new(recording: &Path, first_frame: Arc<OnceLock<Instant>>) -> Self {
        let growing = Growing::Waiting { samples: Vec::new(), frames_per_sec: 0 };
        Self { path: sound_path(recording), first_frame, began: None, sample_count: 0, growing }
    }

    pub fn push(&mut self, piece: &Piece) -> io::Result<()> {
        let rate = f64::from(piece.frames_per_sec.max(1));
        self.sample_count += piece.samples.len() as u64;
        let (waiting, frames_per_sec) = match &mut self.growing {
            Growing::File(file) => return file.append(&piece.samples),
            Growing::Waiting { samples, frames_per_sec } => (samples, frames_per_sec),
        };
        *frames_per_sec = piece.frames_per_sec;
        waiting.extend_from_slice(&piece.samples);
        let began =
            piece.end.checked_sub(Duration::from_secs_f64(self.sample_count as f64 / rate)).unwrap_or(piece.end);
        let began = *self.began.insert(self.began.map_or(began, |before| before.min(began)));
        match self.first_frame.get() {
            None => {
                let surplus = waiting.len().saturating_sub((Self::KEPT_SECS * rate) as usize);
                waiting.drain(..surplus);
                Ok(())
            }
            Some(first) => {
                let known = self.sample_count as f64 - samples_until(*first, began, rate).max(0.0);
                if known >= Self::SETTLING_SECS * rate { self.begin() } else { Ok(()) }
            }
        }
    }

    /// Begins the file with what was heard since the first frame, and with silence if nothing was heard then yet.
    fn begin(&mut self) -> io::Result<()> {
        let Growing::Waiting { samples: waiting, frames_per_sec } = &mut self.growing else { return Ok(()) };
        let (Some(began), Some(first), true) = (self.began, self.first_frame.get(), !waiting.is_empty()) else {
            return Ok(());
        };
        let mut file = WavWriter::new(create_growing(&self.path)?, *frames_per_sec)?;
        let before = samples_until(*first, began, f64::from(*frames_per_sec)).round();
        // A saturating cast: one of the two is 0.
        file.append(&vec![0; -before as usize])?;
        let dropped = self.sample_count as usize - waiting.len();
        file.append(waiting.get((before as usize).saturating_sub(dropped)..).unwrap_or_default())?;
        self.growing = Growing::File(file);
        Ok(())
    }

    /// Gives the file its name. Returns it with its length in seconds; none if nothing was heard: then nothing stays.
    pub fn finish(mut self) -> io::Result<Option<(PathBuf, f64)>> {
        self.begin()?;
        let Growing::File(mut file) = self.growing else { return Ok(None) };
        file.sync()?;
        rename_to_new(&growing_path(&self.path), &self.path)?;
        Ok(Some((self.path, file.duration_secs())))
    }
}

/// The number of samples from the first that was heard until a moment; less than 0 if it was before.
fn samples_until(moment: Instant, began: Instant, frames_per_sec: f64) -> f64 {
    let secs =
        moment.saturating_duration_since(began).as_secs_f64() - began.saturating_duration_since(moment).as_secs_f64();
    secs * frames_per_sec
}

/// As [`complete`](super::complete) for the sound of a recording. Returns how long it is, in seconds; none if nothing
/// was heard or it cannot be completed.
pub(in crate::document) fn complete_sound(path: &Path) -> Option<f64> {
    complete_file(path, |file| audio::complete_wav(file).map(drop));
    let mut file = open_to_mend(path).ok()?;
    audio::complete_wav(&mut file).ok()
}

/// The sound of a recording: beside it, with its name.
pub(in crate::document) fn sound_path(recording: &Path) -> PathBuf {
    recording.with_extension("wav")
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::progress::Progress;

    const RATE: u32 = 8000;

    /// A recorder whose table begins so many seconds after `start`, and what is read of a microphone that opened at
    /// `opened_secs` and heard a click every half second of the time since `start`, in pieces of 10 ms that are delayed
    /// by up to 30 ms.
    fn clicks_of(first_secs: f64, opened_secs: f64, secs: f64) -> Vec<f64> {
        let folder = tempfile::tempdir().unwrap();
        let start = Instant::now() + Duration::from_secs(10);
        let at = |secs: f64| start + Duration::from_secs_f64(secs);
        let first_frame = Arc::new(OnceLock::new());
        let mut recording = SoundRecording::new(&folder.path().join("Take 1.csv"), first_frame.clone());
        let pieces = ((secs - opened_secs) * 100.0) as usize;
        for piece in 0..pieces {
            let from_secs = opened_secs + piece as f64 * 0.01;
            let sample = |index: u32| {
                let secs = from_secs + f64::from(index) / f64::from(RATE);
                if (secs + 1e-7) % 0.5 < 0.002 { 20_000 } else { 0 }
            };
            let delay_secs = 0.03 * f64::from(smirk_base::random::unit(1, piece as u64));
            let arrival_secs = from_secs + 0.01 + delay_secs;
            if arrival_secs >= first_secs {
                let _ = first_frame.set(at(first_secs));
            }
            let samples = (0..RATE / 100).map(sample).collect();
            recording.push(&Piece { samples, frames_per_sec: RATE, end: at(arrival_secs) }).unwrap();
        }
        let (path, length_secs) = recording.finish().unwrap().unwrap();
        assert!((length_secs - (secs - first_secs)).abs() < 0.02, "{length_secs}");
        let sound = audio::open(&path, Progress::NONE).unwrap();
        let is_loud = |frame: usize| {
            let at = frame as f64 / f64::from(RATE);
            sound.extremes(at, at + 1e-6).is_some_and(|[_, high]| high > 0.5)
        };
        let starts = (1..sound.frames()).filter(|&frame| is_loud(frame) && !is_loud(frame - 1));
        starts.map(|frame| frame as f64 / f64::from(RATE)).collect()
    }

    #[test]
    fn a_sound_begins_with_the_first_frame_whenever_the_microphone_was_opened() {
        for (first_secs, opened_secs) in [(0.2, 0.0), (7.2, 0.0), (0.2, 0.9)] {
            let clicks = clicks_of(first_secs, opened_secs, first_secs + 3.0);
            let expected: Vec<f64> = { 0..30 }
                .map(|index| 0.5 * f64::from(index))
                .filter(|secs| *secs > first_secs.max(opened_secs) && *secs < first_secs + 2.9)
                .map(|secs| secs - first_secs)
                .collect();
            assert_eq!(clicks.len(), expected.len(), "{clicks:?}");
            for (click, expected) in clicks.iter().zip(&expected) {
                assert!((click - expected).abs() < 0.002, "{clicks:?}, not {expected:?}");
            }
        }
    }

    #[test]
    fn without_a_frame_or_without_a_sound_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("Take 1.csv");
        let mut recording = SoundRecording::new(&table, Arc::default());
        recording.push(&Piece { samples: vec![0; 80_000], frames_per_sec: RATE, end: Instant::now() }).unwrap();
        assert!(matches!(&recording.growing, Growing::Waiting { samples, .. } if samples.len() == RATE as usize));
        assert_eq!(recording.finish().unwrap(), None);
        let begun = Arc::new(OnceLock::from(Instant::now()));
        assert_eq!(SoundRecording::new(&table, begun).finish().unwrap(), None);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
