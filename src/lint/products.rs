//! How alike the movements of channels are: the cosine of every two, fast.
//!
//! Every channel is one long vector, a number per vertex and axis. A count sketch (Charikar, Chen, Farach-Colton: Finding
//! Frequent Items in Data Streams, 2002) folds it to 512 numbers: each of the long vector goes to one of them, with a sign, both
//! by chance. Inner products then come out right to a few per cent, and whatever is a mix of others stays that mix exactly, so
//! nothing is missed; what only looks alike is thrown out by whoever looks closer. One thread does: the others draw meanwhile.

use super::movement::Movement;
use crate::random;

/// Numbers in a sketch.
const SKETCH: usize = 512;

/// Two thousand targets take four million cosines; of more, the first are compared.
const MOST_CHANNELS: usize = 2048;

/// The channels that move something, and how alike they are.
pub struct Products {
    /// Indices into the head's channels.
    pub channels: Vec<usize>,
    /// Row by row, one per two of `channels`.
    cosines: Vec<f32>,
}

impl Products {
    /// Compares all with all.
    pub fn of(movement: &Movement<'_>) -> Self {
        let seen = (0..movement.head.channels.len()).filter(|&channel| movement.is_seen(channel));
        let channels: Vec<usize> = seen.take(MOST_CHANNELS).collect();
        let sketches: Vec<[f32; SKETCH]> = channels.iter().map(|&channel| sketch(movement, channel)).collect();
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

    /// How alike two are; indices into `channels`.
    pub fn cosine(&self, a: usize, b: usize) -> f32 {
        self.cosines[a * self.channels.len() + b]
    }
}

/// A channel's sketch, of length 1.
fn sketch(movement: &Movement<'_>, channel: usize) -> [f32; SKETCH] {
    const SEED: u32 = 0x51;
    let mut sums = [0.0_f64; SKETCH];
    let scale = f64::from(movement.largest[channel]).recip();
    for (vertex, delta) in movement.deltas(channel) {
        for (axis, value) in delta.to_array().into_iter().enumerate() {
            let chance = random::bits(SEED, (vertex * 3 + axis) as u64);
            let sign = if chance & 1 == 0 { scale } else { -scale };
            sums[(chance >> 32) as usize % SKETCH] += sign * f64::from(value);
        }
    }
    let length = sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
    sums.map(|sum| if length > 0.0 { (sum / length) as f32 } else { 0.0 })
}

/// In lanes, for the compiler to make vectors of.
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
