//! How exactly strands are drawn. A software adapter transforms their points on one core, so that it draws fewer strands with fewer
//! points.

use crate::render::surface::Tier;
use smirk_face::head::GrownStrands;

/// What the strands are drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Picture(Tier),
    Shadow,
}

/// How exactly strands are drawn for a purpose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Detail {
    /// The number of points of each strand that are drawn, between root and tip; at most [`GrownStrands::POINTS`].
    pub(super) points: u32,
    /// The largest part of the strands that is drawn; for shadows, of those of the picture.
    pub(super) part: f32,
}

impl Detail {
    pub(super) fn of(purpose: Purpose, is_software: bool) -> Self {
        let all = GrownStrands::POINTS as u32;
        let (points, part) = match (is_software, purpose) {
            (false, Purpose::Picture(_)) => (all, 1.0),
            (false, Purpose::Shadow) => (all, 1.0 / 4.0),
            (true, Purpose::Picture(Tier::Moving { .. })) => (6, 1.0 / 8.0),
            (true, Purpose::Picture(Tier::Resting)) => (all, 0.45),
            (true, Purpose::Shadow) => (8, 1.0 / 12.0),
        };
        Self { points, part }
    }

    /// The number of vertices of a strand in the strip: two for each point, and the first and the last of them twice.
    pub(super) fn vertices(self) -> u32 {
        2 * self.points + 2
    }

    /// One of so many strands is drawn.
    pub(super) fn strands_per_drawn(self) -> u32 {
        (1.0 / self.part).round() as u32
    }
}
