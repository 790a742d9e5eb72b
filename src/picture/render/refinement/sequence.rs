//! The points at which a picture is sampled: in the pixel, on the key light and in the studio.
//!
//! Each pair of numbers is Sobol's sequence in two dimensions, whose first 2, 4, 8 … points are spread evenly. So that the pairs of a
//! sample do not depend on each other, each is shuffled and scrambled by a seed of its own (B. Burley, "Practical hash-based Owen
//! scrambling", 2020). The numbers are the same on every machine, and so are stored pictures.

use std::f32::consts::TAU;

use glam::{Vec2, vec2};

/// One sample of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SamplePoint {
    /// The offset from the middle of the pixel, in pixels, distributed as a tent.
    pub in_pixel: Vec2,
    /// A point of the unit disc: the part of the key light.
    pub on_key: Vec2,
    /// The place of the first direction of the studio in [`studio_point`].
    pub first_dome: u32,
}

impl SamplePoint {
    /// The half-width of the tent in pixels. A tent of 1 has no aliasing that can be seen, but is less sharp.
    const PIXEL_RADIUS: f32 = 0.9;

    /// Sample `index` of a picture with so many directions of the studio per sample.
    pub(super) fn new(index: u32, domes: u32) -> Self {
        let [x, y] = pair(index, 0x68bc_21eb);
        let [u, v] = pair(index, 0x02e5_be93);
        let tent = |x: f32| if x < 0.5 { (2.0 * x).sqrt() - 1.0 } else { 1.0 - (2.0 - 2.0 * x).sqrt() };
        Self {
            in_pixel: vec2(tent(x), tent(y)) * Self::PIXEL_RADIUS,
            on_key: Vec2::from_angle(v * TAU) * u.sqrt(),
            first_dome: index.wrapping_mul(domes),
        }
    }
}

/// Two evenly distributed numbers in 0..1 for the direction `index` of the studio's light: the R2 sequence (M. Roberts, "The
/// unreasonable effectiveness of quasirandom sequences", 2018). Few directions have to do for a picture, and any number of its
/// points is spread evenly, while Sobol's are so at powers of two.
pub(super) fn studio_point(index: u32) -> [f32; 2] {
    // 1 / g and 1 / g² of the plastic number g, as binary fractions.
    const STEPS: [u32; 2] = [3_242_174_889, 2_447_445_414];
    STEPS.map(|step| ((1_u32 << 31).wrapping_add(index.wrapping_mul(step)) >> 8) as f32 / (1 << 24) as f32)
}

/// Point `index` of a sequence of evenly distributed points in the unit square.
fn pair(index: u32, seed: u32) -> [f32; 2] {
    // Bits are flipped by those above them, so that the first 2, 4, 8 … points stay together.
    let index = scrambled(index, seed);
    let first = scrambled(index.reverse_bits(), seed ^ 0xa511_e9b3);
    let second = scrambled(sobol_second(index), seed ^ 0x63d8_3595);
    [first, second].map(|bits| (bits >> 8) as f32 / (1 << 24) as f32)
}

/// The second dimension of Sobol's sequence, as a binary fraction.
fn sobol_second(index: u32) -> u32 {
    let mut direction = 1_u32 << 31;
    let mut sum = 0;
    for bit in 0..32 {
        if index >> bit & 1 == 1 {
            sum ^= direction;
        }
        direction ^= direction >> 1;
    }
    sum
}

/// Owen's scrambling of a binary fraction: each bit is flipped or not, depending on the seed and on the bits above it.
fn scrambled(fraction: u32, seed: u32) -> u32 {
    let mut bits = fraction.reverse_bits().wrapping_add(seed);
    bits ^= bits.wrapping_mul(0x6c50_b47c);
    bits ^= bits.wrapping_mul(0xb82f_1e52);
    bits ^= bits.wrapping_mul(0xc7af_e638);
    bits ^= bits.wrapping_mul(0x8d22_f6e6);
    bits.reverse_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_of_each_pair_are_spread_evenly() {
        for seed in [0x68bc_21eb, 0x02e5_be93] {
            for power in [1, 2, 4, 6] {
                let count = 1_u32 << power;
                // One point in each column, in each row, and, for even powers, in each square.
                for (columns, rows) in [(count, 1), (1, count), (1 << (power / 2), 1 << (power - power / 2))] {
                    let mut cells: Vec<u32> = (0..count)
                        .map(|index| {
                            let [x, y] = pair(index, seed);
                            (x * columns as f32) as u32 + columns * (y * rows as f32) as u32
                        })
                        .collect();
                    cells.sort_unstable();
                    cells.dedup();
                    assert_eq!(cells.len() as u32, count, "{columns} × {rows} of {seed:x}");
                }
            }
        }
    }

    #[test]
    fn samples_stay_in_the_pixel_and_on_the_light_and_have_the_right_mean() {
        let points: Vec<SamplePoint> = (0..256).map(|index| SamplePoint::new(index, 1)).collect();
        let mean = |of: fn(&SamplePoint) -> Vec2| points.iter().map(of).sum::<Vec2>() / 256.0;
        assert!(mean(|point| point.in_pixel).length() < 0.01 && mean(|point| point.on_key).length() < 0.02);
        for point in points {
            assert!(point.in_pixel.abs().max_element() <= SamplePoint::PIXEL_RADIUS && point.on_key.length() <= 1.0);
        }
    }
}
