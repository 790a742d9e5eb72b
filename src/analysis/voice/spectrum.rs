//! What a moment of a sound is made of: resampling, bands of the spectrum, voicing and formants.

use std::f32::consts::{PI, TAU};

/// The rates that sounds are brought to: for bands, and for formants, which need nothing above 4 kHz.
pub(super) const HIGH_RATE: u32 = 16_000;
pub(super) const LOW_RATE: u32 = 8_000;

/// Brings sounds to another rate by a windowed sinc: what the new rate cannot hold is left out.
pub(super) struct Resampler {
    /// Samples of the source per sample of the result.
    step: f64,
    /// How many samples of the source count on each side of a moment.
    half: usize,
    /// The kernel at fractions of a sample, each with `2 * half` numbers; empty if the rates are the same.
    table: Vec<f32>,
}

impl Resampler {
    /// The kernel is tabled at so many fractions of a sample.
    const PHASES: usize = 256;

    pub(super) fn new(from: u32, to: u32) -> Self {
        /// Zero crossings of the sinc on each side.
        const REACH: f32 = 12.0;
        let step = f64::from(from) / f64::from(to);
        if from == to {
            return Self { step, half: 0, table: Vec::new() };
        }
        // Samples of the source per zero crossing.
        let crossing = (step as f32).max(1.0) / 0.94;
        let half = (REACH * crossing).ceil() as usize;
        let kernel = |offset: f32| {
            let at = offset / crossing;
            if at.abs() >= REACH {
                return 0.0;
            }
            let sinc = if at == 0.0 { 1.0 } else { (PI * at).sin() / (PI * at) };
            sinc * (0.5 + 0.5 * (PI * at / REACH).cos()) / crossing
        };
        let taps = (0..Self::PHASES).flat_map(|phase| (0..2 * half).map(move |tap| (phase, tap)));
        let offset = |(phase, tap): (usize, usize)| tap as f32 - half as f32 + 1.0 - phase as f32 / Self::PHASES as f32;
        Self { step, half, table: taps.map(|tap| kernel(offset(tap))).collect() }
    }

    /// The same sound at the other rate. Before its start and after its end it is silent.
    pub(super) fn run(&self, samples: &[f32]) -> Vec<f32> {
        if self.table.is_empty() {
            return samples.to_vec();
        }
        let width = 2 * self.half;
        let count = (samples.len() as f64 / self.step) as usize;
        let resampled = (0..count).map(|index| {
            let at = index as f64 * self.step;
            let phase = ((at.fract() * Self::PHASES as f64) as usize).min(Self::PHASES - 1);
            let taps = &self.table[phase * width..(phase + 1) * width];
            let first = at.floor() as i64 - self.half as i64 + 1;
            let skipped = (-first).clamp(0, width as i64) as usize;
            let own = samples.get(first.max(0) as usize..).unwrap_or_default();
            taps[skipped..].iter().zip(own).map(|(tap, sample)| tap * sample).sum()
        });
        resampled.collect()
    }
}

/// The bands whose energies are compared, in hertz: the voice bar; the first formant below and above the murmur of *m*
/// and *n*; three of the second formant; the third; and the noise of bursts and of *s*.
const BANDS_HZ: [f32; BANDS + 1] = [60.0, 400.0, 750.0, 1250.0, 1700.0, 2300.0, 3000.0, 3500.0, 8000.0];
pub(super) const BANDS: usize = 8;
/// Samples at [`HIGH_RATE`] of which the bands are those of a moment.
pub(super) const BANDS_WINDOW: usize = 320;
const SIZE: usize = 512;

pub(super) fn decibels(energy: f32) -> f32 {
    10.0 * (energy + 1e-12).log10()
}

/// The value that this part of all is below; 0 of none.
pub(super) fn percentile(mut values: Vec<f32>, part: f32) -> f32 {
    if values.is_empty() {
        return 0.0;
    }
    let index = ((values.len() - 1) as f32 * part) as usize;
    *values.select_nth_unstable_by(index, f32::total_cmp).1
}

/// What is more than this below the loud parts moves nothing.
pub(super) const QUIET_DB: f32 = 30.0;

/// How loud the loud parts of a sound are, by the levels of its moments in decibels, of which there are so many a second:
/// a percentile of all of them, and of those that may be a voice where these are few. Full scale is about 42 dB.
pub(super) fn loud_db(levels_db: Vec<f32>, per_sec: f32) -> f32 {
    /// Sounds whose loud parts are quieter are silent.
    const LEAST_DB: f32 = -10.0;
    /// A bang is louder for a shorter time than a voice.
    const LEAST_SECS: f32 = 0.15;
    let louder = (LEAST_SECS * per_sec) / levels_db.len().max(1) as f32;
    let loudest = percentile(levels_db.clone(), (1.0 - louder).max(0.0));
    let voiced = levels_db.iter().copied().filter(|level| *level > loudest - QUIET_DB).collect();
    percentile(voiced, 0.8).max(percentile(levels_db, 0.95)).max(LEAST_DB)
}

/// Finds how much of each frequency is in some samples.
pub(super) struct Spectrum {
    window: Vec<f32>,
    twiddles: Vec<[f32; 2]>,
    buffer: Vec<[f32; 2]>,
    powers: Vec<f32>,
}

impl Spectrum {
    /// Of so many samples, which are windowed and filled up to `size`, a power of two.
    pub(super) fn new(window: usize, size: usize) -> Self {
        assert!(size.is_power_of_two() && window <= size, "a window fits into the transform");
        let hann = |index: usize| 0.5 - 0.5 * (TAU * index as f32 / window as f32).cos();
        let twiddle = |index: usize| {
            let angle = -TAU * index as f32 / size as f32;
            [angle.cos(), angle.sin()]
        };
        Self {
            window: (0..window).map(hann).collect(),
            twiddles: (0..size / 2).map(twiddle).collect(),
            buffer: vec![[0.0; 2]; size],
            powers: vec![0.0; size / 2 + 1],
        }
    }

    /// The powers at multiples of the rate divided by the size, up to half of the rate.
    pub(super) fn powers(&mut self, samples: &[f32]) -> &[f32] {
        let size = self.buffer.len();
        self.buffer.fill([0.0; 2]);
        for (index, (sample, window)) in samples.iter().zip(&self.window).enumerate() {
            self.buffer[index.reverse_bits() >> (usize::BITS - size.trailing_zeros())][0] = sample * window;
        }
        let mut half = 1;
        while half < size {
            let stride = size / (2 * half);
            for start in (0..size).step_by(2 * half) {
                for index in 0..half {
                    let [cos, sin] = self.twiddles[index * stride];
                    let (a, b) = (self.buffer[start + index], self.buffer[start + index + half]);
                    let turned = [b[0] * cos - b[1] * sin, b[0] * sin + b[1] * cos];
                    self.buffer[start + index] = [a[0] + turned[0], a[1] + turned[1]];
                    self.buffer[start + index + half] = [a[0] - turned[0], a[1] - turned[1]];
                }
            }
            half *= 2;
        }
        for (power, [re, im]) in self.powers.iter_mut().zip(&self.buffer) {
            *power = re * re + im * im;
        }
        &self.powers
    }
}

/// Finds the energies of the bands.
pub(super) struct BandFinder {
    spectrum: Spectrum,
    ends: [usize; BANDS + 1],
}

impl BandFinder {
    pub(super) fn new() -> Self {
        Self {
            spectrum: Spectrum::new(BANDS_WINDOW, SIZE),
            ends: BANDS_HZ.map(|hz| ((hz * SIZE as f32 / HIGH_RATE as f32).ceil() as usize).min(SIZE / 2)),
        }
    }

    /// The energies of some samples at [`HIGH_RATE`], of which [`BANDS_WINDOW`] are used.
    pub(super) fn energies(&mut self, samples: &[f32]) -> [f32; BANDS] {
        let powers = self.spectrum.powers(samples);
        std::array::from_fn(|band| powers[self.ends[band]..self.ends[band + 1]].iter().sum())
    }
}

/// Samples at [`LOW_RATE`] of which the formants and the voicing are those of a moment.
pub(super) const FORMANT_WINDOW: usize = 240;

/// How much a moment repeats itself, from 0 to 1: the highest normalised autocorrelation at the periods of voices, 70
/// to 400 Hz.
pub(super) fn voicing(samples: &[f32]) -> f32 {
    // Pairs of samples are enough for periods of voices.
    let halved: Vec<f32> = samples.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
    let rate = LOW_RATE as usize / 2;
    // The energies of all beginnings, so that those of any part are differences.
    let energies: Vec<f64> = std::iter::once(0.0)
        .chain(halved.iter().scan(0.0, |sum, sample| {
            *sum += f64::from(sample * sample);
            Some(*sum)
        }))
        .collect();
    let mut best = 0.0_f32;
    for lag in rate / 400..(rate / 70).min(halved.len().saturating_sub(rate / 100)) {
        let (early, late) = (&halved[..halved.len() - lag], &halved[lag..]);
        let product: f32 = early.iter().zip(late).map(|(early, late)| early * late).sum();
        let energy = energies[early.len()] * (energies[halved.len()] - energies[lag]);
        best = best.max(product / (energy.max(0.0).sqrt() as f32).max(1e-9));
    }
    best
}

/// The coefficients of linear prediction by Burg's method (J. P. Burg, "Maximum entropy spectral analysis", 1967): the
/// all-pole filter whose errors forwards and backwards are smallest.
fn burg<const ORDER: usize>(samples: &[f32]) -> [f64; ORDER] {
    let mut forward: Vec<f64> = samples.iter().map(|sample| f64::from(*sample)).collect();
    let mut backward = forward.clone();
    let mut filter = [0.0; ORDER];
    for order in 0..ORDER {
        let pairs = forward[order + 1..].iter().zip(&backward[order..]);
        let (product, energy) =
            pairs.fold((0.0, 0.0), |(product, energy), (f, b)| (product + f * b, energy + f * f + b * b));
        if energy < 1e-12 {
            break;
        }
        let reflection = -2.0 * product / energy;
        let before = filter;
        filter[order] = reflection;
        for index in 0..order {
            filter[index] = before[index] + reflection * before[order - 1 - index];
        }
        for index in (order + 1..forward.len()).rev() {
            let (f, b) = (forward[index], backward[index - 1]);
            forward[index] = f + reflection * b;
            backward[index] = b + reflection * f;
        }
    }
    filter
}

/// The first two formants of some samples at [`LOW_RATE`], in hertz: peaks of the spectrum of linear prediction, after
/// pre-emphasis. The order is the rate in kilohertz and two more, as for all voices (J. D. Markel and A. H. Gray,
/// "Linear Prediction of Speech", 1976).
pub(super) fn formants(samples: &[f32]) -> Option<[f32; 2]> {
    const ORDER: usize = 10;
    const STEP_HZ: f32 = 25.0;
    const FIRST_HZ: [f32; 2] = [180.0, 1050.0];
    const SECOND_HZ: [f32; 2] = [600.0, 2700.0];
    let count = samples.len() as f32;
    let emphasised = samples.iter().enumerate().map(|(index, sample)| {
        let before = if index == 0 { 0.0 } else { samples[index - 1] };
        let hamming = 0.54 - 0.46 * (TAU * index as f32 / count).cos();
        (sample - before) * hamming
    });
    let filter = burg::<ORDER>(&emphasised.collect::<Vec<_>>());
    // The smallest values of the filter's response are the peaks of its inverse.
    let response = |step: usize| {
        let angle = f64::from(TAU * step as f32 * STEP_HZ / LOW_RATE as f32);
        let (mut re, mut im) = (1.0, 0.0);
        let (step_sin, step_cos) = angle.sin_cos();
        let (mut cos, mut sin) = (1.0, 0.0);
        for coefficient in filter {
            (cos, sin) = (cos * step_cos - sin * step_sin, sin * step_cos + cos * step_sin);
            re += coefficient * cos;
            im -= coefficient * sin;
        }
        re * re + im * im
    };
    let responses: Vec<f64> = (0..=(SECOND_HZ[1] / STEP_HZ) as usize + 1).map(response).collect();
    let peaks = (1..responses.len() - 1)
        .filter(|&step| responses[step] < responses[step - 1] && responses[step] <= responses[step + 1]);
    let peaks: Vec<f32> = peaks.map(|step| step as f32 * STEP_HZ).collect();
    let first = peaks.iter().copied().find(|hz| (FIRST_HZ[0]..=FIRST_HZ[1]).contains(hz))?;
    let second = peaks.iter().copied().find(|hz| *hz > (first + 150.0).max(SECOND_HZ[0]) && *hz < SECOND_HZ[1])?;
    Some([first, second])
}

#[cfg(test)]
mod tests {
    use super::super::made::{noise, vowel};
    use super::*;

    #[test]
    fn formants_of_made_vowels_are_found_for_low_and_high_voices() {
        for pitch in [95.0, 140.0, 210.0] {
            for formants_hz in [[300.0, 2300.0], [320.0, 850.0], [500.0, 1500.0], [750.0, 1200.0], [600.0, 1900.0]] {
                let samples = vowel(pitch, formants_hz, 0.2, LOW_RATE);
                let found = formants(&samples[800..800 + FORMANT_WINDOW]).unwrap();
                // The harmonics of a voice are as far apart as its pitch, which limits how exactly a formant shows.
                let limits = [0.6 * pitch + 25.0, 0.6 * pitch + 60.0];
                for ((found, true_hz), limit) in found.into_iter().zip(formants_hz).zip(limits) {
                    assert!((found - true_hz).abs() < limit, "{pitch} Hz, {formants_hz:?}: {found}");
                }
                assert!(voicing(&samples[800..1120]) > 0.7, "{pitch}: {}", voicing(&samples[800..1120]));
            }
        }
        assert!(voicing(&noise(0.04, LOW_RATE)) < 0.6);
    }

    #[test]
    fn bands_hold_the_energy_of_their_frequencies() {
        let mut finder = BandFinder::new();
        for (hz, band) in [(200.0, 0), (600.0, 1), (1000.0, 2), (1500.0, 3), (2000.0, 4), (2650.0, 5), (6000.0, 7)] {
            let sine = |index: usize| (TAU * hz * index as f32 / HIGH_RATE as f32).sin();
            let energies = finder.energies(&(0..BANDS_WINDOW).map(sine).collect::<Vec<_>>());
            let all: f32 = energies.iter().sum();
            assert!(energies[band] > 0.99 * all, "{hz}: {energies:?}");
        }
    }

    #[test]
    fn a_sound_at_another_rate_is_the_same_and_what_is_too_high_for_it_is_gone() {
        for (from, to) in [(48_000, 16_000), (44_100, 16_000), (22_050, 8_000), (8_000, 16_000)] {
            let sine = |hz: f32, rate: u32| move |index: usize| (TAU * hz * index as f32 / rate as f32).sin();
            let low: Vec<f32> = (0..from as usize / 4).map(sine(1000.0, from)).collect();
            let resampled_low = Resampler::new(from, to).run(&low);
            let middle = 500..resampled_low.len() - 500;
            let worst =
                middle.clone().map(|index| (resampled_low[index] - sine(1000.0, to)(index)).abs()).fold(0.0, f32::max);
            assert!(worst < 0.03, "{from} to {to}: {worst}");
            if from > to {
                let high: Vec<f32> = (0..from as usize / 4).map(sine(0.5 * to as f32 + 1500.0, from)).collect();
                let left =
                    Resampler::new(from, to).run(&high)[middle].iter().map(|sample| sample.abs()).fold(0.0, f32::max);
                assert!(left < 0.02, "{from} to {to}: {left}");
            }
        }
        assert!(Resampler::new(48_000, 16_000).run(&[1.0]).is_empty());
    }
}
