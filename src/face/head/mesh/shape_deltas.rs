//! The deltas of one shape of a target, borrowed: of its own shape or of an in-between.

use glam::Vec3;

use super::Target;

/// The rows and deltas of a shape: how it differs from the base.
#[derive(Clone, Copy, Debug)]
pub struct ShapeDeltas<'a> {
    /// The vertices it changes, strictly increasing.
    pub rows: &'a [u32],
    /// Added to the position; one per row, or empty.
    pub positions: &'a [Vec3],
    /// Added to the normal, before it is normalised; one per row, or empty.
    pub normals: &'a [Vec3],
    /// Added to xyz of the tangent; one per row, or empty.
    pub tangents: &'a [Vec3],
}

/// The rows of a shape and its deltas of positions, normals and tangents, to be changed in place.
pub(crate) type ShapeDeltasMut<'a> = (&'a [u32], [&'a mut Vec<Vec3>; 3]);

impl Target {
    /// The deltas of its own shape, which is shown fully at weight 1.
    pub fn deltas(&self) -> ShapeDeltas<'_> {
        ShapeDeltas { rows: &self.rows, positions: &self.positions, normals: &self.normals, tangents: &self.tangents }
    }

    /// The deltas of all its shapes: of its own, then of its in-betweens.
    pub fn shapes(&self) -> impl Iterator<Item = ShapeDeltas<'_>> + Clone {
        std::iter::once(self.deltas()).chain(self.in_betweens.iter().map(|in_between| in_between.deltas()))
    }

    /// The same, to be changed in place.
    pub fn shapes_mut(&mut self) -> impl Iterator<Item = ShapeDeltasMut<'_>> {
        let Self { rows, positions, normals, tangents, in_betweens, .. } = self;
        let own = (rows.as_slice(), [positions, normals, tangents]);
        std::iter::once(own).chain(
            in_betweens
                .iter_mut()
                .map(|it| (it.rows.as_slice(), [&mut it.positions, &mut it.normals, &mut it.tangents])),
        )
    }
}
