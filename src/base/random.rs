//! Repeatable random numbers: one for every (seed, index), the same on every machine and in any order.

/// 64 random bits. The hash is that of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
/// 2014).
pub fn bits(seed: u32, index: u64) -> u64 {
    let mut bits = (u64::from(seed) << 32 ^ index).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A number of the uniform distribution over 0 .. 1.
pub fn unit(seed: u32, index: u64) -> f32 {
    (bits(seed, index) >> 40) as f32 / (1_u64 << 24) as f32
}

/// A number of the uniform distribution over -1 .. 1.
pub fn signed(seed: u32, index: u64) -> f32 {
    unit(seed, index) * 2.0 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_uniform_and_repeat() {
        let numbers: Vec<f32> = (0..10_000).map(|index| unit(7, index)).collect();
        let mean = numbers.iter().sum::<f32>() / numbers.len() as f32;
        let spread = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f32>() / numbers.len() as f32;
        assert!((mean - 0.5).abs() < 0.01 && (spread - 1.0 / 12.0).abs() < 0.003, "{mean} {spread}");
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        assert_eq!(unit(7, 41), numbers[41]);
        assert_ne!(unit(8, 41), numbers[41]);
    }
}
