//! The mouth of a sound that is still arriving.

use super::heard::{Frame, Range, mouth};
use super::shapes::{Mouth, PARTS};
use super::spectrum::{
    BANDS_WINDOW, BandFinder, FORMANT_WINDOW, HIGH_RATE, LOW_RATE, Resampler, decibels, formants, voicing,
};
use super::{COLUMNS, FRAMES_PER_SEC, Voice, weights};

/// Hears a microphone piece by piece. The mouth is that of the last 30 ms, of which the middle counts, and follows what
/// is heard with a time constant of 20 ms, so that it is about 35 ms late beside what the device delays the sound by.
/// Lips close where the sound is quiet: what comes after a closure is not known yet.
pub struct LiveVoice {
    finder: BandFinder,
    to_high: Resampler,
    to_low: Resampler,
    /// The last samples, at the rate of the microphone.
    samples: Vec<f32>,
    frames_per_sec: u32,
    range: Range,
    vowel: [f32; 2],
    mouth: Mouth,
}

impl std::fmt::Debug for LiveVoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LiveVoice").field("frames_per_sec", &self.frames_per_sec).finish_non_exhaustive()
    }
}

impl LiveVoice {
    pub fn new(frames_per_sec: u32) -> Self {
        let range = Range { loud_db: decibels(0.0), formants_hz: Range::USUAL_HZ };
        let (to_high, to_low) = (Resampler::new(frames_per_sec, HIGH_RATE), Resampler::new(HIGH_RATE, LOW_RATE));
        Self {
            finder: BandFinder::new(),
            to_high,
            to_low,
            samples: Vec::new(),
            frames_per_sec,
            range,
            vowel: [0.3, 0.5],
            mouth: [0.0; PARTS],
        }
    }

    /// Hears some more samples of one channel, at the rate of all others.
    pub fn hear(&mut self, samples: &[f32]) {
        let rate = self.frames_per_sec;
        let step = (rate as f32 / FRAMES_PER_SEC).max(1.0) as usize;
        // As much as a moment needs, with what resampling reaches beyond it.
        let window = (rate as usize / 25).max(step);
        for piece in samples.chunks(step) {
            self.samples.extend(piece);
            let surplus = self.samples.len().saturating_sub(window);
            self.samples.drain(..surplus);
            if self.samples.len() == window {
                self.hear_moment(piece.len() as f32 / rate as f32);
            }
        }
    }

    fn hear_moment(&mut self, secs: f32) {
        /// The loudest moments are forgotten by so many decibels a second: people come nearer and go away.
        const FORGOTTEN_DB: f32 = 3.0;
        /// What is not as loud is no voice near a microphone: some 15 dB below full scale.
        const LEAST_LOUD_DB: f32 = 15.0;
        const FOLLOWING_SECS: f32 = 0.02;
        let high = self.to_high.run(&self.samples);
        let low = self.to_low.run(&high);
        let [high, low] = [(&high, BANDS_WINDOW), (&low, FORMANT_WINDOW)]
            .map(|(all, window)| &all[all.len().saturating_sub(window)..]);
        let bands = self.finder.energies(high);
        let is_voiced = voicing(low) > 0.6;
        let frame = Frame { bands, is_voiced, formants_hz: if is_voiced { formants(low) } else { None } };
        self.range.loud_db = frame.energy_db().max(self.range.loud_db - FORGOTTEN_DB * secs).max(LEAST_LOUD_DB);
        let loudness = self.range.loudness(&frame);
        if let Some(formants_hz) = frame.formants_hz.filter(|_| loudness > 0.2) {
            self.learn(formants_hz, secs);
            let now = self.range.vowel(formants_hz);
            self.vowel = std::array::from_fn(|part| self.vowel[part] + 0.5 * (now[part] - self.vowel[part]));
        }
        let now = mouth(&frame, loudness, self.vowel);
        let share = secs / (secs + FOLLOWING_SECS);
        self.mouth = std::array::from_fn(|part| self.mouth[part] + share * (now[part] - self.mouth[part]));
    }

    /// Moves the ends of the speaker's range to what is heard beyond them, and slowly back.
    fn learn(&mut self, formants_hz: [f32; 2], secs: f32) {
        const OUT_SECS: f32 = 0.5;
        const BACK_SECS: f32 = 20.0;
        for (range, hz) in self.range.formants_hz.iter_mut().zip(formants_hz) {
            let [low, high] = *range;
            let towards = |end: f32, is_beyond: bool| {
                let time = if is_beyond { OUT_SECS } else { BACK_SECS };
                end + (hz - end) * secs / (secs + time)
            };
            let least = 0.25 * (low + high);
            let new = [towards(low, hz < low), towards(high, hz > high)];
            if new[1] - new[0] > least {
                *range = new;
            }
        }
    }

    /// The weights of [`COLUMNS`] now.
    pub fn weights(&self, voice: &Voice) -> [f32; COLUMNS.len()] {
        weights(&self.mouth, 0.0, 0.0, voice)
    }
}
