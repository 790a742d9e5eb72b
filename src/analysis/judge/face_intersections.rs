//! The surfaces of a face that cross in its current expression.

use std::sync::Arc;

use glam::Vec3;

use super::surface::{Surface, Through};
use crate::{FaceSearch, Marked};
use smirk_face::head::Head;

/// What crosses on a face with some weights, and does not at rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaceIntersections {
    /// The vertices of the triangles that cross.
    pub marked: Arc<Marked>,
    /// What crosses, with the number of pairs of triangles and the length of the lines along which they cross, in
    /// millimetres; the longest first.
    pub kinds: Vec<(Through, usize, f32)>,
}

impl FaceIntersections {
    /// What crosses on a surface while its points are at these places.
    pub(super) fn find(surface: &Surface, points: &[Vec3]) -> Self {
        let found = surface.triangles.new_intersections(points);
        let by_kind = surface.by_kind(&found).into_iter();
        let mut kinds: Vec<_> = by_kind.map(|(through, (count, length))| (through, count, length)).collect();
        kinds.sort_by(|a, b| b.2.total_cmp(&a.2));
        Self::new(surface.vertices_of(&found), kinds)
    }

    /// `vertices` are those of the triangles that cross, for each mesh; see [`Self::kinds`].
    pub fn new(vertices: Vec<Vec<u32>>, kinds: Vec<(Through, usize, f32)>) -> Self {
        let mut found = Self { marked: Arc::default(), kinds };
        let lines = if found.kinds.is_empty() {
            vec!["Nothing crosses".into()]
        } else {
            let all = format!("{:.1} mm of crossings", found.length_mm());
            let kinds = found.kinds.iter().map(|(through, _, length)| format!("{length:.1} mm {}", through.label()));
            [all].into_iter().chain(kinds).collect()
        };
        found.marked = Arc::new(Marked { vertices, lines });
        found
    }

    /// The length of all lines along which something crosses, in millimetres.
    pub fn length_mm(&self) -> f32 {
        // `+ 0.0`, because the sum of no numbers is -0.
        self.kinds.iter().map(|(_, _, length)| length).sum::<f32>() + 0.0
    }
}

/// Finds what crosses on the face of one head, which every call needs again.
#[derive(Debug)]
pub struct IntersectionFinder(Surface);

impl IntersectionFinder {
    /// Collects the triangles that can cross, and those that cross at rest.
    pub fn new(head: &Head) -> Self {
        Self(Surface::new(head))
    }

    /// What crosses with these weights, one per target of the head. What joints do is left out.
    pub fn find(&self, head: &Head, weights: &[f32]) -> FaceIntersections {
        FaceIntersections::find(&self.0, &self.0.deformed(head, weights))
    }
}

impl FaceSearch for IntersectionFinder {
    fn marked(&self, head: &Head, weights: &[f32]) -> Arc<Marked> {
        self.find(head, weights).marked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Material, Mesh, Part, Target, Vertices};

    fn mesh(name: &str, positions: Vec<Vec3>, indices: Vec<u32>, targets: Vec<Target>) -> Mesh {
        let part = Part { first_index: 0, index_count: indices.len() as u32, material: 0, flat_shaded: false };
        let normals = vec![Vec3::Z; positions.len()];
        let vertices = Vertices { positions, normals, ..Vertices::default() };
        Mesh { name: name.into(), vertices, indices, parts: vec![part], targets, ..Mesh::default() }
    }

    /// A sheet of skin of 14 by 14 squares of 10 mm in the plane z = 0, and a flap above it whose corner `dip` pushes
    /// 10 mm down, into the lower right triangle of the square right of and above the middle. The sheet is split at a
    /// corner of that square. `wide` moves all of it, so that it is the width of the face.
    fn head() -> Head {
        let place = |index: u32| Vec3::new((index % 15) as f32 - 7.0, (index / 15) as f32 - 7.0, 0.0) * 10.0;
        let mut positions: Vec<Vec3> = (0..225).map(place).collect();
        let square = |index: u32| {
            let a = index / 14 * 15 + index % 14;
            [a, a + 1, a + 16, a, a + 16, a + 15]
        };
        let mut indices: Vec<u32> = (0..196).flat_map(square).collect();
        positions.push(place(CORNERS[1]));
        // The square on the right has a vertex of its own there.
        let right = indices.as_chunks_mut::<6>().0.iter_mut().find(|corners| corners[0] == CORNERS[1]).unwrap();
        right.iter_mut().filter(|corner| **corner == CORNERS[1]).for_each(|corner| *corner = SPLIT);
        let flap = vec![Vec3::new(7.0, 3.0, 5.0), Vec3::new(7.5, 3.2, 9.0), Vec3::new(6.5, 3.1, 9.0)];
        let down = [Vec3::NEG_Z * 10.0, Vec3::ZERO, Vec3::ZERO];
        let to_the_right = vec![Vec3::X; positions.len()];
        let wide = Target::from_dense("wide".into(), 0.0, &to_the_right, &[], &[]);
        let dip = Target::from_dense("dip".into(), 0.0, &down, &[], &[]);
        let meshes = vec![mesh("sheet", positions, indices, vec![wide]), mesh("flap", flap, vec![0, 1, 2], vec![dip])];
        let materials = vec![Material { name: "skin".into(), ..Material::default() }];
        Head::new(Asset { meshes, materials, ..Asset::default() })
    }

    /// The corners of the triangle that the flap goes through.
    const CORNERS: [u32; 3] = [112, 113, 128];
    /// The second vertex at the second corner.
    const SPLIT: u32 = 225;

    #[test]
    fn the_vertices_of_triangles_that_cross_are_found_and_no_others() {
        let head = head();
        let finder = IntersectionFinder::new(&head);
        assert_eq!(finder.find(&head, &[0.0, 0.0]), FaceIntersections::new(vec![vec![], vec![]], vec![]));
        assert_eq!(finder.find(&head, &[0.0, 0.45]).length_mm(), 0.0, "half a millimetre above the sheet");
        let found = finder.find(&head, &[0.0, 1.0]);
        let sheet = vec![CORNERS[0], CORNERS[1], CORNERS[2], SPLIT];
        assert_eq!(found.marked.vertices, [sheet, vec![0, 1, 2]]);
        // Between the two edges of the flap from its corner at z = -5 to those at z = 9.
        let mm = head.mm_per_unit();
        let width = Vec3::new(7.5 - 6.5, 3.2 - 3.1, 0.0).length() * 5.0 / 14.0 * mm;
        assert!(matches!(found.kinds[..], [(Through::Skin, 1, _)]), "{found:?}");
        assert!((found.length_mm() / width - 1.0).abs() < 1e-3, "{} is not {width}", found.length_mm());
    }

    #[test]
    fn what_crosses_at_rest_is_left_out_and_a_planted_error_is_seen() {
        let mut meshes = head().meshes.clone();
        // At rest, the flap is through the sheet.
        meshes[1].vertices.positions[0].z = -3.0;
        let materials = vec![Material { name: "skin".into(), ..Material::default() }];
        let crossed = Head::new(Asset { meshes, materials, ..Asset::default() });
        assert_eq!(IntersectionFinder::new(&crossed).find(&crossed, &[0.0, 0.5]).length_mm(), 0.0);
        // The finder of another head does not know of that.
        let found = IntersectionFinder::new(&head()).find(&head(), &[0.0, 0.8]);
        assert!(found.length_mm() > 0.0);
    }
}
