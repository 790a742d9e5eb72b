//! Meshes and their morph targets (glTF 2.0 §3.7.2), in mesh space.

mod groups;
mod in_between;
mod influences;
mod pieces;
mod strands;

pub use groups::Groups;
pub use in_between::{InBetween, ShapeMix};
pub use influences::{Influence, Influences};
pub use pieces::pieces_of;
pub use strands::{GrownStrands, Growth, GuidePoint, StrandPoint, Strands};

use glam::{Mat4, Vec2, Vec3, Vec4};
use rayon::prelude::*;

use super::UvSet;

/// The attributes of all vertices at rest. Lists are as long as `positions`, or empty where the file has none.
#[derive(Clone, Debug, Default)]
pub struct Vertices {
    /// In mesh space (with a skin: the space of its bind pose) and the file's unit (glTF: metres).
    pub positions: Vec<Vec3>,
    /// Unit length; zero where the file has none (such parts are [`Part::flat_shaded`]).
    pub normals: Vec<Vec3>,
    /// xyz unit length, w = ±1 the bitangent's side; empty where the file has none.
    pub tangents: Vec<Vec4>,
    /// The set of texture coordinates that the base-colour texture of the part uses; empty where the file has none.
    pub uvs: Vec<Vec2>,
    /// A second set, where some texture of a part uses another; else empty.
    pub second_uvs: Vec<Vec2>,
    /// Linear RGBA; empty where the file has none.
    pub colors: Vec<[f32; 4]>,
    /// The joints of each vertex and their weights; empty for a mesh without a skin.
    pub influences: Influences,
    /// Per vertex the control point it was split from at a seam of texture coordinates or normals: the index of a
    /// vertex as the modelling program numbers them (OBJ: of a `v` statement, counted from 0). Empty where the file
    /// does not contain it. Vertices of one control point move together.
    pub control_points: Vec<u32>,
}

impl Vertices {
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// A set of texture coordinates; empty where there is none.
    pub fn uv_set(&self, set: UvSet) -> &[Vec2] {
        match set {
            UvSet::First => &self.uvs,
            UvSet::Second => &self.second_uvs,
        }
    }
}

/// A run of indices drawn with one material: a glTF primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The start of its indices in [`Mesh::indices`].
    pub first_index: u32,
    /// The number of its indices; a multiple of 3.
    pub index_count: u32,
    /// Index into [`super::Asset::materials`].
    pub material: usize,
    /// Whether the file has no normals here: each triangle of the *morphed* surface is shaded flat (glTF 2.0 §3.7.2.1).
    pub flat_shaded: bool,
}

/// A morph target of a mesh: what weight 1 adds to the base. Vertices that it does not change are not stored.
///
/// What it adds is linear in its weight, or, with [`Self::in_betweens`], piecewise linear.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The file's name for it, or `target N`.
    pub name: String,
    /// Weight at rest. Unbounded.
    pub default_weight: f32,
    /// The vertices it changes, strictly increasing.
    pub rows: Vec<u32>,
    /// Added to the position; one per row, or empty where the target has no POSITION.
    pub positions: Vec<Vec3>,
    /// Added to the normal, before it is normalised; one per row, or empty where the target has no NORMAL.
    pub normals: Vec<Vec3>,
    /// Added to xyz of the tangent; one per row, or empty where the target has no TANGENT.
    pub tangents: Vec<Vec3>,
    /// Its shapes at other weights than 1, ascending by their full weight; set by [`Self::set_in_betweens`]. Empty for
    /// most targets.
    pub in_betweens: Vec<InBetween>,
    /// Changes of texture coordinates and colours, always linear in the weight; it has rows of its own.
    pub uv_color_deltas: UvColorDeltas,
}

impl Target {
    /// Makes a target of dense deltas: rows that are all zero are dropped. Each slice has one entry per vertex, or
    /// none.
    pub fn from_dense(
        name: String,
        default_weight: f32,
        positions: &[Vec3],
        normals: &[Vec3],
        tangents: &[Vec3],
    ) -> Self {
        let vertex_count = positions.len().max(normals.len()).max(tangents.len());
        let rows = (0..vertex_count).filter(|&row| {
            [positions, normals, tangents]
                .iter()
                .any(|deltas| deltas.get(row).is_some_and(|delta| *delta != Vec3::ZERO))
        });
        let rows: Vec<u32> = rows.map(|row| row as u32).collect();
        let [positions, normals, tangents] = [positions, normals, tangents].map(|deltas| {
            if deltas.is_empty() { Vec::new() } else { rows.iter().map(|&row| deltas[row as usize]).collect() }
        });
        Self { name, default_weight, rows, positions, normals, tangents, ..Self::default() }
    }

    /// Whether it has no effect at any weight.
    pub fn is_empty(&self) -> bool {
        self.shapes().all(|shape| shape.rows.is_empty()) && self.uv_color_deltas.rows.is_empty()
    }
}

/// A mesh, as instanced by one node of the file.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The file's name for it.
    pub name: String,
    /// The node that instances it, as an index into [`super::Rig::nodes`]; none in files without nodes.
    pub node: Option<usize>,
    /// Its skin, as an index into [`super::Rig::skins`]: then its joints, not its node, transform it into the world.
    pub skin: Option<usize>,
    /// Its transform at rest. [`super::Head::new`] sets it to that of its node, if it has one. See [`super::RigPose`].
    pub world_from_mesh: Mat4,
    /// The vertices of all its primitives, one after the other; shared ones once.
    pub vertices: Vertices,
    /// Triangles, as indices into `vertices`.
    pub indices: Vec<u32>,
    /// Its primitives, each with one material.
    pub parts: Vec<Part>,
    /// Its morph targets, in the file's order.
    pub targets: Vec<Target>,
    /// Hair that grows on it, drawn as strands; empty for most meshes.
    pub strands: Vec<Strands>,
    /// The head-wide index of `targets[0]`; set by [`super::Head::new`].
    pub first_target: usize,
}

impl Mesh {
    /// A mesh without vertices that has targets of these names.
    pub fn with_targets(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let targets = names.into_iter().map(|name| Target { name: name.into(), ..Target::default() });
        Self { targets: targets.collect(), ..Self::default() }
    }

    /// A part's indices. A part that reaches past the end of the mesh's indices is cut off there.
    pub fn triangles_of(&self, part: &Part) -> &[u32] {
        let start = (part.first_index as usize).min(self.indices.len());
        let end = start.saturating_add(part.index_count as usize).min(self.indices.len());
        let whole = (end - start) / 3 * 3;
        &self.indices[start..start + whole]
    }

    /// The triangles that have three different, existing vertices.
    pub fn valid_triangles(&self) -> impl Iterator<Item = [u32; 3]> + Clone {
        let count = self.vertices.len() as u32;
        let triangles = self.indices.as_chunks::<3>().0.iter().copied();
        triangles.filter(move |&[a, b, c]| a.max(b).max(c) < count && a != b && b != c && c != a)
    }

    pub fn changes_normals(&self) -> bool {
        self.targets.iter().flat_map(Target::shapes).flat_map(|shape| shape.normals).any(|delta| *delta != Vec3::ZERO)
    }

    /// Whether a target moves positions and has no deltas of normals, although the mesh has normals.
    ///
    /// Some exporters leave deltas of normals out, others write zeros. If any target of the mesh changes a normal
    /// (`changes_normals`: the result of [`Self::changes_normals`], which takes longer), zeros are intended: the target
    /// moves the surface without turning it.
    pub fn lacks_normals(&self, target: &Target, changes_normals: bool) -> bool {
        target
            .shapes()
            .any(|shape| !shape.positions.is_empty() && (shape.normals.is_empty() || !changes_normals))
            // A mesh without normals is shaded flat, by its triangles.
            && self.vertices.normals.iter().any(|normal| *normal != Vec3::ZERO)
    }

    /// Per vertex, whether some target moves it visibly, by more than a tenth of the largest movement. This separates
    /// the face from the neck and the shoulders, where expressions fade out.
    pub(super) fn visibly_moved(&self) -> Vec<bool> {
        /// The vertices that are looked at as one parallel task.
        const VERTICES_AT_ONCE: usize = 1 << 14;
        let shapes: Vec<ShapeDeltas<'_>> = self.targets.iter().flat_map(Target::shapes).collect();
        let largest =
            shapes.par_iter().map(|shape| shape.positions.iter().map(|delta| delta.length()).fold(0.0, f32::max));
        let visible = largest.reduce(|| 0.0, f32::max) * 0.1;
        let mut moved = vec![false; self.vertices.len()];
        moved.par_chunks_mut(VERTICES_AT_ONCE).enumerate().for_each(|(index, moved)| {
            let first = (index * VERTICES_AT_ONCE) as u32;
            for shape in &shapes {
                let begin = shape.rows.partition_point(|row| *row < first);
                for (&row, delta) in shape.rows[begin..].iter().zip(shape.positions.get(begin..).unwrap_or_default()) {
                    let Some(moved) = moved.get_mut((row - first) as usize) else { break };
                    *moved |= delta.length() > visible;
                }
            }
        });
        moved
    }
}

/// The rows and deltas of a shape: how it differs from the base. The fields are as in [`Target`].
#[derive(Clone, Copy, Debug)]
pub struct ShapeDeltas<'a> {
    pub rows: &'a [u32],
    pub positions: &'a [Vec3],
    pub normals: &'a [Vec3],
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

/// The changes that a target at weight 1 adds. Vertices that do not change are not stored.
///
/// Deltas of texture coordinates and colours (glTF 2.0 §3.7.2.2), which few files have, are no part of the blend, which
/// moves surfaces; the renderer sums them up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvColorDeltas {
    /// The vertices that change, strictly increasing.
    pub rows: Vec<u32>,
    /// Added to the texture coordinates, of the first set and of the second; one pair per row.
    pub uvs: Vec<[Vec2; 2]>,
    /// Added to the linear colour; the sum is clamped to 0..1 at the end; one per row.
    pub colors: Vec<Vec4>,
}

impl Mesh {
    /// The vertices whose texture coordinates or colours some target changes, strictly increasing.
    pub fn uv_color_rows(&self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.targets.iter().flat_map(|target| &target.uv_color_deltas.rows).copied().collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// The texture coordinates of both sets and the linear colours of these vertices at `weights`, which has one number
    /// per target of the mesh.
    pub fn uvs_and_colors(&self, rows: &[u32], weights: &[f32]) -> Vec<([Vec2; 2], Vec4)> {
        let at_rest = rows.iter().map(|&row| {
            let uvs = [&self.vertices.uvs, &self.vertices.second_uvs];
            let uvs = uvs.map(|set| set.get(row as usize).copied().unwrap_or_default());
            (uvs, self.vertices.colors.get(row as usize).map_or(Vec4::ONE, |&color| color.into()))
        });
        let mut sums: Vec<([Vec2; 2], Vec4)> = at_rest.collect();
        for (target, &weight) in self.targets.iter().zip(weights) {
            if weight == 0.0 || !weight.is_finite() {
                continue;
            }
            let deltas = &target.uv_color_deltas;
            for ((row, uvs), &color) in deltas.rows.iter().zip(&deltas.uvs).zip(&deltas.colors) {
                if let Ok(place) = rows.binary_search(row) {
                    let (sum, color_sum) = &mut sums[place];
                    sum.iter_mut().zip(uvs).for_each(|(sum, &uv)| *sum += uv * weight);
                    *color_sum += color * weight;
                }
            }
        }
        sums.iter_mut().for_each(|(_, color)| *color = color.clamp(Vec4::ZERO, Vec4::ONE));
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Target, Vertices};

    #[test]
    fn coordinates_add_up_and_colours_are_clamped_after_the_sum() {
        let paint = |row, u, red| UvColorDeltas {
            rows: vec![row],
            uvs: vec![[Vec2::X * u, Vec2::Y * u]],
            colors: vec![Vec4::X * red],
        };
        let target = |deltas| Target { uv_color_deltas: deltas, ..Target::default() };
        let vertices = Vertices {
            uvs: vec![Vec2::splat(0.5); 3],
            second_uvs: vec![Vec2::splat(0.25); 3],
            colors: vec![[0.5, 0.5, 0.5, 1.0]; 3],
            ..Vertices::default()
        };
        let targets = vec![target(paint(0, 0.25, 2.0)), target(paint(2, 1.0, -1.0)), target(paint(0, 0.5, -1.0))];
        let mesh = Mesh { vertices, targets, ..Mesh::default() };
        let rows = mesh.uv_color_rows();
        assert_eq!(rows, [0, 2]);
        let grey = Vec4::new(0.5, 0.5, 0.5, 1.0);
        assert_eq!(
            mesh.uvs_and_colors(&rows, &[0.0, f32::NAN, 0.0]),
            [([Vec2::splat(0.5), Vec2::splat(0.25)], grey); 2]
        );
        let [both, other] = mesh.uvs_and_colors(&rows, &[1.0, 1.0, 2.0])[..] else { panic!() };
        assert_eq!(both, ([Vec2::new(1.75, 0.5), Vec2::new(0.25, 1.5)], grey), "2 up and 2 down: no limit in between");
        assert_eq!(other, ([Vec2::new(1.5, 0.5), Vec2::new(0.25, 1.25)], Vec4::new(0.0, 0.5, 0.5, 1.0)));
    }
}
