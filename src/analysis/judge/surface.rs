//! The surfaces of a head that can cross each other, deformed by weights.

use std::collections::{BTreeMap, HashMap, HashSet};

use glam::{Mat3, Vec3};

use super::face_parts::{FaceParts, Part};
use super::intersection::Intersection;
use super::triangles::Triangles;
use smirk_face::head::{Eyes, Head, Role};

/// What goes through what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Through {
    LidsAndEyes,
    LipsAndTeeth,
    /// A lip and the tongue, or the inside of the mouth.
    LipsAndTongue,
    /// The skin that opens and closes an eye, and that of the same.
    Lids,
    LidsAndSkin,
    Lips,
    LipsAndSkin,
    /// Skin that is neither of lids nor of lips.
    Skin,
}

impl Through {
    pub fn label(self) -> &'static str {
        match self {
            Self::LidsAndEyes => "lids through eyes",
            Self::LipsAndTeeth => "lips through teeth",
            Self::LipsAndTongue => "lips through the tongue",
            Self::Lids => "lids through lids",
            Self::LidsAndSkin => "lids through skin",
            Self::Lips => "lips through lips",
            Self::LipsAndSkin => "lips through skin",
            Self::Skin => "skin through skin",
        }
    }
}

/// The triangles of a head that show skin, eyes, teeth and tongue. It belongs to the head that it was made of.
#[derive(Debug)]
pub(super) struct Surface {
    /// Per mesh and vertex, the point of the surface that it is; the same for vertices that a file splits at a seam of
    /// the texture.
    point_of: Vec<Vec<Option<u32>>>,
    /// Per point, where it is at rest, in millimetres.
    rest_mm: Vec<Vec3>,
    /// Per point, its first vertex: the mesh and the number.
    first_vertices: Vec<(usize, u32)>,
    /// Per point, from directions of its mesh to millimetres.
    mm_from_mesh: Vec<Mat3>,
    pub triangles: Triangles,
    /// Per point, of the skin.
    parts: Vec<Part>,
    eyes_mm: Option<([Vec3; 2], f32)>,
}

/// What crosses, and does not at rest: how many pairs of triangles, and along how many millimetres.
pub(super) type Crossed = BTreeMap<Through, (usize, f32)>;

impl Surface {
    pub(super) fn new(head: &Head) -> Self {
        let mm = head.mm_per_unit();
        let eyes = Eyes::find(head, &head.roles);
        let mut surface = Self {
            point_of: Vec::new(),
            rest_mm: Vec::new(),
            first_vertices: Vec::new(),
            mm_from_mesh: Vec::new(),
            triangles: Triangles::default(),
            parts: Vec::new(),
            eyes_mm: eyes.map(|eyes| (eyes.centers.map(|center| center * mm), eyes.radius * mm)),
        };
        // A head whose skin is not known as such is all skin.
        let has_skin = head.roles.contains(&Role::Skin);
        for index in 0..head.meshes.len() {
            surface.add_mesh(head, index, mm, has_skin);
        }
        surface.find_parts(head);
        let rest = surface.deformed(head, &head.default_weights());
        surface.triangles.rest_at(&rest);
        surface
    }

    fn add_mesh(&mut self, head: &Head, index: usize, mm: f32, has_skin: bool) {
        let mesh = &head.meshes[index];
        let mut point_of = vec![None; mesh.vertices.len()];
        let mut known: HashMap<[u32; 6], u32> = HashMap::new();
        for part in &mesh.parts {
            let role = match head.roles.get(part.material).copied().unwrap_or_default() {
                Role::Other if !has_skin => Role::Skin,
                role @ (Role::Skin | Role::Eye | Role::Teeth | Role::Tongue) => role,
                Role::Other | Role::Cornea | Role::Hair | Role::Lash | Role::Cloth => continue,
            };
            for corners in mesh.triangles_of(part).as_chunks::<3>().0 {
                let corners = corners.map(|vertex| {
                    let point = point_of.get_mut(vertex as usize)?;
                    if point.is_none() {
                        *point = self.point_at(head, (index, vertex), mm, &mut known);
                    }
                    *point
                });
                let [Some(a), Some(b), Some(c)] = corners else { continue };
                if a != b && b != c && c != a {
                    self.triangles.corners.push([a, b, c]);
                    self.triangles.roles.push(role);
                }
            }
        }
        self.point_of.push(point_of);
    }

    /// Finds what of the skin is lids and lips, and what only looks like skin.
    fn find_parts(&mut self, head: &Head) {
        let face = FaceParts::find(head, self.rest_mm.len(), |target| {
            let Some(mesh) = head.mesh_of_target(target) else { return Vec::new() };
            let of_mesh = &head.meshes[mesh];
            let target = &of_mesh.targets[target - of_mesh.first_target];
            let moved = target.rows.iter().zip(&target.positions).filter_map(|(&row, &delta)| {
                let point = self.point_of[mesh].get(row as usize).copied().flatten()?;
                Some((point, (self.mm_from_mesh[point as usize] * delta).length()))
            });
            moved.collect()
        });
        for (triangle, role) in face.inner_roles(&self.rest_mm, &self.triangles.corners, &self.triangles.roles) {
            self.triangles.roles[triangle] = role;
        }
        let is_near_eye = |place: &Vec3| {
            let eyes = self.eyes_mm.filter(|_| !face.know_lids());
            eyes.is_some_and(|(centers, radius)| centers.iter().any(|it| it.distance(*place) < 2.0 * radius))
        };
        let parts = (0..).zip(&self.rest_mm).map(|(point, place)| match face.part(point) {
            Part::Rest if is_near_eye(place) => Part::Lids,
            part => part,
        });
        self.parts = parts.collect();
    }

    /// The point of a vertex: that of an earlier vertex at the same position with the same normal, or a new one. Closed
    /// lips have two points at one position: their normals differ.
    fn point_at(
        &mut self,
        head: &Head,
        (index, vertex): (usize, u32),
        mm: f32,
        known: &mut HashMap<[u32; 6], u32>,
    ) -> Option<u32> {
        let mesh = &head.meshes[index];
        let position = *mesh.vertices.positions.get(vertex as usize)?;
        let normal = mesh.vertices.normals.get(vertex as usize).copied().unwrap_or_default();
        // `+ 0.0` turns -0 into 0, so that both have the same bits.
        let place = position.to_array().map(|value| (value + 0.0).to_bits());
        let turn = (normal * 256.0).round().to_array().map(|value| (value + 0.0).to_bits());
        let next = self.rest_mm.len() as u32;
        let point = *known.entry([place[0], place[1], place[2], turn[0], turn[1], turn[2]]).or_insert(next);
        if point == next {
            let world = head.rest_pose.world_from_vertex(mesh, vertex as usize);
            self.rest_mm.push(world.transform_point3(position) * mm);
            self.mm_from_mesh.push(Mat3::from_mat4(world) * mm);
            self.first_vertices.push((index, vertex));
        }
        Some(point)
    }

    /// Where the points are with these weights, a mix of motion: one number per target, then one per expression. Nodes
    /// are at rest.
    pub(super) fn deformed(&self, head: &Head, mix: &[f32]) -> Vec<Vec3> {
        let mut weights = mix.to_vec();
        head.resolve(&mut weights);
        let mut points = self.rest_mm.clone();
        for ((index, mesh), point_of) in head.meshes.iter().enumerate().zip(&self.point_of) {
            for (target, at) in mesh.targets.iter().zip(mesh.first_target..) {
                let Some(&weight) = weights.get(at).filter(|weight| **weight != 0.0 && weight.is_finite()) else {
                    continue;
                };
                for (shape, weight) in target.shapes_at(weight) {
                    for (&row, &delta) in shape.rows.iter().zip(shape.positions) {
                        let Some(point) = point_of.get(row as usize).copied().flatten() else { continue };
                        // Vertices of one point move alike: the first speaks for all.
                        if self.first_vertices[point as usize] == (index, row) {
                            points[point as usize] += self.mm_from_mesh[point as usize] * delta * weight;
                        }
                    }
                }
            }
        }
        points
    }

    pub(super) fn by_kind(&self, found: &[Intersection]) -> Crossed {
        let mut crossed = Crossed::new();
        for intersection in found {
            let (count, length) = crossed.entry(self.kind_of(intersection.triangles)).or_default();
            *count += 1;
            *length += intersection.length;
        }
        crossed
    }

    fn kind_of(&self, [a, b]: [u32; 2]) -> Through {
        let [of_a, of_b] = [a, b].map(|triangle| self.triangles.role(triangle));
        let other = if of_a == Role::Skin { of_b } else { of_a };
        match other {
            Role::Eye => Through::LidsAndEyes,
            Role::Teeth => Through::LipsAndTeeth,
            Role::Tongue => Through::LipsAndTongue,
            _ => match [a, b].map(|triangle| self.part_of(triangle)) {
                [Part::Lids, Part::Lids] => Through::Lids,
                [Part::Lips, Part::Lips] => Through::Lips,
                [Part::Lids, Part::Rest] | [Part::Rest, Part::Lids] => Through::LidsAndSkin,
                [Part::Lips, Part::Rest] | [Part::Rest, Part::Lips] => Through::LipsAndSkin,
                // Lids and lips are too far apart to cross: such a face is no face.
                [Part::Rest, Part::Rest] | [Part::Lids, Part::Lips] | [Part::Lips, Part::Lids] => Through::Skin,
            },
        }
    }

    /// The part of a triangle: that of a corner which is not in the rest, if there is one.
    fn part_of(&self, triangle: u32) -> Part {
        let parts = self.triangles.corners[triangle as usize].map(|point| self.parts[point as usize]);
        parts.into_iter().find(|part| *part != Part::Rest).unwrap_or_default()
    }

    /// For each mesh, the vertices of triangles that cross, ascending: at a seam of the texture those on both sides.
    pub(super) fn vertices_of(&self, found: &[Intersection]) -> Vec<Vec<u32>> {
        let triangles = found.iter().flat_map(|intersection| intersection.triangles);
        let points: HashSet<u32> = triangles.flat_map(|triangle| self.triangles.corners[triangle as usize]).collect();
        let vertices = self.point_of.iter().map(|point_of| {
            let crossing = (0..).zip(point_of).filter(|(_, point)| point.is_some_and(|point| points.contains(&point)));
            crossing.map(|(vertex, _)| vertex).collect()
        });
        vertices.collect()
    }

    /// Per mesh, the vertices that move if points do, ascending, with their deltas in mesh space.
    pub(super) fn deltas_of(&self, offsets_mm: &[Vec3]) -> Vec<Vec<(u32, Vec3)>> {
        let of_meshes = self.point_of.iter().map(|point_of| {
            let moving = (0..).zip(point_of).filter_map(|(vertex, point)| {
                let point = point.filter(|point| offsets_mm[*point as usize] != Vec3::ZERO)? as usize;
                let delta = self.mm_from_mesh[point].inverse() * offsets_mm[point];
                delta.is_finite().then_some((vertex, delta))
            });
            moving.collect()
        });
        of_meshes.collect()
    }

    pub(super) fn rest_mm(&self) -> &[Vec3] {
        &self.rest_mm
    }
}

/// The edges of the skin, and the skin itself at rest.
pub(super) struct Skin {
    triangles: Vec<[u32; 3]>,
    /// Edges with their length at rest.
    edges: Vec<([u32; 2], f32)>,
    /// A point that volumes are measured from.
    middle: Vec3,
}

/// Shorter edges, in millimetres, are left out: rounding would stretch them.
const SHORTEST_MM: f32 = 0.5;

/// The most stretched edges whose mean is the stretch: one thin triangle is no fault.
const EDGES: usize = 20;

impl Skin {
    pub(super) fn new(surface: &Surface) -> Self {
        let triangles: Vec<[u32; 3]> = surface.triangles.skin().collect();
        let rest = surface.rest_mm();
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        edges.sort_unstable();
        edges.dedup();
        let edges = edges.into_iter().map(|[a, b]| ([a, b], rest[a as usize].distance(rest[b as usize])));
        let edges = edges.filter(|(_, length)| *length >= SHORTEST_MM);
        let corners = triangles.iter().flatten().map(|&point| rest[point as usize]);
        let middle = corners.sum::<Vec3>() / (3 * triangles.len()).max(1) as f32;
        Self { edges: edges.collect(), middle, triangles }
    }

    /// How many times as long as at rest the most stretched edges are; 1 without edges.
    pub(super) fn stretch(&self, points: &[Vec3]) -> f32 {
        let ratios = self.edges.iter();
        let ratios = ratios.map(|&([a, b], rest)| points[a as usize].distance(points[b as usize]) / rest);
        let mut ratios: Vec<f32> = ratios.filter(|ratio| ratio.is_finite()).collect();
        let count = EDGES.min(ratios.len());
        if count == 0 {
            return 1.0;
        }
        ratios.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a));
        ratios[..count].iter().sum::<f32>() / count as f32
    }

    /// The volume under the skin in cubic centimetres, up to a constant: of a surface with borders, differences mean
    /// something while these do not move.
    pub(super) fn volume_cm3(&self, points: &[Vec3]) -> f32 {
        let volumes = self.triangles.iter().map(|corners| {
            let [a, b, c] = corners.map(|point| (points[point as usize] - self.middle).as_dvec3());
            a.dot(b.cross(c))
        });
        (volumes.sum::<f64>() / 6000.0) as f32
    }
}
