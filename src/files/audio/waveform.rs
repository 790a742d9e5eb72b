//! The waveform of a sound at every zoom: the extremes of ever longer parts of it, like the levels of a mip map.

use std::ops::Range;

/// The lowest and the highest sample of parts of a sound, over all channels. The parts of the first level are [`Self::FIRST`] frames
/// long, those of every other one [`Self::STEP`] times as long as those of the level before.
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

    /// The waveform of samples, frame after frame.
    pub(super) fn of(samples: &[i16], channels: usize) -> Self {
        let mut level: Vec<_> = samples.chunks(Self::FIRST * channels).filter_map(of_samples).collect();
        let mut levels = Vec::new();
        while level.len() > Self::STEP {
            let next = level.chunks(Self::STEP).filter_map(joined).collect();
            levels.push(std::mem::replace(&mut level, next));
        }
        levels.push(level);
        Self { levels }
    }

    /// The extremes of some frames. At most about `4 * STEP` numbers are read for them, and [`Self::FIRST`] frames at both ends.
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
    fn any_part_has_the_extremes_of_its_samples() {
        for (frames, channels) in [(0, 1), (63, 1), (64, 2), (5000, 2), (70_001, 1)] {
            let samples: Vec<i16> = (0..(frames * channels) as u64).map(|index| bits(3, index) as i16).collect();
            let waveform = Waveform::of(&samples, channels);
            for seed in 0..300 {
                let at = |index: u64| (bits(seed, index) % (frames as u64 + 1)) as usize;
                let (from, to) = (at(0).min(at(1)), at(0).max(at(1)));
                let expected = of_samples(&samples[from * channels..to * channels]);
                assert_eq!(waveform.extremes(&samples, channels, from..to), expected, "{from}..{to} of {frames}");
            }
        }
    }
}
