//! A decoded sound: samples in memory.

use std::ops::Range;

#[derive(Clone, PartialEq)]
pub struct Sound {
    frames_per_sec: u32,
    channels: usize,
    /// The samples of all channels, frame after frame. 16 bits are enough to judge lips by, and half the memory of
    /// floats.
    samples: Vec<i16>,
    waveform: Waveform,
    /// Seconds that could not be decoded; they are silent.
    pub damaged_secs: f64,
    /// Why nothing more of its file could be decoded; none if all of it was.
    pub cut_off: Option<String>,
}

impl std::fmt::Debug for Sound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sound")
            .field("frames_per_sec", &self.frames_per_sec)
            .field("channels", &self.channels)
            .field("frames", &self.frames())
            .finish_non_exhaustive()
    }
}

impl Sound {
    /// The lowest and the highest number of frames per second.
    pub const RATES: [u32; 2] = [1_000, 768_000];
    /// The most samples of all channels: 512 MiB, which is 46 minutes of stereo at 48,000 frames per second.
    pub(super) const MOST_SAMPLES: usize = 1 << 28;

    /// A sound of samples, frame after frame. An incomplete last frame is left out.
    ///
    /// # Panics
    ///
    /// If there is not one channel or two.
    pub fn new(frames_per_sec: u32, channels: usize, mut samples: Vec<i16>) -> Self {
        assert!((1..=2).contains(&channels), "{channels} channels");
        samples.truncate(samples.len() / channels * channels);
        let waveform = Waveform::from_samples(&samples, channels);
        let frames_per_sec = frames_per_sec.clamp(Self::RATES[0], Self::RATES[1]);
        Self { frames_per_sec, channels, samples, waveform, damaged_secs: 0.0, cut_off: None }
    }

    /// What of its file is not heard, in sentences; none if all is.
    pub fn damage(&self) -> Option<String> {
        let silent =
            (self.damaged_secs > 0.0).then(|| format!("{:.2} s of it are damaged, and are silent.", self.damaged_secs));
        let why = self.cut_off.as_ref();
        let short = why.map(|why| format!("Only its first {:.1} s could be read: {why}.", self.duration_secs()));
        let sentences: Vec<String> = silent.into_iter().chain(short).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    pub fn frames_per_sec(&self) -> u32 {
        self.frames_per_sec
    }

    pub fn frames(&self) -> usize {
        self.samples.len() / self.channels
    }

    pub fn duration_secs(&self) -> f64 {
        self.frames() as f64 / f64::from(self.frames_per_sec)
    }

    /// The left and the right sample of a frame, from −1 to 1; silence before the start and after the end. One channel
    /// is on both sides.
    pub(super) fn frame(&self, index: i64) -> [f32; 2] {
        let frame = usize::try_from(index).ok().and_then(|index| {
            let start = index.checked_mul(self.channels)?;
            self.samples.get(start..start + self.channels)
        });
        match frame {
            Some([both]) => [f32::from(*both) / 32768.0; 2],
            Some([left, right]) => [f32::from(*left) / 32768.0, f32::from(*right) / 32768.0],
            _ => [0.0; 2],
        }
    }

    /// The samples of all frames, from −1 to 1, as the mean of both sides.
    pub fn mono(&self) -> Vec<f32> {
        let scale = 1.0 / (32768.0 * self.channels as f32);
        let frames = self.samples.chunks_exact(self.channels);
        frames.map(|frame| frame.iter().map(|sample| f32::from(*sample)).sum::<f32>() * scale).collect()
    }

    /// The lowest and the highest sample between two times, from −1 to 1; `None` where there is no sound.
    pub fn extremes(&self, from_secs: f64, to_secs: f64) -> Option<[f32; 2]> {
        let rate = f64::from(self.frames_per_sec);
        let frames = [(from_secs * rate).floor(), (to_secs * rate).ceil()];
        // A saturating cast: times far away from the sound are before its start or after its end.
        let [from, to] = frames.map(|frame| (frame.max(0.0) as usize).min(self.frames()));
        let (low, high) = self.waveform.extremes(&self.samples, self.channels, from..to)?;
        Some([low, high].map(|sample| f32::from(sample) / 32768.0))
    }
}

/// The lowest and the highest sample of parts of a sound, over all channels. The parts of the first level are
/// [`Self::FIRST`] frames long, those of every other one [`Self::STEP`] times as long as those of the level before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waveform {
    levels: Vec<Vec<(i16, i16)>>,
}

fn joined(parts: &[(i16, i16)]) -> Option<(i16, i16)> {
    parts.iter().copied().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

fn of_samples(samples: &[i16]) -> Option<(i16, i16)> {
    Some((*samples.iter().min()?, *samples.iter().max()?))
}

impl Waveform {
    const FIRST: usize = 64;
    const STEP: usize = 8;

    pub(super) fn from_samples(samples: &[i16], channels: usize) -> Self {
        let mut level: Vec<_> = samples.chunks(Self::FIRST * channels).filter_map(of_samples).collect();
        let mut levels = Vec::new();
        while level.len() > Self::STEP {
            let next = level.chunks(Self::STEP).filter_map(joined).collect();
            levels.push(std::mem::replace(&mut level, next));
        }
        levels.push(level);
        Self { levels }
    }

    /// The extremes of some frames. At most about `4 * STEP` numbers are read for them, and [`Self::FIRST`] frames at
    /// both ends.
    pub(super) fn extremes(&self, samples: &[i16], channels: usize, frames: Range<usize>) -> Option<(i16, i16)> {
        let mut found: Option<(i16, i16)> = None;
        let mut add = |part: Option<(i16, i16)>| {
            found = found.into_iter().chain(part).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        };
        let of = |range: Range<usize>| samples.get(range.start * channels..range.end * channels).and_then(of_samples);
        // Whole parts of a level are taken from both ends as long as the next level does not have them.
        let (mut start, mut end) = (frames.start.div_ceil(Self::FIRST), frames.end / Self::FIRST);
        if start >= end {
            return of(frames);
        }
        add(of(frames.start..start * Self::FIRST));
        add(of(end * Self::FIRST..frames.end));
        for (index, level) in self.levels.iter().enumerate() {
            let part = |range: Range<usize>| level.get(range).and_then(joined);
            let (next_start, next_end) = (start.div_ceil(Self::STEP), end / Self::STEP);
            if index + 1 == self.levels.len() || next_start >= next_end {
                add(part(start..end));
                break;
            }
            add(part(start..next_start * Self::STEP));
            add(part(next_end * Self::STEP..end));
            (start, end) = (next_start, next_end);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random::bits;

    #[test]
    fn one_channel_is_heard_on_both_sides_and_silence_is_around_the_sound() {
        let mono = Sound::new(1000, 1, vec![16384, -32768]);
        assert_eq!((mono.frame(0), mono.frame(1)), ([0.5, 0.5], [-1.0, -1.0]));
        assert_eq!((mono.frame(-1), mono.frame(2), mono.frame(i64::MAX)), ([0.0; 2], [0.0; 2], [0.0; 2]));
        let stereo = Sound::new(1000, 2, vec![0, 16384, 7]);
        assert_eq!((stereo.frames(), stereo.frame(0)), (1, [0.0, 0.5]));
    }

    #[test]
    fn extremes_are_those_of_the_times_asked_for() {
        let sound = Sound::new(1000, 1, vec![0, 16384, -16384, 0]);
        assert_eq!(sound.extremes(0.001, 0.002), Some([0.5, 0.5]));
        assert_eq!(sound.extremes(0.0, 1.0), Some([-0.5, 0.5]));
        assert_eq!((sound.extremes(-1.0, 0.0), sound.extremes(9.0, 10.0)), (None, None));
        assert_eq!(sound.extremes(f64::NAN, f64::INFINITY), Some([-0.5, 0.5]));
    }

    #[test]
    fn any_part_has_the_extremes_of_its_samples() {
        for (frames, channels) in [(0, 1), (63, 1), (64, 2), (5000, 2), (70_001, 1)] {
            let samples: Vec<i16> = (0..(frames * channels) as u64).map(|index| bits(3, index) as i16).collect();
            let waveform = Waveform::from_samples(&samples, channels);
            for seed in 0..300 {
                let at = |index: u64| (bits(seed, index) % (frames as u64 + 1)) as usize;
                let (from, to) = (at(0).min(at(1)), at(0).max(at(1)));
                let expected = of_samples(&samples[from * channels..to * channels]);
                assert_eq!(waveform.extremes(&samples, channels, from..to), expected, "{from}..{to} of {frames}");
            }
        }
    }
}
