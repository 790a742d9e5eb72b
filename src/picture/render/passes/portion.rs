//! A portion of the draws of a pass. A head of a hundred thousand primitives that lie on each other takes a software adapter a
//! minute to draw, for which the window must not wait: its picture is drawn in portions, with frames of the window in between.

use std::ops::Range;

/// Where the next portion begins, and how much it may draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Portion {
    draw: usize,
    /// The number of indices of that draw that are drawn already.
    indices: u32,
    triangles_left: u32,
}

impl Portion {
    /// What a draw costs besides its triangles, in triangles.
    const DRAW_COST: u32 = 4;

    /// All draws.
    pub(crate) const ALL: Self = Self { draw: 0, indices: 0, triangles_left: u32::MAX };

    /// The portion that follows this one, of about so many triangles.
    pub(crate) fn next(self, triangles: u32) -> Self {
        Self { triangles_left: triangles.max(1), ..self }
    }

    /// Whether nothing is drawn yet.
    pub(crate) fn is_first(&self) -> bool {
        self.draw == 0 && self.indices == 0
    }

    /// Whether one portion draws everything.
    pub(crate) fn is_all(&self) -> bool {
        *self == Self::ALL
    }

    /// The number of draws that are complete.
    pub(crate) fn draws_done(&self) -> usize {
        self.draw
    }

    /// Calls `draw` with this portion of `draws`, which are the same for all portions of a pass. Returns whether it was the last.
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
    fn portions_draw_everything_once_and_in_order() {
        let draws = [0..9, 9..9, 9..300, 300..306, 306..309];
        for triangles in [0, 1, 5, 6, 50, 1000] {
            let (mut portion, mut drawn, mut most) = (Portion::ALL, Vec::new(), 0);
            for count in 1.. {
                portion = portion.next(triangles);
                let before = drawn.len();
                let items = draws.iter().cloned().zip(0..);
                let is_last = portion.draw(items, |indices, item| drawn.extend(indices.map(|index| (index, item))));
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
