//! The plane of symmetry of a head, and the mirror images of its vertices.

use std::collections::{HashMap, VecDeque};

use glam::Vec3;

use smirk_face::head::Mesh;

/// The largest distance of a mirror image from its exact position, as a part of the face: a fifth of a millimetre.
const TOLERANCE: f32 = 1e-3;

/// The largest difference of the normals, as 1 − cosine: below a right angle, and including vertices without normals,
/// where it is 1.
const MOST_TURN: f32 = 1.001;

/// The most vertices of one grid cell that are compared.
const MOST_IN_A_CELL: usize = 24;

/// A head is symmetric if this part of the compared vertices have a mirror image.
const SYMMETRIC_SHARE: f32 = 0.8;

/// Where a vertex is at rest, in the world, and its normal there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RestVertex {
    pub position: Vec3,
    pub normal: Vec3,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plane {
    /// The direction across it: X, or Z for a head that looks sideways.
    pub axis: Vec3,
    /// Where it crosses that axis.
    pub at: f32,
}

impl Plane {
    /// Multiplied with a direction it gives the mirror image: −1 across the plane, 1 along it.
    pub(crate) fn flip(self) -> Vec3 {
        Vec3::ONE - 2.0 * self.axis
    }

    fn image(self, vertex: RestVertex) -> RestVertex {
        let position = vertex.position * self.flip() + 2.0 * self.at * self.axis;
        RestVertex { position, normal: vertex.normal * self.flip() }
    }
}

/// Vertices and their mirror images, if they have one; in the order in which they were asked for.
pub(crate) type Images = Vec<(usize, Option<usize>)>;

/// The planes that a head may be symmetric about: across x, or across z for a head that looks sideways; through the
/// origin, or through the middle of the face.
pub(crate) fn planes(middle: Vec3) -> [Plane; 4] {
    [(Vec3::X, 0.0), (Vec3::X, middle.x), (Vec3::Z, 0.0), (Vec3::Z, middle.z)].map(|(axis, at)| Plane { axis, at })
}

/// The plane that some vertices are symmetric about, and the images of those `wanted` among all of them. `size` is that
/// of the face.
pub(crate) fn find(
    vertices: &[(usize, RestVertex)],
    wanted: &[usize],
    size: f32,
    planes: &[Plane],
) -> Option<(Plane, Images)> {
    let grid = Grid::new(vertices, size * TOLERANCE);
    planes.iter().find_map(|&plane| {
        let images = grid.images(wanted, plane);
        let found = images.iter().filter(|(_, image)| image.is_some()).count();
        // Vertices in the plane are their own images, so they are no evidence of symmetry.
        let off_plane = images.iter().filter(|(vertex, image)| image.is_some_and(|image| image != *vertex)).count();
        let is_symmetric = found as f32 >= SYMMETRIC_SHARE * wanted.len() as f32;
        (is_symmetric && off_plane * 2 > found).then_some((plane, images))
    })
}

/// The images of those `wanted` among vertices, about a plane.
pub(crate) fn images(vertices: &[(usize, RestVertex)], wanted: &[usize], size: f32, plane: Plane) -> Images {
    Grid::new(vertices, size * TOLERANCE).images(wanted, plane)
}

struct Grid {
    cell: f32,
    cells: HashMap<[i32; 3], Vec<usize>>,
    vertices: HashMap<usize, RestVertex>,
}

impl Grid {
    fn new(vertices: &[(usize, RestVertex)], cell: f32) -> Self {
        let mut grid = Self { cell, cells: HashMap::new(), vertices: HashMap::new() };
        for &(vertex, at_rest) in vertices {
            let cell = grid.cells.entry(grid_cell(at_rest.position, grid.cell)).or_default();
            if cell.len() < MOST_IN_A_CELL {
                cell.push(vertex);
                grid.vertices.insert(vertex, at_rest);
            }
        }
        grid
    }

    fn images(&self, wanted: &[usize], plane: Plane) -> Images {
        let image = |vertex| self.vertices.get(&vertex).and_then(|&at_rest| self.nearest(plane.image(at_rest)));
        wanted.iter().map(|&vertex| (vertex, image(vertex))).collect()
    }

    /// The vertex nearest to a position. Among several at one position, as on closed lips, the one with that normal.
    fn nearest(&self, to: RestVertex) -> Option<usize> {
        let [x, y, z] = grid_cell(to.position, self.cell);
        let mut best: Option<(f32, usize)> = None;
        for dx in -1..=1 {
            for dy in -1..=1 {
                for dz in -1..=1 {
                    let cell = [x.saturating_add(dx), y.saturating_add(dy), z.saturating_add(dz)];
                    for &vertex in self.cells.get(&cell).into_iter().flatten() {
                        let own = self.vertices[&vertex];
                        let distance = own.position.distance(to.position);
                        let turn = 1.0 - own.normal.dot(to.normal);
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

/// The mirror images of all vertices of some meshes.
#[derive(Debug)]
pub(crate) struct MirrorMap {
    pub plane: Plane,
    /// Per vertex of the head, its image. That of an image is the vertex itself.
    pub images: Vec<Option<u32>>,
}

impl MirrorMap {
    /// Pairs vertices that are each other's nearest image, and the others by the triangles: what lies beside a pair of
    /// edges that mirror each other is a pair too, wherever it is. So vertices are paired that are not symmetric at
    /// rest. `images` are those of `find`; `first_vertex` is the index of the first vertex of each mesh.
    pub(crate) fn new(plane: Plane, images: &Images, meshes: &[Mesh], first_vertex: &[usize]) -> Self {
        let count = meshes.iter().map(|mesh| mesh.vertices.len()).sum();
        let mut nearest = vec![None; count];
        for &(vertex, image) in images {
            nearest[vertex] = image;
        }
        let is_mutual = |vertex: usize| nearest[vertex].filter(|&image| nearest[image] == Some(vertex));
        let mut map = Self { plane, images: (0..count).map(|vertex| is_mutual(vertex).map(|it| it as u32)).collect() };
        map.grow(meshes, first_vertex);
        map
    }

    /// Pairs what lies beside edges that are paired.
    fn grow(&mut self, meshes: &[Mesh], first_vertex: &[usize]) {
        let triangles = meshes.iter().zip(first_vertex).flat_map(|(mesh, &first)| {
            mesh.valid_triangles().map(move |corners| corners.map(|corner| first as u32 + corner))
        });
        // By the ends of an edge, in the direction in which its triangle goes around: the third corner.
        let mut beside: HashMap<[u32; 2], u32> = HashMap::new();
        for [a, b, c] in triangles {
            beside.extend([([a, b], c), ([b, c], a), ([c, a], b)]);
        }
        let image = |images: &[Option<u32>], vertex: u32| images[vertex as usize];
        let mut open: VecDeque<[u32; 2]> = beside.keys().copied().collect();
        open.make_contiguous().sort_unstable();
        while let Some([a, b]) = open.pop_front() {
            let (Some(image_a), Some(image_b)) = (image(&self.images, a), image(&self.images, b)) else { continue };
            // A mirrored triangle goes around the other way.
            let (Some(&own), Some(&other)) = (beside.get(&[a, b]), beside.get(&[image_b, image_a])) else { continue };
            let (free, other_free) = (image(&self.images, own).is_none(), image(&self.images, other).is_none());
            if free && other_free {
                self.images[own as usize] = Some(other);
                self.images[other as usize] = Some(own);
                for corner in [own, other] {
                    open.extend([[a, corner], [corner, a], [b, corner], [corner, b]]);
                    open.extend([[image_a, corner], [corner, image_a], [image_b, corner], [corner, image_b]]);
                }
            }
        }
    }

    pub(crate) fn image(&self, vertex: usize) -> Option<usize> {
        self.images[vertex].map(|image| image as usize)
    }
}
