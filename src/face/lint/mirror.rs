//! Finds the mirror image of each vertex, by positions and normals at rest.

use std::collections::HashMap;

use glam::Vec3;

use super::displacements::Displacements;

/// The largest distance of a mirror image from its exact position, as a part of the face: a fifth of a millimetre.
const TOLERANCE: f32 = 1e-3;

/// The largest difference of the normals, as 1 − cosine: below a right angle, and including vertices without normals, where it is
/// 1.
const MOST_TURN: f32 = 1.001;

/// The most vertices that are compared; of a larger number, an even sample is compared.
const MOST_VERTICES: usize = 40_000;

/// The most vertices of one grid cell that are compared.
const MOST_IN_A_CELL: usize = 24;

/// A head is symmetric if this part of the compared vertices have a mirror image.
const SYMMETRIC_SHARE: f32 = 0.8;

/// The plane of symmetry of a head, and the mirror images of its vertices.
pub(super) struct Mirror {
    /// Multiplied with a direction it gives the mirror image: −1 across the plane, 1 along it.
    pub flip: Vec3,
    /// Vertices and their mirror images, if they have one, as indices among those of all meshes; ascending.
    pub images: Vec<(usize, Option<usize>)>,
}

impl Mirror {
    /// The mirror images of `vertices` (ascending), if they are symmetric about a plane across x, or across z for a head that looks
    /// sideways; through the origin, or through the centre of the face.
    pub(super) fn of(displacements: &Displacements<'_>, vertices: &[usize]) -> Option<Self> {
        let step = vertices.len().div_ceil(MOST_VERTICES).max(1);
        let wanted: Vec<usize> = vertices.iter().copied().step_by(step).collect();
        let grid = Grid::of(displacements, vertices);
        let middle = displacements.head.focus.center();
        let planes = [(Vec3::X, 0.0), (Vec3::X, middle.x), (Vec3::Z, 0.0), (Vec3::Z, middle.z)];
        planes.into_iter().find_map(|(axis, at)| {
            let flip = Vec3::ONE - 2.0 * axis;
            let image = |vertex| {
                let &(position, normal) = grid.vertices.get(&vertex)?;
                grid.nearest(position * flip + 2.0 * at * axis, normal * flip)
            };
            let images: Vec<(usize, Option<usize>)> = wanted.iter().map(|&vertex| (vertex, image(vertex))).collect();
            let found = images.iter().filter(|(_, image)| image.is_some()).count();
            // Vertices in the plane are their own images, so they are no evidence of symmetry.
            let off_plane = images.iter().filter(|(vertex, image)| image.is_some_and(|image| image != *vertex)).count();
            let is_symmetric = found as f32 >= SYMMETRIC_SHARE * wanted.len() as f32;
            (is_symmetric && off_plane * 2 > found).then_some(Self { flip, images })
        })
    }
}

/// A grid over the positions of vertices.
struct Grid {
    cell: f32,
    cells: HashMap<[i32; 3], Vec<usize>>,
    /// Per vertex its position and its normal.
    vertices: HashMap<usize, (Vec3, Vec3)>,
}

impl Grid {
    fn of(displacements: &Displacements<'_>, vertices: &[usize]) -> Self {
        let mut grid = Self { cell: displacements.size * TOLERANCE, cells: HashMap::new(), vertices: HashMap::new() };
        let mut mesh = 0;
        for &vertex in vertices {
            while vertex >= displacements.first_vertex(mesh) + displacements.head.meshes[mesh].vertices.len() {
                mesh += 1;
            }
            let local = vertex - displacements.first_vertex(mesh);
            let position = displacements.position(mesh, local);
            let cell = grid.cells.entry(grid_cell(position, grid.cell)).or_default();
            if cell.len() < MOST_IN_A_CELL {
                cell.push(vertex);
                grid.vertices.insert(vertex, (position, displacements.normal(mesh, local)));
            }
        }
        grid
    }

    /// The vertex nearest to a position. Among several at one position, as on closed lips, the one with that normal.
    fn nearest(&self, position: Vec3, normal: Vec3) -> Option<usize> {
        let [x, y, z] = grid_cell(position, self.cell);
        let mut best: Option<(f32, usize)> = None;
        for dx in -1..=1 {
            for dy in -1..=1 {
                for dz in -1..=1 {
                    let cell = [x.saturating_add(dx), y.saturating_add(dy), z.saturating_add(dz)];
                    for &vertex in self.cells.get(&cell).into_iter().flatten() {
                        let (at, own_normal) = self.vertices[&vertex];
                        let distance = at.distance(position);
                        let turn = 1.0 - own_normal.dot(normal);
                        let cost = distance + self.cell * turn;
                        if distance <= self.cell && turn < MOST_TURN && best.is_none_or(|(least, _)| cost < least) {
                            best = Some((cost, vertex));
                        }
                    }
                }
            }
        }
        best.map(|(_, vertex)| vertex)
    }
}

fn grid_cell(position: Vec3, cell: f32) -> [i32; 3] {
    position.to_array().map(|x| (x / cell).floor() as i32)
}
