//! The correspondence of the vertices of the neutral and of a shape: vertices of the same number, of the same texture
//! coordinates, or at the same position.

use glam::Mat4;

use super::by_position::match_positions;
use super::by_uv::match_uvs;
use super::control_points::ControlPoints;
use super::propagation::UNMATCHED;
use super::report::{Mismatch, Remark};
use smirk_face::head::Matching;

/// A match of two meshes, and how it was found.
#[derive(Debug)]
pub(super) struct Correspondence {
    /// Per vertex of the neutral, a vertex of the shape.
    pub of_vertex: Vec<Option<u32>>,
    /// Control points of the neutral that were matched by their number.
    pub by_order: usize,
    /// Those that were matched by texture coordinates.
    pub by_uv: usize,
    /// Those that were matched by position, or along triangles from there.
    pub by_position: usize,
    /// Control points of the neutral without a match: they do not move.
    pub unmatched: usize,
    /// Control points of the shape that nothing was matched with.
    pub unused: usize,
    /// Why the match is not by order, or what is unusual about one that is.
    pub remark: Option<Remark>,
}

/// Meshes with equally many control points are the same mesh if this part of their edges agrees. Not all: quads may be cut
/// along either diagonal.
const SAME_EDGES: f32 = 0.6;

/// Two meshes to be matched, in one space.
pub(super) struct MeshPair<'a> {
    /// The head's.
    pub neutral: ControlPoints<'a>,
    /// The shape's.
    pub shape: ControlPoints<'a>,
}

impl MeshPair<'_> {
    /// Matches the two meshes.
    pub(super) fn match_by(&self, matching: Matching) -> Result<Correspondence, Mismatch> {
        let not_by_order = match matching {
            Matching::Auto | Matching::Order => match self.by_order(matching == Matching::Order) {
                Ok(correspondence) => return Ok(correspondence),
                Err(mismatch) if matching == Matching::Order => return Err(mismatch),
                Err(mismatch) => Some(mismatch),
            },
            Matching::Uv | Matching::Position => None,
        };
        let Self { neutral, shape } = self;
        check_sizes(neutral, shape)?;
        let mut matches = vec![UNMATCHED; neutral.positions.len()];
        let count = |matches: &[u32]| matches.iter().filter(|&&matched| matched != UNMATCHED).count();
        let [neutral_has_uvs, shape_has_uvs] = [neutral, shape].map(|points| !points.mesh.vertices.uvs.is_empty());
        if matching == Matching::Uv && !(neutral_has_uvs && shape_has_uvs) {
            return Err(if shape_has_uvs { Mismatch::HeadWithoutUvs } else { Mismatch::ShapeWithoutUvs });
        }
        if neutral_has_uvs && shape_has_uvs && matching != Matching::Position {
            match_uvs(neutral, shape, &mut matches);
        }
        let by_uv = count(&matches);
        if matching != Matching::Uv {
            match_positions(neutral, shape, &mut matches);
        }
        let matched = count(&matches);
        let least = neutral.count.min(shape.count) / 10;
        if matched <= least {
            let not_by_order = not_by_order.map(Box::new);
            return Err(Mismatch::OtherMesh { not_by_order, matched, shape: shape.count, head: neutral.count });
        }
        let mut used: Vec<u32> = matches.iter().copied().filter(|&matched| matched != UNMATCHED).collect();
        used.sort_unstable();
        used.dedup();
        let of_vertex = |vertex: usize| {
            let matched = matches[neutral.of_vertex[vertex] as usize];
            (matched != UNMATCHED).then(|| self.most_alike(vertex, shape.vertices_of(matched)))?
        };
        Ok(Correspondence {
            of_vertex: (0..neutral.of_vertex.len()).map(of_vertex).collect(),
            by_order: 0,
            by_uv,
            by_position: matched - by_uv,
            unmatched: neutral.count - matched,
            unused: shape.count - used.len(),
            remark: not_by_order.map(Remark::NotByOrder),
        })
    }

    /// Matches by number: that of the control points where both files have them, else that of the vertices. With `is_forced` the
    /// edges need not agree.
    fn by_order(&self, is_forced: bool) -> Result<Correspondence, Mismatch> {
        let (own, others) = (self.neutral.mesh, self.shape.mesh);
        let is_numbered = |mesh: &smirk_face::head::Mesh| !mesh.vertices.control_points.is_empty();
        let (split_neutral, split_shape);
        let (neutral, shape) = match (is_numbered(own), is_numbered(others)) {
            (true, true) => (&self.neutral, &self.shape),
            (false, false) => {
                split_neutral = ControlPoints::one_per_vertex(own, Mat4::IDENTITY);
                split_shape = ControlPoints::one_per_vertex(others, Mat4::IDENTITY);
                (&split_neutral, &split_shape)
            }
            _ => return Err(Mismatch::Numbering),
        };
        let [head_count, shape_count] = [neutral, shape].map(|points| points.positions.len());
        if head_count != shape_count {
            return Err(Mismatch::VertexCount { shape: shape_count, head: head_count });
        }
        let shared_edges = neutral.shared_edges(shape);
        if shared_edges < SAME_EDGES && !is_forced {
            return Err(Mismatch::Order { shared_edges });
        }
        check_sizes(&self.neutral, &self.shape)?;
        let of_vertex = if is_numbered(own) {
            (0..neutral.of_vertex.len())
                .map(|vertex| self.most_alike(vertex, shape.vertices_of(neutral.of_vertex[vertex])))
                .collect()
        } else {
            (0..own.vertices.len() as u32).map(Some).collect::<Vec<_>>()
        };
        let remark = (shared_edges < 0.999).then_some(Remark::OtherEdges { share: 1.0 - shared_edges });
        // A file may have control points that no face uses: their position is NaN.
        let pairs = neutral.positions.iter().zip(&shape.positions);
        let by_order = pairs.filter(|(a, b)| !a.is_nan() && !b.is_nan()).count();
        let (unmatched, unused) = (neutral.count - by_order, shape.count - by_order);
        Ok(Correspondence { of_vertex, by_order, by_uv: 0, by_position: 0, unmatched, unused, remark })
    }

    /// Of the vertices of one control point of the shape, the one whose texture coordinates and normal are most like those of
    /// a vertex of the neutral.
    fn most_alike(&self, vertex: usize, candidates: &[u32]) -> Option<u32> {
        let (own, others) = (&self.neutral.mesh.vertices, &self.shape.mesh.vertices);
        let difference = |&candidate: &u32| {
            let candidate = candidate as usize;
            let uv = match (own.uvs.get(vertex), others.uvs.get(candidate)) {
                (Some(a), Some(b)) => a.distance(*b),
                _ => 0.0,
            };
            // Texture coordinates weigh more: they distinguish the two sides of a texture seam, which have equal normals. At a
            // hard edge the texture coordinates are equal, and the normals make the difference.
            1000.0 * uv + own.normals[vertex].distance(others.normals[candidate])
        };
        candidates.iter().copied().min_by(|a, b| difference(a).total_cmp(&difference(b)))
    }
}

/// Refuses a shape that has about as many control points as the head and a very different size: its file is in another unit.
fn check_sizes(neutral: &ControlPoints<'_>, shape: &ControlPoints<'_>) -> Result<(), Mismatch> {
    let is_about_as_many = neutral.count.abs_diff(shape.count) <= neutral.count / 5;
    let ratio = shape.size() / neutral.size();
    if is_about_as_many && ratio.is_finite() && !(0.2..=5.0).contains(&ratio) {
        return Err(Mismatch::Size { ratio });
    }
    Ok(())
}
