//! Pseudo-random numbers that are the same on every machine.

use glam::Vec3;
use smirk_base::random;

/// A sequence of the numbers of [`smirk_base::random`].
pub struct Random {
    seed: u32,
    index: u64,
}

impl Random {
    pub fn new(seed: u32) -> Self {
        Self { seed, index: 0 }
    }

    pub fn bits(&mut self) -> u64 {
        self.index += 1;
        random::bits(self.seed, self.index)
    }

    /// A number with a uniform distribution in 0..1.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1 << 24) as f32
    }

    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// A vector whose components are in -extent..extent.
    pub fn vector(&mut self, extent: f32) -> Vec3 {
        Vec3::new(self.between(-extent, extent), self.between(-extent, extent), self.between(-extent, extent))
    }

    /// A vector of unit length in a random direction.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let vector = self.vector(1.0);
            if (0.01..1.0).contains(&vector.length_squared()) {
                return vector / vector.length();
            }
        }
    }
}
