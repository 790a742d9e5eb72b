//! The similarity of the displacements of channels: the cosine between every two, computed fast.
//!
//! The displacements of a channel are one long vector, with one number per vertex and axis. A count sketch (Charikar, Chen,
//! Farach-Colton: Finding Frequent Items in Data Streams, 2002) reduces it to 512 numbers: each number of the vector is added to a
//! random one of them, with a random sign. Inner products are then right to a few per cent, and the sketch of a weighted sum is
//! exactly the weighted sum of the sketches: no combination is missed, and those that only seem to be one are rejected by the
//! exact solution. Runs on one thread, because the window draws at the same time.

use super::displacements::Displacements;
use smirk_base::random;

/// The length of a sketch.
const SKETCH: usize = 512;

/// The most channels that are compared: two thousand channels have four million cosines.
const MOST_CHANNELS: usize = 2048;

/// The channels that move visibly and have no in-betweens (these make no channel a multiple of another), and the cosines between
/// them.
pub(super) struct Similarity {
    /// Indices into the head's channels.
    pub channels: Vec<usize>,
    /// A square matrix, row by row, over `channels`.
    cosines: Vec<f32>,
}

impl Similarity {
    /// Compares all channels with each other.
    pub(super) fn of(displacements: &Displacements<'_>) -> Self {
        let is_compared = |channel: &usize| displacements.is_visible(*channel) && displacements.is_linear(*channel);
        let visible = (0..displacements.head.channels.len()).filter(is_compared);
        let channels: Vec<usize> = visible.take(MOST_CHANNELS).collect();
        let sketches: Vec<[f32; SKETCH]> = channels.iter().map(|&channel| sketch(displacements, channel)).collect();
        let count = channels.len();
        let mut cosines = vec![0.0; count * count];
        for a in 0..count {
            for b in a..count {
                let cosine = dot(&sketches[a], &sketches[b]);
                (cosines[a * count + b], cosines[b * count + a]) = (cosine, cosine);
            }
        }
        Self { channels, cosines }
    }

    /// The cosine between two channels, given as indices into `channels`.
    pub(super) fn cosine(&self, a: usize, b: usize) -> f32 {
        self.cosines[a * self.channels.len() + b]
    }
}

/// The count sketch of a channel, as a unit vector.
fn sketch(displacements: &Displacements<'_>, channel: usize) -> [f32; SKETCH] {
    const SEED: u32 = 0x51;
    let mut sums = [0.0_f64; SKETCH];
    let scale = f64::from(displacements.largest[channel]).recip();
    for (vertex, delta) in displacements.deltas(channel) {
        for (axis, value) in delta.to_array().into_iter().enumerate() {
            let chance = random::bits(SEED, (vertex * 3 + axis) as u64);
            let sign = if chance & 1 == 0 { scale } else { -scale };
            sums[(chance >> 32) as usize % SKETCH] += sign * f64::from(value);
        }
    }
    let length = sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
    sums.map(|sum| if length > 0.0 { (sum / length) as f32 } else { 0.0 })
}

/// The dot product, in lanes so that the compiler vectorises it.
fn dot(a: &[f32; SKETCH], b: &[f32; SKETCH]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}
