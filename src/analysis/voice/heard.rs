//! The mouth from a sound alone: an estimate, without any training, model or network.
//!
//! The first formant says how far the jaw is open, the second one how far the lips are spread or rounded (G. E.
//! Peterson and H. L. Barney, "Control methods used in a study of the vowels", 1952); noise above 3.5 kHz is teeth and
//! narrow lips; when the lips are closed says [`closures`]. What is loud, open or rounded is so against the speaker: by
//! percentiles over the whole sound.

use super::closures::{BANDS_PER_SEC, closures};
use super::shapes::{FUNNEL, JAW, LOWER, Mouth, PARTS, PUCKER, SPREAD, UPPER};
use super::spectrum::{
    BANDS, BANDS_WINDOW, BandFinder, FORMANT_WINDOW, HIGH_RATE, LOW_RATE, QUIET_DB, Resampler, decibels, formants,
    loud_db, percentile, voicing,
};
use super::{FRAMES_PER_SEC, Speech, averaged};

/// What is heard in a sound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// The mouth that says it, from the start of the sound.
    pub speech: Speech,
    /// How loud it is, [`FRAMES_PER_SEC`] times a second, from 0 to 1.
    pub loudness: Vec<f32>,
}

/// What is found at a moment.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// The energy of each band.
    pub bands: [f32; BANDS],
    pub is_voiced: bool,
    pub formants_hz: Option<[f32; 2]>,
}

impl Frame {
    pub(super) fn energy_db(&self) -> f32 {
        decibels(self.bands.iter().sum())
    }
}

/// What a speaker's voice ranges over: the loud level in decibels, and the formants from closed to open and from back
/// to front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub loud_db: f32,
    pub formants_hz: [[f32; 2]; 2],
}

impl Range {
    /// A voice of which nothing is known.
    pub(super) const USUAL_HZ: [[f32; 2]; 2] = [[320.0, 760.0], [950.0, 2150.0]];

    fn new(frames: &[Frame]) -> Self {
        /// Fewer vowels do not show a range.
        const LEAST_VOWELS: usize = 25;
        let loud_db = loud_db(frames.iter().map(Frame::energy_db).collect(), FRAMES_PER_SEC);
        let vowels = frames.iter().filter(|frame| frame.is_voiced && frame.energy_db() > loud_db - 25.0);
        let vowels: Vec<[f32; 2]> = vowels.filter_map(|frame| frame.formants_hz).collect();
        let formants_hz = std::array::from_fn(|formant| {
            let usual = Self::USUAL_HZ[formant];
            if vowels.len() < LEAST_VOWELS {
                return usual;
            }
            let all: Vec<f32> = vowels.iter().map(|formants| formants[formant]).collect();
            let [low, high] = [0.08, 0.92].map(|part| percentile(all.clone(), part));
            // Who says one vowel alone has no range.
            let lacking = (0.5 * (usual[1] - usual[0]) - (high - low)).max(0.0);
            [low - 0.5 * lacking, high + 0.5 * lacking]
        });
        Self { loud_db, formants_hz }
    }

    /// How loud a frame is, from 0 to 1.
    pub(super) fn loudness(&self, frame: &Frame) -> f32 {
        ((frame.energy_db() - self.loud_db + QUIET_DB) / (QUIET_DB - 4.0)).clamp(0.0, 1.0)
    }

    /// How open a vowel is, and how far forward the tongue is, each from 0 to 1.
    pub(super) fn vowel(&self, formants_hz: [f32; 2]) -> [f32; 2] {
        std::array::from_fn(|formant| {
            let [low, high] = self.formants_hz[formant];
            ((formants_hz[formant] - low) / (high - low).max(1.0)).clamp(0.0, 1.0)
        })
    }
}

/// The mouth of a moment. `vowel` is that of the moment, or of the last one that had any.
pub(super) fn mouth(frame: &Frame, loudness: f32, [open, front]: [f32; 2]) -> Mouth {
    let mut mouth = [0.0; PARTS];
    let all: f32 = frame.bands.iter().sum::<f32>().max(1e-12);
    let noise = frame.bands[7] / all;
    // Noise of s and its like is above everything else; that of sh reaches lower.
    let friction = if frame.is_voiced { 0.0 } else { ((noise - 0.3) / 0.4).clamp(0.0, 1.0) };
    let below = frame.bands[5] + frame.bands[6];
    let hushing = friction * (below / (below + frame.bands[7] + 1e-12) * 2.5).clamp(0.0, 1.0);
    let rounding = ((1.0 - front) * (1.0 - 0.7 * open) - 0.3).max(0.0) / 0.7;
    let vowel = loudness * (1.0 - friction);
    mouth[JAW] = vowel * (0.04 + 0.52 * open) + friction * loudness * 0.05;
    mouth[PUCKER] = vowel * 0.75 * rounding * (1.0 - 0.5 * open);
    mouth[FUNNEL] = vowel * 0.5 * rounding * open + 0.5 * hushing * loudness;
    mouth[SPREAD] =
        vowel * 0.4 * (front - 0.5).max(0.0) * 2.0 * (1.0 - 0.4 * open) + 0.15 * (friction - hushing) * loudness;
    mouth[LOWER] = 0.2 * vowel * (1.0 - rounding) + 0.3 * friction * loudness;
    mouth[UPPER] = 0.08 * vowel * (1.0 - rounding) + 0.12 * friction * loudness;
    mouth
}

impl Heard {
    /// Listens to a sound of one channel.
    pub fn new(samples: &[f32], frames_per_sec: u32) -> Self {
        let high = Resampler::new(frames_per_sec, HIGH_RATE).run(samples);
        let low = Resampler::new(HIGH_RATE, LOW_RATE).run(&high);
        let mut finder = BandFinder::new();
        let (high_step, low_step) =
            ((HIGH_RATE as f32 / BANDS_PER_SEC) as usize, (LOW_RATE as f32 / FRAMES_PER_SEC) as usize);
        let bands = (0..high.len() / high_step).map(|index| {
            let start = (index * high_step).saturating_sub(BANDS_WINDOW / 2);
            finder.energies(&high[start..])
        });
        let bands: Vec<[f32; BANDS]> = bands.collect();
        let frames = (0..low.len() / low_step).map(|index| {
            let start = (index * low_step).saturating_sub(FORMANT_WINDOW / 2);
            let window = &low[start..(start + FORMANT_WINDOW).min(low.len())];
            let bands = bands.get(2 * index).copied().unwrap_or_default();
            let is_voiced = voicing(&low[start..(start + FORMANT_WINDOW + 80).min(low.len())]) > 0.6;
            let is_heard = is_voiced && window.len() == FORMANT_WINDOW;
            Frame { bands, is_voiced, formants_hz: is_heard.then(|| formants(window)).flatten() }
        });
        let frames: Vec<Frame> = frames.collect();
        let range = Range::new(&frames);
        let loudness: Vec<f32> = frames.iter().map(|frame| range.loudness(frame)).collect();
        let mut last = [0.3, 0.5];
        let mouths = frames.iter().zip(&loudness).map(|(frame, &loudness)| {
            if let Some(formants_hz) = frame.formants_hz.filter(|_| loudness > 0.2) {
                // A moment alone may be wrong: a formant moves within some hundredths of a second.
                let now = range.vowel(formants_hz);
                last = std::array::from_fn(|part| last[part] + 0.6 * (now[part] - last[part]));
            }
            mouth(frame, loudness, last)
        });
        let mouths: Vec<Mouth> = mouths.collect();
        // Voicing and friction are found of each moment alone, and are wrong in some.
        let mouths = averaged(&mouths, 1);
        let closed = closures(&high, &bands);
        let speech = Speech { mouths, closed, bitten: Vec::new(), stressed: stresses(&loudness) };
        Self { speech, loudness }
    }
}

/// When what is louder than most begins: it counts as stressed.
fn stresses(loudness: &[f32]) -> Vec<f32> {
    const SHORTEST: usize = 4;
    let loud = percentile(loudness.iter().copied().filter(|loudness| *loudness > 0.1).collect(), 0.8);
    let mut stressed = Vec::new();
    let mut begun = None;
    for (frame, &loudness) in loudness.iter().enumerate() {
        match (loudness >= loud && loudness > 0.3, begun) {
            (true, None) => begun = Some(frame),
            (false, Some(start)) => {
                if frame - start >= SHORTEST {
                    stressed.push(start as f32 / FRAMES_PER_SEC);
                }
                begun = None;
            }
            _ => {}
        }
    }
    stressed
}
