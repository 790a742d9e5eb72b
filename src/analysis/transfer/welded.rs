//! All triangles of a head as one surface in the world, joined where its files split it, and parted where it touches
//! itself.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat3, DVec3};

use super::sheet::{Triangle, edges};
use smirk_face::head::{Head, Role, pieces_of, side_in_name};

/// A head at rest. Vertices of one place are one point, but not where the lips, or the edges of a lid and an eye, only
/// touch: a point there would tie them together.
pub(super) struct Welded {
    /// In world space.
    pub points: Vec<DVec3>,
    pub triangles: Vec<Triangle>,
    /// Per mesh and vertex, its point; none for vertices of parts that are left out, or of no part.
    pub point_of: Vec<Vec<Option<u32>>>,
    /// Per mesh, the vertices of parts that lie on the skin: lashes, brows, beards, tears.
    pub on_skin: Vec<Vec<u32>>,
    /// Per mesh, the vertices of corneas.
    pub corneas: Vec<Vec<u32>>,
    /// Per point, the number of its piece: what is connected by triangles.
    pub piece_of: Vec<u32>,
    pub pieces: Vec<Piece>,
}

/// What is connected by triangles.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The names of its meshes and materials, in lower case.
    pub names: String,
    pub is_eye: bool,
    /// The side of the face that all its meshes are named after: 0 for left, 1 for right.
    pub side: Option<usize>,
    /// The name of one of its meshes.
    pub mesh: String,
    /// Whether a mesh of it is mirrored by its node: its scale is negative.
    pub is_mirrored: bool,
    pub points: Vec<u32>,
    pub min: DVec3,
    pub max: DVec3,
}

/// Words in names of parts that lie on the skin, and would hide it.
const ON_SKIN: [&str; 9] = ["lash", "occlusion", "lacrimal", "tear", "blend", "shade", "wet", "brow", "beard"];

/// Words in names of other parts that would hide it, and that do not move.
const BEFORE_SKIN: [&str; 7] = ["hair", "glasses", "outfit", "fibre", "transparent", "facewear", "headwear"];

/// Points of one place are apart where their normals differ by more than 107 degrees.
const OPPOSITE: f64 = -0.3;

impl Welded {
    pub(super) fn new(head: &Head) -> Self {
        let mut builder = Builder::default();
        let (mut on_skin, mut corneas) = (Vec::new(), Vec::new());
        for (index, mesh) in head.meshes.iter().enumerate() {
            let first = builder.places.len() as u32;
            let pose = &head.rest_pose;
            let is_mirrored = pose.is_mirrored(mesh);
            builder.places.extend(pose.positions_in_world(mesh).map(|place| place.as_dvec3()));
            let normals = (0..mesh.vertices.len()).map(|vertex| {
                let normal = mesh.vertices.normals.get(vertex).copied().unwrap_or_default().as_dvec3();
                let world = DMat3::from_mat4(pose.world_from_vertex(mesh, vertex).as_dmat4());
                (world.inverse().transpose() * normal).normalize_or_zero()
            });
            builder.normals.extend(normals);
            let (mut over, mut cornea) = (Vec::new(), Vec::new());
            for part in &mesh.parts {
                let material = &head.materials[part.material.min(head.materials.len() - 1)];
                let names = format!("{} {}", mesh.name, material.name).to_lowercase();
                let role = head.roles.get(part.material).copied().unwrap_or_default();
                let triangles = mesh.triangles_of(part).as_chunks::<3>().0;
                let has = |words: &[&str]| words.iter().any(|word| names.contains(word));
                if has(&ON_SKIN) || role == Role::Lash {
                    over.extend(triangles.as_flattened());
                    continue;
                }
                if names.contains("cornea") || role == Role::Cornea {
                    cornea.extend(triangles.as_flattened());
                    continue;
                }
                if has(&BEFORE_SKIN) || matches!(role, Role::Hair | Role::Cloth) || material.is_invisible() {
                    continue;
                }
                let label = builder.labels.len() as u32;
                builder.labels.push(Label { names, mesh: mesh.name.clone(), is_eye: role == Role::Eye, is_mirrored });
                for &[a, b, c] in triangles {
                    // What is mirrored is seen from the other side.
                    let triangle = if is_mirrored { [a, c, b] } else { [a, b, c] };
                    if triangle.iter().all(|&corner| (corner as usize) < mesh.vertices.len()) {
                        builder.triangles.push((triangle.map(|corner| first + corner), label));
                    }
                }
            }
            for (vertices, of_meshes) in [(&mut over, &mut on_skin), (&mut cornea, &mut corneas)] {
                vertices.sort_unstable();
                vertices.dedup();
                vertices.retain(|&vertex| (vertex as usize) < mesh.vertices.len());
                of_meshes.push(std::mem::take(vertices));
            }
            builder.first_vertices.push((index, first));
        }
        Self { on_skin, corneas, ..builder.build(head) }
    }

    /// Per point, the first vertex that is at it, with its mesh.
    pub(super) fn first_vertices(&self) -> Vec<Option<(usize, u32)>> {
        let mut vertices = vec![None; self.points.len()];
        for (mesh, points) in self.point_of.iter().enumerate() {
            for (vertex, point) in (0..).zip(points) {
                if let Some(point) = point {
                    vertices[*point as usize].get_or_insert((mesh, vertex));
                }
            }
        }
        vertices
    }

    /// The piece of a triangle.
    pub(super) fn piece(&self, triangle: Triangle) -> u32 {
        self.piece_of[triangle[0] as usize]
    }
}

#[derive(Default)]
struct Builder {
    /// Per vertex of all meshes.
    places: Vec<DVec3>,
    normals: Vec<DVec3>,
    /// Corners as vertices of all meshes, and the number of the label.
    triangles: Vec<(Triangle, u32)>,
    labels: Vec<Label>,
    first_vertices: Vec<(usize, u32)>,
}

/// What is known of the triangles of a part.
struct Label {
    /// The names of its mesh and material, in lower case.
    names: String,
    mesh: String,
    is_eye: bool,
    is_mirrored: bool,
}

/// A triangle by its own vertices, and by those that they are joined with.
struct JoinedTriangle {
    vertices: Triangle,
    corners: Triangle,
    label: u32,
}

fn joined_corners(triangles: &[JoinedTriangle]) -> Vec<Triangle> {
    triangles.iter().map(|triangle| triangle.corners).collect()
}

impl Builder {
    fn build(self, head: &Head) -> Welded {
        let mut joined = self.joined();
        let mut triangles = self.between(&joined);
        let mut fans = fans(&joined_corners(&triangles));
        // Halves may share points of the seam, where their fans part them.
        if self.join_halves(&triangles, &fans, &mut joined) {
            triangles = self.between(&joined);
            fans = self::fans(&joined_corners(&triangles));
        }
        let mut point_of_vertex = vec![None; self.places.len()];
        let mut points: Vec<DVec3> = Vec::new();
        // Points in the order in which the triangles meet them.
        let mut point_of_fan: Vec<Option<u32>> = vec![None; triangles.len() * 3];
        let mut surface = Vec::with_capacity(triangles.len());
        for (index, triangle) in triangles.iter().enumerate() {
            surface.push(std::array::from_fn(|corner| {
                let vertex = triangle.vertices[corner] as usize;
                let point = *point_of_fan[fans[index * 3 + corner]].get_or_insert_with(|| {
                    points.push(self.places[vertex]);
                    points.len() as u32 - 1
                });
                point_of_vertex[vertex] = Some(point);
                point
            }));
        }
        let (piece_of, pieces) = self.pieces(&points, &surface, &triangles);
        let point_of = self.first_vertices.iter().map(|&(mesh, first)| {
            let end = first as usize + head.meshes[mesh].vertices.len();
            point_of_vertex[first as usize..end].to_vec()
        });
        Welded {
            point_of: point_of.collect(),
            points,
            triangles: surface,
            on_skin: Vec::new(),
            corneas: Vec::new(),
            piece_of,
            pieces,
        }
    }

    /// Per vertex, the first vertex of the same place with a normal that is not opposite.
    fn joined(&self) -> Vec<u32> {
        let finite = || self.places.iter().filter(|place| place.is_finite());
        let min = finite().fold(DVec3::INFINITY, |min, place| min.min(*place));
        let max = finite().fold(DVec3::NEG_INFINITY, |max, place| max.max(*place));
        let step = ((max - min).max_element() * 2e-6).max(f64::MIN_POSITIVE);
        let cells = self.places.iter().map(|place| (*place / step).round().to_array().map(|at| at as i64));
        let mut order: Vec<([i64; 3], u32)> = cells.zip(0..).collect();
        order.sort_unstable();
        let mut joined: Vec<u32> = (0..self.places.len() as u32).collect();
        for group in order.chunk_by(|a, b| a.0 == b.0) {
            let lowest = group[0].1;
            let first = self.normals[lowest as usize];
            let is_opposite = |vertex: u32| self.normals[vertex as usize].dot(first) < OPPOSITE;
            let opposite = group.iter().map(|(_, vertex)| *vertex).find(|&vertex| is_opposite(vertex));
            for &(_, vertex) in group {
                joined[vertex as usize] = opposite.filter(|_| is_opposite(vertex)).unwrap_or(lowest);
            }
        }
        joined
    }

    /// The triangles whose corners are three joined vertices.
    fn between(&self, joined: &[u32]) -> Vec<JoinedTriangle> {
        let of_label = self.triangles.iter().map(|&(vertices, label)| {
            let corners = vertices.map(|vertex| joined[vertex as usize]);
            JoinedTriangle { vertices, corners, label }
        });
        let is_whole = |triangle: &JoinedTriangle| {
            let [a, b, c] = triangle.corners;
            let is_finite = triangle.vertices.iter().all(|&vertex| self.places[vertex as usize].is_finite());
            a != b && b != c && c != a && is_finite
        };
        of_label.filter(is_whole).collect()
    }

    /// Joins two halves of one surface that were mirrored, and not merged in the middle: what is open there is a seam.
    /// Returns whether there were some. `fans` has the fan of each corner.
    fn join_halves(&self, triangles: &[JoinedTriangle], fans: &[usize], joined: &mut [u32]) -> bool {
        /// How wide the seam may be, of the size of the head.
        const SEAM: f64 = 3e-4;
        /// How large the halves are at least, and how much they differ, of the size of the head.
        const LEAST: f64 = 0.2;
        const DIFFERENCE: f64 = 0.02;
        let corners = fans.as_chunks::<3>().0;
        let piece_of = pieces_of(fans.len(), corners.iter().copied());
        let nothing = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let mut boxes = vec![nothing; fans.len()];
        for (triangle, fans) in triangles.iter().zip(corners) {
            let [min, max] = &mut boxes[piece_of[fans[0]]];
            for place in triangle.vertices.map(|vertex| self.places[vertex as usize]) {
                (*min, *max) = (min.min(place), max.max(place));
            }
        }
        let [min, max] = boxes.iter().fold(nothing, |all, of| [all[0].min(of[0]), all[1].max(of[1])]);
        let size = (max - min).max_element();
        let mut boxes: Vec<(usize, [DVec3; 2])> = boxes.into_iter().enumerate().collect();
        boxes.retain(|(_, [min, max])| (*max - *min).min_element() > LEAST * size);
        let mut halves = Vec::new();
        for &(right, [min, max]) in &boxes {
            for &(left, [other_min, other_max]) in &boxes {
                let across = 2.0 * max.x * DVec3::X;
                let mirrored = [(across - max).with_y(min.y).with_z(min.z), (across - min).with_y(max.y).with_z(max.z)];
                let differ = (mirrored[0] - other_min).abs().max((mirrored[1] - other_max).abs()).max_element();
                if left != right && (max.x - other_min.x).abs() < SEAM * size && differ < DIFFERENCE * size {
                    halves.push((right, left, max.x));
                }
            }
        }
        if halves.is_empty() {
            return false;
        }
        let sides = edges(&joined_corners(triangles)).into_iter();
        let open: BTreeSet<u32> = sides.filter(|(_, count)| *count == 1).flat_map(|(ends, _)| ends).collect();
        for (right, left, middle) in halves {
            let on_seam = |piece: usize| -> BTreeSet<u32> {
                let own = triangles.iter().zip(corners).filter(|(_, fans)| piece_of[fans[0]] == piece);
                let is_near = |vertex: u32| (self.places[vertex as usize].x - middle).abs() < SEAM * size;
                let own = own.flat_map(|(triangle, _)| triangle.corners);
                own.filter(|vertex| open.contains(vertex) && is_near(*vertex)).collect()
            };
            let of_left = on_seam(left);
            let mut other_of: BTreeMap<u32, u32> = BTreeMap::new();
            for vertex in on_seam(right) {
                let distance = |other: &u32| self.places[*other as usize].distance(self.places[vertex as usize]);
                let nearest = of_left.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)));
                other_of
                    .extend(nearest.filter(|other| distance(other) < 2.0 * SEAM * size).map(|other| (vertex, other)));
            }
            joined.iter_mut().for_each(|vertex| *vertex = other_of.get(vertex).copied().unwrap_or(*vertex));
        }
        true
    }

    fn pieces(&self, points: &[DVec3], surface: &[Triangle], triangles: &[JoinedTriangle]) -> (Vec<u32>, Vec<Piece>) {
        let lowest = pieces_of(points.len(), surface.iter().map(|triangle| triangle.map(|corner| corner as usize)));
        let mut count = 0;
        let mut numbers = vec![0; points.len()];
        for (point, &lowest) in lowest.iter().enumerate() {
            if lowest == point {
                (numbers[point], count) = (count, count + 1);
            } else {
                numbers[point] = numbers[lowest];
            }
        }
        let nothing = Piece {
            names: String::new(),
            is_eye: false,
            side: None,
            mesh: String::new(),
            is_mirrored: false,
            points: Vec::new(),
            min: DVec3::INFINITY,
            max: DVec3::NEG_INFINITY,
        };
        let mut pieces = vec![nothing; count];
        let mut labels = vec![BTreeSet::new(); count];
        for (triangle, joined) in surface.iter().zip(triangles) {
            labels[numbers[triangle[0] as usize]].insert(joined.label);
        }
        for (point, &number) in numbers.iter().enumerate() {
            let piece = &mut pieces[number];
            piece.points.push(point as u32);
            (piece.min, piece.max) = (piece.min.min(points[point]), piece.max.max(points[point]));
        }
        for (piece, labels) in pieces.iter_mut().zip(labels) {
            let labels = labels.iter().map(|&label| &self.labels[label as usize]);
            piece.is_eye = labels.clone().any(|label| label.is_eye);
            piece.is_mirrored = labels.clone().any(|label| label.is_mirrored);
            let mut sides = labels.clone().map(|label| side_in_name(&label.mesh));
            let side = sides.next().flatten();
            piece.side = side.filter(|_| sides.all(|other| other == side));
            piece.mesh = labels.clone().next().map(|label| label.mesh.clone()).unwrap_or_default();
            piece.names = labels.map(|label| label.names.as_str()).collect::<Vec<_>>().join(" ");
        }
        (numbers.into_iter().map(|number: usize| number as u32).collect(), pieces)
    }
}

/// Per corner of each triangle, the number of its fan: corners of one point are of one fan if a way leads from one to
/// the other over edges that exactly two triangles share.
fn fans(triangles: &[Triangle]) -> Vec<usize> {
    let mut sides: Vec<[u32; 4]> = Vec::with_capacity(triangles.len() * 3);
    for (index, triangle) in triangles.iter().enumerate() {
        for at in 0..3 {
            let ends = [at, (at + 1) % 3].map(|corner| (triangle[corner], (index * 3 + corner) as u32));
            let [a, b] = if ends[0].0 < ends[1].0 { ends } else { [ends[1], ends[0]] };
            sides.push([a.0, b.0, a.1, b.1]);
        }
    }
    sides.sort_unstable();
    let shared = sides.chunk_by(|a, b| a[..2] == b[..2]).filter(|sides| sides.len() == 2);
    let joined = shared.flat_map(|sides| [2, 3].map(|end| [sides[0][end], sides[1][end], sides[1][end]]));
    let joined: Vec<[usize; 3]> = joined.map(|corners| corners.map(|corner| corner as usize)).collect();
    pieces_of(triangles.len() * 3, joined)
}
