//! Batches: the parts in which a picture of a head with far too much to draw is drawn, with frames of the window in
//! between.

use std::ops::Range;
use std::time::Duration;

/// The size of the next batch of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct BatchSize {
    triangles: u32,
}

impl BatchSize {
    /// The time that a batch is to take.
    const TIME: Duration = Duration::from_millis(8);
    /// Few enough for triangles that fill the picture.
    const FIRST: u32 = 16;

    pub(super) fn new() -> Self {
        Self { triangles: Self::FIRST }
    }

    /// The number of triangles of the next batch.
    pub(super) fn triangles(self) -> u32 {
        self.triangles
    }

    /// Adapts the size to how long a batch took.
    pub(super) fn learn(&mut self, took: Duration) {
        let factor = (Self::TIME.as_secs_f32() / took.as_secs_f32().max(1e-6)).clamp(0.25, 4.0);
        self.triangles = ((self.triangles as f32 * factor) as u32).clamp(1, 1 << 24);
    }
}

/// How long the last pictures of a head took, which decides whether the next ones are drawn in batches.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pace {
    /// How many pictures in a row speak for the other way of drawing.
    in_row: u32,
    /// The pixels of the largest picture of those that took long.
    slow_pixels: u64,
    /// How long the batches of the unfinished picture took.
    took: Duration,
}

impl Pace {
    /// A head whose pictures take longer than this is drawn in batches, and at once again when they take half of it.
    const SLOW: Duration = Duration::from_millis(500);
    /// So many pictures in a row tell a heavy head from a machine that was busy, or compiled a shader, for a moment.
    const IN_ROW: u32 = 3;

    /// Takes how long a picture took that was drawn at once. Returns whether the next one is to be drawn in batches.
    pub(super) fn drew_at_once(&mut self, took: Duration, size: [u32; 2]) -> bool {
        if took <= Self::SLOW {
            *self = Self::default();
            return false;
        }
        self.slow_pixels = self.slow_pixels.max(pixels(size));
        self.counts()
    }

    pub(super) fn begins_picture(&mut self) {
        self.took = Duration::ZERO;
    }

    pub(super) fn drew_batch(&mut self, took: Duration) {
        self.took += took;
    }

    /// Takes that the last batch of a picture is drawn. Returns whether the next picture is to be drawn at once: one
    /// that is coarser than those that took long does not tell.
    pub(super) fn drew_all_batches(&mut self, size: [u32; 2]) -> bool {
        if pixels(size) < self.slow_pixels {
            return false;
        }
        if self.took > Self::SLOW / 2 {
            self.in_row = 0;
            return false;
        }
        self.counts()
    }

    fn counts(&mut self) -> bool {
        self.in_row += 1;
        let is_enough = self.in_row == Self::IN_ROW;
        if is_enough {
            self.in_row = 0;
        }
        is_enough
    }
}

fn pixels(size: [u32; 2]) -> u64 {
    u64::from(size[0]) * u64::from(size[1])
}

/// Where the next batch begins, and how much it may draw.
///
/// A head of a hundred thousand primitives that lie on each other takes a software adapter a minute to draw, for which
/// the window must not wait: its picture is drawn in batches, with frames of the window in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    draw: usize,
    /// The number of indices of that draw that are drawn already.
    indices: u32,
    triangles_left: u32,
}

impl Batch {
    /// What a draw costs besides its triangles, in triangles.
    const DRAW_COST: u32 = 4;

    pub(crate) const ALL: Self = Self { draw: 0, indices: 0, triangles_left: u32::MAX };

    /// The batch that follows this one, of about so many triangles; without a number, of all that are left.
    pub(crate) fn next(self, triangles: Option<u32>) -> Self {
        Self { triangles_left: triangles.map_or(u32::MAX, |triangles| triangles.max(1)), ..self }
    }

    /// Whether nothing is drawn yet.
    pub(crate) fn is_first(&self) -> bool {
        self.draw == 0 && self.indices == 0
    }

    /// Whether one batch draws everything.
    pub(crate) fn is_all(&self) -> bool {
        *self == Self::ALL
    }

    pub(crate) fn draws_done(&self) -> usize {
        self.draw
    }

    /// Calls `draw` with this batch of `draws`, which are the same for all batches of a pass. Returns whether it was
    /// the last.
    pub(super) fn draw<T>(
        &mut self,
        draws: impl Iterator<Item = (Range<u32>, T)>,
        mut draw: impl FnMut(Range<u32>, T),
    ) -> bool {
        for (indices, item) in draws.skip(self.draw) {
            if self.triangles_left == 0 {
                return false;
            }
            let start = indices.start + self.indices;
            let count = (indices.end - start).min(self.triangles_left.saturating_mul(3));
            draw(start..start + count, item);
            self.triangles_left = self.triangles_left.saturating_sub(count / 3 + Self::DRAW_COST);
            if start + count < indices.end {
                self.indices += count;
                return false;
            }
            (self.draw, self.indices) = (self.draw + 1, 0);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_and_shrink_towards_their_time() {
        for nanos_per_triangle in [20_u64, 3_000, 900_000] {
            let mut size = BatchSize::new();
            for _ in 0..30 {
                size.learn(Duration::from_nanos(u64::from(size.triangles()) * nanos_per_triangle));
            }
            let took = Duration::from_nanos(u64::from(size.triangles()) * nanos_per_triangle);
            assert!(took > BatchSize::TIME / 2 && took < BatchSize::TIME * 2, "{nanos_per_triangle}: {took:?}");
        }
    }

    #[test]
    fn a_busy_moment_changes_nothing_and_a_busy_minute_nothing_for_good() {
        let (whole, coarse) = ([800, 600], [400, 300]);
        let [slow, between, quick] = [600, 400, 200].map(Duration::from_millis);
        let mut pace = Pace::default();
        let at_once = [slow, slow, between, slow, slow, slow].map(|took| pace.drew_at_once(took, whole));
        assert_eq!(at_once, [false, false, false, false, false, true]);
        let mut in_batches = |took: Duration, size| {
            pace.begins_picture();
            // In two batches, after one of a picture that was given up.
            pace.drew_batch(slow);
            pace.begins_picture();
            (0..2).for_each(|_| pace.drew_batch(took / 2));
            pace.drew_all_batches(size)
        };
        assert!((0..9).all(|_| !in_batches(quick, coarse)));
        assert_eq!([quick, quick, between, quick, quick].map(|took| in_batches(took, whole)), [false; 5]);
        assert!(in_batches(quick, whole));
    }

    #[test]
    fn what_was_begun_in_batches_is_drawn_to_its_end_without_them() {
        let draws = [(0..9, 0), (9..300, 1)];
        let mut drawn = Vec::new();
        let mut batch = Batch::ALL.next(Some(1));
        assert!(!batch.draw(draws.iter().cloned(), |indices, _| drawn.extend(indices)));
        let mut batch = batch.next(None);
        assert!(batch.draw(draws.iter().cloned(), |indices, _| drawn.extend(indices)));
        assert_eq!(drawn, Vec::from_iter(0..300));
    }

    #[test]
    fn batches_draw_everything_once_and_in_order() {
        let draws = [0..9, 9..9, 9..300, 300..306, 306..309];
        for triangles in [0, 1, 5, 6, 50, 1000] {
            let (mut batch, mut drawn, mut most) = (Batch::ALL, Vec::new(), 0);
            for count in 1.. {
                batch = batch.next(Some(triangles));
                let before = drawn.len();
                let items = draws.iter().cloned().zip(0..);
                let is_last = batch.draw(items, |indices, item| drawn.extend(indices.map(|index| (index, item))));
                most = most.max(drawn.len() - before);
                assert!(count < 400, "at least one triangle each");
                if is_last {
                    break;
                }
            }
            let all =
                draws.iter().cloned().zip(0..).flat_map(|(indices, item)| indices.map(move |index| (index, item)));
            assert!(drawn.iter().copied().eq(all), "{triangles}: {drawn:?}");
            assert!(most <= 3 * triangles.max(1) as usize, "{triangles}: {most}");
        }
    }
}
