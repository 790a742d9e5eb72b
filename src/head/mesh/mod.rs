//! Geometry and its morph targets (glTF 2.0 §3.7.2), in one mesh's own space.

mod influences;
mod uv_color_deltas;

use glam::{Mat4, Vec2, Vec3, Vec4};
pub use influences::{Influence, Influences};
pub use uv_color_deltas::UvColorDeltas;

use super::UvSet;

/// What every vertex has at rest. Slices are as long as `positions`, or empty where the file has none.
#[derive(Clone, Debug, Default)]
pub struct Vertices {
    /// Mesh space (that of the bind where there is a skin), the file's unit (glTF: metres).
    pub positions: Vec<Vec3>,
    /// Unit length; zero where the file has none (such parts are [`Part::flat_shaded`]). Never empty.
    pub normals: Vec<Vec3>,
    /// xyz unit length, w = ±1 the bitangent's side; empty where the file has none.
    pub tangents: Vec<Vec4>,
    /// The set the part's base-colour texture asks for; empty where the file has none.
    pub uvs: Vec<Vec2>,
    /// A second set, where some texture of a part asks for another; else empty.
    pub second_uvs: Vec<Vec2>,
    /// Linear RGBA; empty where the file has none.
    pub colors: Vec<[f32; 4]>,
    /// The joints that pull on each; empty where no skin does.
    pub influences: Influences,
    /// The file's own vertex that each was split from, where texture or shading tears (OBJ's `v`, counted from 0); empty
    /// where the file does not say. What is one vertex to the modelling program moves as one.
    pub control_points: Vec<u32>,
}

impl Vertices {
    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there is none.
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
    /// Where its indices begin in [`Mesh::indices`].
    pub first_index: u32,
    /// How many; a multiple of 3.
    pub index_count: u32,
    /// Index into [`super::Head::materials`].
    pub material: usize,
    /// The file has no normals here: each triangle of the *morphed* surface is shaded flat (glTF 2.0 §3.7.2.1).
    pub flat_shaded: bool,
}

/// One morph target of one mesh: what weight 1 adds to the base. Rows that move nothing are not stored.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The file's name for it, or `target N`.
    pub name: String,
    /// Weight at rest. Unbounded.
    pub default_weight: f32,
    /// The vertices it touches, strictly increasing.
    pub rows: Vec<u32>,
    /// Added to position; one per row, or empty where the target has no POSITION.
    pub positions: Vec<Vec3>,
    /// Added to normal before normalising; one per row, or empty where the target has no NORMAL.
    pub normals: Vec<Vec3>,
    /// Added to tangent's xyz; one per row, or empty where the target has no TANGENT.
    pub tangents: Vec<Vec3>,
    /// What it changes beside the shape; has rows of its own.
    pub uv_color_deltas: UvColorDeltas,
}

impl Target {
    /// Keeps the rows of dense deltas in which anything is not zero. Each slice has `vertex_count` entries or none.
    pub fn from_dense(
        name: String,
        default_weight: f32,
        positions: &[Vec3],
        normals: &[Vec3],
        tangents: &[Vec3],
    ) -> Self {
        let moves = |deltas: &[Vec3], row: usize| deltas.get(row).is_some_and(|delta| *delta != Vec3::ZERO);
        let vertex_count = positions.len().max(normals.len()).max(tangents.len());
        let rows: Vec<u32> = (0..vertex_count)
            .filter(|&row| moves(positions, row) || moves(normals, row) || moves(tangents, row))
            .map(|row| row as u32)
            .collect();
        let pick = |deltas: &[Vec3]| -> Vec<Vec3> {
            if deltas.is_empty() { Vec::new() } else { rows.iter().map(|&row| deltas[row as usize]).collect() }
        };
        let (positions, normals, tangents) = (pick(positions), pick(normals), pick(tangents));
        Self { name, default_weight, rows, positions, normals, tangents, uv_color_deltas: UvColorDeltas::default() }
    }

    /// Whether it changes nothing at any weight.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.uv_color_deltas.rows.is_empty()
    }
}

/// A mesh as one node of the file shows it.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The file's name for it.
    pub name: String,
    /// The node that shows it, in [`super::Rig::nodes`]; none for one that nothing can move.
    pub node: Option<usize>,
    /// The skin that pulls it, in [`super::Rig::skins`]: then it is its joints that put it into the world.
    pub skin: Option<usize>,
    /// Where it stands at rest; that of its node, if it has one, by [`super::Head::new`]. See [`super::RigPose`].
    pub world_from_mesh: Mat4,
    /// All its primitives' vertices, one after the other (shared ones once).
    pub vertices: Vertices,
    /// Triangles, into `vertices`.
    pub indices: Vec<u32>,
    /// Its primitives.
    pub parts: Vec<Part>,
    /// Its morph targets, in the file's order.
    pub targets: Vec<Target>,
    /// The head-wide index of `targets[0]`; set by [`super::Head::new`].
    pub first_target: usize,
}

impl Mesh {
    /// Whether some target turns a normal.
    pub fn turns_normals(&self) -> bool {
        self.targets.iter().flat_map(|target| &target.normals).any(|delta| *delta != Vec3::ZERO)
    }

    /// Whether a target moves positions and leaves the normals that the mesh has where they were, for want of any of its own.
    ///
    /// Some exporters leave normals out, others write zeros. Where any target of the mesh turns a normal
    /// (`turns_normals`: [`Self::turns_normals`], which takes longer), zeros are meant: this one only shifts what it moves.
    pub fn lacks_normals(&self, target: &Target, turns_normals: bool) -> bool {
        !target.positions.is_empty()
            && (target.normals.is_empty() || !turns_normals)
            // Without any at rest, it is shaded by its triangles.
            && self.vertices.normals.iter().any(|normal| *normal != Vec3::ZERO)
    }

    /// Per vertex, whether some target moves it visibly.
    ///
    /// An expression fades out over neck and shoulders; a tenth of the largest movement tells the face from them.
    pub(super) fn visibly_moved(&self) -> Vec<bool> {
        let moves =
            |target: &Target| -> f32 { target.positions.iter().map(|delta| delta.length()).fold(0.0, f32::max) };
        let visible = self.targets.iter().map(moves).fold(0.0, f32::max) * 0.1;
        let mut moved = vec![false; self.vertices.len()];
        for target in &self.targets {
            for (&row, delta) in target.rows.iter().zip(&target.positions) {
                moved[row as usize] |= delta.length() > visible;
            }
        }
        moved
    }
}
