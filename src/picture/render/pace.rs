//! The pace of a head that takes long to draw: how many triangles are drawn at once.

use std::time::Duration;

/// The size of the next portion of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    triangles: u32,
}

impl Pace {
    /// The time that a portion is to take.
    const PORTION: Duration = Duration::from_millis(8);
    /// Few enough for triangles that fill the picture.
    const FIRST: u32 = 16;

    /// Small portions at first.
    pub(super) fn new() -> Self {
        Self { triangles: Self::FIRST }
    }

    /// The number of triangles of the next portion.
    pub(super) fn triangles(self) -> u32 {
        self.triangles
    }

    /// Adapts the size to how long a portion took.
    pub(super) fn learn(&mut self, took: Duration) {
        let factor = (Self::PORTION.as_secs_f32() / took.as_secs_f32().max(1e-6)).clamp(0.25, 4.0);
        self.triangles = ((self.triangles as f32 * factor) as u32).clamp(1, 1 << 24);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_grow_and_shrink_towards_their_time() {
        for nanos_per_triangle in [20_u64, 3_000, 900_000] {
            let mut pace = Pace::new();
            for _ in 0..30 {
                pace.learn(Duration::from_nanos(u64::from(pace.triangles()) * nanos_per_triangle));
            }
            let took = Duration::from_nanos(u64::from(pace.triangles()) * nanos_per_triangle);
            assert!(took > Pace::PORTION / 2 && took < Pace::PORTION * 2, "{nanos_per_triangle}: {took:?}");
        }
    }
}
