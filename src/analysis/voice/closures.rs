//! When the lips are closed, found in a sound alone: dips of the energy above the voice bar, of which a score says how
//! much they sound like *m*, *b* and *p*.
//!
//! Three kinds of dips are told apart by what is left of the voice: silence, as of *p*, *t* and *k*; the voice bar
//! alone, as of *b*, *d* and *g*; and a murmur, as of *m* and *n*. The burst of lips is diffuse and falls with
//! frequency, that of *t* is high and that of *k* compact (S. E. Blumstein and K. N. Stevens, "Acoustic invariance in
//! speech production", 1979); the murmur of *m* has its gap below that of *n* (O. Fujimura, "Analysis of nasal
//! consonants", 1962); *f*, *s* and *v* hiss. The weights of these cues are a logistic regression's on sentences of two
//! synthesizers, rounded; docs/voice.md says how well they do on others and on recordings.

use super::spectrum::{BANDS, HIGH_RATE, Spectrum, decibels, loud_db, percentile};

/// Bands are found so often: closures are short.
pub(super) const BANDS_PER_SEC: f32 = 200.0;
/// The energy that is as good as silence, in decibels below the loud parts.
const SILENCE_DB: f32 = 55.0;
/// Lips are closed for at least so many frames, and for at most so many: of a longer pause its end counts.
const SHORTEST: usize = 4;
const LONGEST: usize = 31;

/// The levels of a sound over time, in decibels above its loud parts.
struct Levels {
    bands: Vec<[f32; BANDS]>,
    /// From 400 to 3500 Hz, between the voice bar and hissing.
    oral: Vec<f32>,
    loud_db: f32,
    /// The energy that is as good as silence.
    floor: f32,
}

impl Levels {
    fn new(energies: &[[f32; BANDS]]) -> Self {
        /// Noise varies: so many times what is there without the voice is taken off.
        const NOISE: f32 = 2.0;
        let noise: [f32; BANDS] =
            std::array::from_fn(|band| NOISE * percentile(energies.iter().map(|bands| bands[band]).collect(), 0.05));
        let denoised =
            |bands: &[f32; BANDS]| -> [f32; BANDS] { std::array::from_fn(|band| (bands[band] - noise[band]).max(0.0)) };
        let energies: Vec<[f32; BANDS]> = energies.iter().map(denoised).collect();
        let loud_db = loud_db(energies.iter().map(|bands| decibels(bands.iter().sum())).collect(), BANDS_PER_SEC);
        let floor = 10.0_f32.powf(0.1 * (loud_db - SILENCE_DB));
        let oral = energies.iter().map(|bands| decibels(bands[1..7].iter().sum::<f32>() + floor) - loud_db);
        let bands = energies.iter().map(|bands| bands.map(|energy| decibels(energy + 0.1 * floor) - loud_db));
        Self { bands: bands.collect(), oral: oral.collect(), loud_db, floor }
    }

    fn is_voiced(&self, frame: usize) -> bool {
        const LEAST_DB: f32 = -30.0;
        self.bands[frame][0] >= LEAST_DB
    }

    /// The loudest that a band is from one frame to another, as far as there are any.
    fn loudest(&self, band: usize, from: usize, to: usize) -> f32 {
        let last = self.bands.len().saturating_sub(1);
        let from = from.min(last);
        let frames = &self.bands[from..to.clamp(from + 1, last + 1)];
        frames.iter().map(|bands| bands[band]).fold(f32::NEG_INFINITY, f32::max)
    }
}

/// A time in which there is less energy above the voice bar than before and after it.
#[derive(Clone, Copy)]
struct Dip {
    start: usize,
    end: usize,
    lowest_db: f32,
    before_db: f32,
    after_db: f32,
}

/// When the lips are closed, in seconds. `samples` are at [`HIGH_RATE`], `energies` those of its bands,
/// [`BANDS_PER_SEC`] times a second.
pub(super) fn closures(samples: &[f32], energies: &[[f32; BANDS]]) -> Vec<[f32; 2]> {
    /// Nothing hisses in a sound with so little above 3.5 kHz, as of a telephone: it does not say what it lacks.
    const LEAST_HISS_DB: f32 = -50.0;
    let levels = Levels::new(energies);
    let hiss = percentile(levels.bands.iter().map(|bands| bands[BANDS - 1]).collect(), 0.95);
    let mut bursts = BurstFinder::new();
    let dips = dips(&levels).into_iter();
    let closures = dips.filter(|dip| {
        dip.end - dip.start >= SHORTEST && score(dip, &levels, samples, &mut bursts, hiss > LEAST_HISS_DB) > 0.0
    });
    closures.map(|dip| [dip.start, dip.end].map(|frame| frame as f32 / BANDS_PER_SEC)).collect()
}

/// The dips, in order.
fn dips(levels: &Levels) -> Vec<Dip> {
    const AROUND: usize = 50;
    const AFTER: usize = 30;
    const LEAST_AFTER_DB: f32 = -25.0;
    let smooth = |frame: usize| {
        let near = &levels.oral[frame.saturating_sub(1)..(frame + 2).min(levels.oral.len())];
        near.iter().sum::<f32>() / near.len() as f32
    };
    let oral: Vec<f32> = (0..levels.oral.len()).map(smooth).collect();
    let most = |range: std::ops::RangeInclusive<usize>| oral[range].iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut dips: Vec<Dip> = Vec::new();
    for [lowest, peak] in valleys(&oral) {
        let lowest_db = oral[lowest];
        let before_db = most(lowest.saturating_sub(AROUND)..=lowest);
        let after_db = most(lowest..=peak.min(lowest + AFTER));
        if after_db < LEAST_AFTER_DB {
            continue;
        }
        // A dip reaches to half of its depth, but a deep one not down into the murmur of a nasal beside it.
        let edge = |side_db: f32| (0.5 * (lowest_db + side_db)).max(side_db - 12.0);
        let (mut start, mut end) = (lowest, lowest);
        while start > 0 && oral[start - 1] < edge(before_db) && lowest - start < LONGEST {
            start -= 1;
        }
        while end + 1 < oral.len() && oral[end] < edge(after_db) && end - lowest < LONGEST {
            end += 1;
        }
        start = voice_after_silence(levels, start.max(end.saturating_sub(LONGEST)), end);
        let dip = Dip { start, end, lowest_db, before_db, after_db };
        match dips.last_mut().filter(|last| start + 2 <= last.end) {
            Some(last) if lowest_db < last.lowest_db => {
                let is_one = end - last.start <= LONGEST;
                *last = Dip { start: if is_one { start.min(last.start) } else { start }, ..dip };
            }
            Some(_) => {}
            None => dips.push(dip),
        }
    }
    dips
}

/// Where the voice begins in a dip that begins in silence and ends with the voice, as of an *m* after a pause; else the
/// start of the dip.
fn voice_after_silence(levels: &Levels, start: usize, end: usize) -> usize {
    const LEAST: usize = 8;
    let unvoiced = (start..end).rev().find(|&frame| !levels.is_voiced(frame));
    match unvoiced {
        Some(last) if !levels.is_voiced(start) && end - last > LEAST => last + 1,
        _ => start,
    }
}

/// The lowest places of a curve, each with the highest one after it. Less than some decibels is no valley and no peak.
fn valleys(levels: &[f32]) -> Vec<[usize; 2]> {
    const LEAST_DB: f32 = 4.0;
    let mut valleys = Vec::new();
    let (mut falls, mut lowest, mut highest) = (true, 0, 0);
    for (frame, &level) in levels.iter().enumerate() {
        if falls {
            if level <= levels[lowest] {
                lowest = frame;
            } else if level > levels[lowest] + LEAST_DB {
                (falls, highest) = (false, frame);
            }
        } else if level >= levels[highest] {
            highest = frame;
        } else if level < levels[highest] - LEAST_DB {
            valleys.push([lowest, highest]);
            (falls, lowest) = (true, frame);
        }
    }
    if !falls {
        valleys.push([lowest, highest]);
    }
    valleys
}

/// How much a dip sounds like closed lips: more than 0 is more like them than not.
fn score(dip: &Dip, levels: &Levels, samples: &[f32], bursts: &mut BurstFinder, hisses: bool) -> f32 {
    const MURMUR_DB: f32 = -32.0;
    let quarter = (dip.end - dip.start) / 4;
    let core = dip.start + quarter..(dip.end - quarter).max(dip.start + quarter + 1);
    let count = core.len() as f32;
    let mean: [f32; BANDS] =
        std::array::from_fn(|band| levels.bands[core.clone()].iter().map(|bands| bands[band]).sum::<f32>() / count);
    // How much more there is from 750 to 1250 Hz than in the bands above it.
    let [over_1250, over_1700, over_2300] = [3, 4, 5].map(|band| mean[2] - mean[band]);
    let (voice, murmur) = (mean[0], mean[1]);
    if voice >= -30.0 && murmur > MURMUR_DB {
        // A murmur: that of m has less of 400 to 750 Hz, n and l are shorter and louder.
        let voice_before = levels.loudest(0, dip.start.saturating_sub(8), dip.start);
        let frames = (dip.end - dip.start) as f32;
        return -4.1 - 0.09 * (murmur - mean[2]) + 0.125 * frames - 0.065 * (voice_before - voice) - 0.13 * murmur
            + 0.035 * (mean[3] - mean[5])
            + 0.035 * over_1700;
    }
    let burst = bursts.find(samples, levels, dip.end);
    if voice >= -30.0 {
        return -2.9
            + 0.145 * over_1250
            + 0.075 * (dip.after_db - dip.lowest_db)
            + 0.18 * burst.low_db
            + 0.075 * over_2300;
    }
    let oral = &levels.oral[core];
    let oral_mean = oral.iter().sum::<f32>() / count;
    let uneven = (oral.iter().map(|level| (level - oral_mean).powi(2)).sum::<f32>() / count).sqrt();
    // What a sound without high frequencies does not say counts as usual.
    let [hiss, burst_hiss] =
        if hisses { [levels.loudest(BANDS - 1, dip.start, dip.end), burst.hiss_db] } else { [-29.0, -3.0] };
    -3.4 - 0.08 * hiss + 0.11 * uneven - 0.65 * burst.peak_khz
        + 0.04 * (dip.before_db.max(dip.after_db) - dip.lowest_db)
        - 0.035 * burst_hiss
        + 0.055 * burst.middle_db
        + 0.2 * burst.low_db
        + 0.11 * over_1250
}

/// What the end of a closure sounds like.
#[derive(Clone, Copy, Default)]
struct Burst {
    /// From 300 to 1000 Hz, and from 1600 to 2400 Hz, in decibels above the loudest part of it.
    low_db: f32,
    middle_db: f32,
    /// Above 3.5 kHz, in decibels above the same of what follows.
    hiss_db: f32,
    /// Where most of it is.
    peak_khz: f32,
}

/// Finds what is heard within some milliseconds: bursts are short.
struct BurstFinder {
    spectrum: Spectrum,
}

impl BurstFinder {
    const WINDOW: usize = 80;
    const SIZE: usize = 128;
    /// What makes its powers as large per hertz as those of the bands, whose window and size are four times as long.
    const ENERGY: f32 = 16.0;
    /// The ends of the bands that are compared, in hertz.
    const BANDS_HZ: [f32; 7] = [300.0, 1000.0, 1600.0, 2400.0, 3600.0, 5200.0, 8000.0];

    fn new() -> Self {
        Self { spectrum: Spectrum::new(Self::WINDOW, Self::SIZE) }
    }

    /// The sharpest rise within some 40 ms around the end of a closure.
    fn find(&mut self, samples: &[f32], levels: &Levels, end: usize) -> Burst {
        const STEP: usize = 16;
        const REACH: usize = 8;
        /// A rise is measured over so many steps.
        const RISE: usize = 4;
        const BINS: usize = BurstFinder::SIZE / 2 + 1;
        let bin = |hz: f32| (hz * Self::SIZE as f32 / HIGH_RATE as f32).ceil() as usize;
        let frame_samples = (HIGH_RATE as f32 / BANDS_PER_SEC) as usize;
        let first = (end.saturating_sub(REACH) * frame_samples).next_multiple_of(STEP);
        let last = ((end + REACH) * frame_samples).min(samples.len()).saturating_sub(Self::WINDOW);
        let powers: Vec<[f32; BINS]> = (first..last)
            .step_by(STEP)
            .map(|start| {
                let powers = self.spectrum.powers(&samples[start..start + Self::WINDOW]);
                std::array::from_fn(|bin| powers[bin] * Self::ENERGY)
            })
            .collect();
        if powers.len() < 3 * RISE {
            return Burst::default();
        }
        let floor = levels.floor / 30.0;
        let level = |powers: &[f32]| decibels(powers.iter().sum::<f32>() + floor) - levels.loud_db;
        let all: Vec<f32> = powers.iter().map(|powers| level(&powers[bin(500.0)..])).collect();
        let rises = all.iter().zip(&all[RISE..]).map(|(before, now)| now - before).enumerate();
        let (start, _) = rises.fold((0, f32::NEG_INFINITY), |best, rise| if rise.1 > best.1 { rise } else { best });
        let at = start + RISE;
        let burst = &powers[at - 1..(at + 6).min(powers.len())];
        let loudest = |from: usize, to: usize| {
            burst.iter().map(|powers| level(&powers[from..to])).fold(f32::NEG_INFINITY, f32::max)
        };
        let bands: [f32; 6] =
            std::array::from_fn(|band| loudest(bin(Self::BANDS_HZ[band]), bin(Self::BANDS_HZ[band + 1])));
        let most = bands.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let heights = burst.iter().flat_map(|powers| powers.iter().enumerate().skip(bin(300.0)));
        let (peak, _) = heights.fold((0, 0.0), |best, (bin, &power)| if power > best.1 { (bin, power) } else { best });
        let frame = (first + at * STEP) / frame_samples;
        Burst {
            low_db: bands[0] - most,
            middle_db: bands[2] - most,
            hiss_db: loudest(bin(3500.0), BINS) - levels.loudest(BANDS - 1, frame + 6, frame + 16),
            peak_khz: peak as f32 * HIGH_RATE as f32 / Self::SIZE as f32 / 1000.0,
        }
    }
}
