//! Which vertex is whose mirror image: by where they stand at rest, and which way they face.

use std::collections::HashMap;

use glam::Vec3;

use super::movement::Movement;

/// A mirror image may be this far from where it should be, as a part of the face: a fifth of a millimetre.
const REACH: f32 = 1e-3;

/// And must not face the other way, as 1 less the cosine; 1 where there are no normals.
const MOST_TURN: f32 = 1.001;

/// More vertices than this are sampled evenly.
const MOST_VERTICES: usize = 40_000;

/// Of vertices in one place no more are looked at: surfaces have a few.
const MOST_IN_A_CELL: usize = 24;

/// A head is symmetric if this part of the vertices looked at have a mirror image.
const SYMMETRIC_SHARE: f32 = 0.8;

/// The plane a head is symmetric about, and who is whose image.
pub struct Mirror {
    /// Turns a direction into its mirror image: −1 across the plane, 1 along it.
    pub flip: Vec3,
    /// Vertices, among those of all meshes, and their images, where they have one; by vertex.
    pub images: Vec<(usize, Option<usize>)>,
}

impl Mirror {
    /// The mirror images of `vertices` (ascending), if the head is symmetric there about a plane across x, or across z for one
    /// that looks sideways; through the origin, or through the middle of the face.
    pub fn of(movement: &Movement<'_>, vertices: &[usize]) -> Option<Self> {
        let step = vertices.len().div_ceil(MOST_VERTICES).max(1);
        let wanted: Vec<usize> = vertices.iter().copied().step_by(step).collect();
        let grid = Grid::of(movement, vertices);
        let middle = movement.head.focus.center();
        let planes = [(Vec3::X, 0.0), (Vec3::X, middle.x), (Vec3::Z, 0.0), (Vec3::Z, middle.z)];
        planes.into_iter().find_map(|(axis, at)| {
            let flip = Vec3::ONE - 2.0 * axis;
            let image = |vertex| {
                let &(place, normal) = grid.places.get(&vertex)?;
                grid.nearest(place * flip + 2.0 * at * axis, normal * flip)
            };
            let images: Vec<(usize, Option<usize>)> = wanted.iter().map(|&vertex| (vertex, image(vertex))).collect();
            let found = images.iter().filter(|(_, image)| image.is_some()).count();
            // Vertices in the plane are their own images, whatever is on its sides.
            let aside = images.iter().filter(|(vertex, image)| image.is_some_and(|image| image != *vertex)).count();
            let is_symmetric = found as f32 >= SYMMETRIC_SHARE * wanted.len() as f32;
            (is_symmetric && aside * 2 > found).then_some(Self { flip, images })
        })
    }
}

/// Vertices by where they are.
struct Grid {
    cell: f32,
    cells: HashMap<[i32; 3], Vec<usize>>,
    places: HashMap<usize, (Vec3, Vec3)>,
}

impl Grid {
    fn of(movement: &Movement<'_>, vertices: &[usize]) -> Self {
        let mut grid = Self { cell: movement.size * REACH, cells: HashMap::new(), places: HashMap::new() };
        let mut mesh = 0;
        for &vertex in vertices {
            while vertex >= movement.first_vertex(mesh) + movement.head.meshes[mesh].vertices.len() {
                mesh += 1;
            }
            let local = vertex - movement.first_vertex(mesh);
            let place = movement.place(mesh, local);
            let cell = grid.cells.entry(grid_cell(place, grid.cell)).or_default();
            if cell.len() < MOST_IN_A_CELL {
                cell.push(vertex);
                grid.places.insert(vertex, (place, movement.normal(mesh, local)));
            }
        }
        grid
    }

    /// The vertex nearest to a place; of some in one place, as on closed lips, the one that faces that way.
    fn nearest(&self, place: Vec3, normal: Vec3) -> Option<usize> {
        let [x, y, z] = grid_cell(place, self.cell);
        let mut best: Option<(f32, usize)> = None;
        for dx in -1..=1 {
            for dy in -1..=1 {
                for dz in -1..=1 {
                    let cell = [x.saturating_add(dx), y.saturating_add(dy), z.saturating_add(dz)];
                    for &vertex in self.cells.get(&cell).into_iter().flatten() {
                        let (at, facing) = self.places[&vertex];
                        let distance = at.distance(place);
                        let turn = 1.0 - facing.dot(normal);
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

fn grid_cell(place: Vec3, cell: f32) -> [i32; 3] {
    place.to_array().map(|x| (x / cell).floor() as i32)
}
