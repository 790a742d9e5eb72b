//! What a shape does to the vertices of a head, measured: how far they move, how the surface stretches, turns and
//! bends. Lengths are millimetres of a human head ([`Head::mm_per_unit`](smirk_face::head::Head::mm_per_unit)). Nodes
//! and joints are at rest: what is measured is what targets do.

use glam::{Mat3, Mat4, Vec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use smirk_face::head::{Groups, Head, Mesh, RigPose, Version};

/// What is measured of each vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// How far it has moved, in millimetres.
    #[default]
    Displacement,
    /// By which part of its length the edge at the vertex that has changed most is longer (positive) or shorter, in
    /// percent.
    #[strum(serialize = "stretch")]
    EdgeLength,
    /// By which part the triangles around it are larger (positive) or smaller, in percent.
    Area,
    /// How far its normal has turned, in degrees.
    #[strum(serialize = "normals")]
    Normal,
    /// How the surface is bent there, in 1/mm: positive on ridges, negative in hollows. What it was before does not
    /// matter.
    Curvature,
}

impl Measure {
    /// All of them, in the order in which they are offered.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::Displacement => "Displacement",
            Self::EdgeLength => "Edge stretch",
            Self::Area => "Area change",
            Self::Normal => "Normal angle",
            Self::Curvature => "Curvature",
        }
    }

    pub fn keyword(self) -> &'static str {
        self.into()
    }

    /// What follows a number.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Displacement => " mm",
            Self::EdgeLength | Self::Area => " %",
            Self::Normal => "°",
            Self::Curvature => " /mm",
        }
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        match self {
            Self::Displacement | Self::Normal => false,
            Self::EdgeLength | Self::Area | Self::Curvature => true,
        }
    }

    /// A value that a scale can end at, so that the colours mean the same for every expression of a head. For
    /// displacement it is that of the vertex that one of `targets` (head-wide indices) moves most at weight 1, rounded
    /// up to 1, 2 or 5.
    pub fn usual_most(self, head: &Head, targets: impl IntoIterator<Item = usize>) -> f32 {
        match self {
            Self::Displacement => {
                let targets = targets.into_iter().filter_map(|target| head.target(target));
                let reaches = targets.map(|(mesh, target)| {
                    let longest = target.positions.iter().map(|delta| delta.length_squared());
                    longest.filter(|length| length.is_finite()).fold(0.0, f32::max).sqrt()
                        * head.rest_pose.largest_scale(mesh)
                });
                let most = reaches.fold(0.0, f32::max);
                rounded_up(most * head.mm_per_unit())
            }
            Self::EdgeLength | Self::Area => 50.0,
            Self::Normal => 45.0,
            Self::Curvature => 0.5,
        }
    }
}

/// The next number of 1, 2, 5, 10 … that is not smaller; 1 for what is no length.
pub fn rounded_up(value: f32) -> f32 {
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let power = 10.0_f32.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|&step| step >= value * 0.999).unwrap_or(value)
}

/// The surface of a head, prepared for measuring. It belongs to the head that it was made of, which every call needs
/// again.
#[derive(Debug)]
pub struct MeasuredHead {
    meshes: Vec<MeasuredMesh>,
}

impl MeasuredHead {
    /// Finds the edges of all meshes.
    pub fn new(head: &Head) -> Self {
        Self { meshes: head.meshes.par_iter().map(|mesh| MeasuredMesh::new(head, mesh)).collect() }
    }

    /// What changes from the shape at some weights to that at others: for each mesh, a value per vertex. Weights are
    /// one per target; missing ones count as 0.
    pub fn values(&self, head: &Head, measure: Measure, from: &[f32], to: &[f32]) -> Vec<Vec<f32>> {
        let [from, to] = [from, to].map(|weights| deformed_meshes(head, weights));
        self.between(head, measure, &from, &to)
    }

    /// The same for shapes whose positions are known: for each mesh, those of all its vertices in mesh space.
    pub fn between(&self, head: &Head, measure: Measure, from: &[Vec<Vec3>], to: &[Vec<Vec3>]) -> Vec<Vec<f32>> {
        let values = (0..self.meshes.len()).into_par_iter().map(|index| {
            let (measured, mesh) = (&self.meshes[index], &head.meshes[index]);
            let [from, to] = [from, to].map(|positions| measured.deformed_mm(mesh, &positions[index]));
            measured.per_vertex(&match measure {
                Measure::Displacement => displacement(&from, &to),
                Measure::EdgeLength => edge_length(measured, &from, &to),
                Measure::Area => area(measured, &from, &to),
                Measure::Normal => normal(measured, &from, &to),
                Measure::Curvature => curvature(measured, &to),
            })
        });
        values.collect()
    }
}

/// [`deformed_positions`] of all meshes.
fn deformed_meshes(head: &Head, weights: &[f32]) -> Vec<Vec<Vec3>> {
    head.meshes.par_iter().map(|mesh| deformed_positions(mesh, weights)).collect()
}

/// The positions of all vertices in mesh space, before nodes or joints move them. `weights` has one element per target
/// of the head; missing, infinite and NaN ones count as 0.
pub fn deformed_positions(mesh: &Mesh, weights: &[f32]) -> Vec<Vec3> {
    let mut positions = mesh.vertices.positions.clone();
    let weights = weights.iter().skip(mesh.first_target).copied();
    let active = mesh.targets.iter().zip(weights).filter(|(_, weight)| *weight != 0.0 && weight.is_finite());
    for (shape, weight) in active.flat_map(|(target, weight)| target.shapes_at(weight)) {
        for (&row, &delta) in shape.rows.iter().zip(shape.positions).filter(|(_, delta)| delta.is_finite()) {
            if let Some(position) = positions.get_mut(row as usize) {
                *position += delta * weight;
            }
        }
    }
    positions
}

#[derive(Debug)]
struct MeasuredMesh {
    /// Per vertex, the point that it is.
    point_of: Vec<u32>,
    /// Per point, its first vertex.
    vertices: Vec<u32>,
    /// Per point, where it is at rest, in millimetres.
    pub rest_mm: Vec<Vec3>,
    /// From directions of the mesh to millimetres, with all nodes at rest: one matrix per point, or one for all.
    mm_from_mesh: Vec<Mat3>,
    /// The points of each triangle, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The points of each edge, once.
    pub edges: Vec<[u32; 2]>,
}

impl MeasuredMesh {
    fn new(head: &Head, mesh: &Mesh) -> Self {
        let (rig_pose, mm_per_unit) = (&head.rest_pose, head.mm_per_unit());
        let groups = Groups::new(&mesh.vertices);
        let vertices: Vec<u32> = (0..groups.count()).map(|group| groups.members(group)[0]).collect();
        let point_of: Vec<u32> = (0..mesh.vertices.len()).map(|vertex| groups.of_vertex(vertex) as u32).collect();
        let worlds = vertices.iter().map(|&vertex| rig_pose.world_from_vertex(mesh, vertex as usize));
        let rest_mm = vertices
            .iter()
            .zip(worlds.clone())
            .map(|(&vertex, world)| world.transform_point3(mesh.vertices.positions[vertex as usize]) * mm_per_unit);
        let matrices = worlds.take(if mesh.skin.is_some() { vertices.len() } else { 1 });
        let is_mirrored = rig_pose.is_mirrored(mesh);
        let triangles = mesh.valid_triangles().map(|corners| {
            let [a, b, c] = corners.map(|vertex| point_of[vertex as usize]);
            if is_mirrored { [a, c, b] } else { [a, b, c] }
        });
        let triangles: Vec<[u32; 3]> = triangles.collect();
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let mut edges: Vec<[u32; 2]> = sides.map(|[a, b]| [a.min(b), a.max(b)]).filter(|[a, b]| a != b).collect();
        edges.sort_unstable();
        edges.dedup();
        Self {
            rest_mm: rest_mm.collect(),
            mm_from_mesh: matrices.map(|world| Mat3::from_mat4(world) * mm_per_unit).collect(),
            vertices,
            point_of,
            triangles,
            edges,
        }
    }

    /// Where the points are, in millimetres. `deformed` are the positions of all vertices in mesh space.
    fn deformed_mm(&self, mesh: &Mesh, deformed: &[Vec3]) -> Vec<Vec3> {
        let points = self.vertices.iter().zip(&self.rest_mm).enumerate();
        let moved = points.map(|(point, (&vertex, &rest))| {
            let mm_from_mesh = self.mm_from_mesh[point.min(self.mm_from_mesh.len() - 1)];
            rest + mm_from_mesh * (deformed[vertex as usize] - mesh.vertices.positions[vertex as usize])
        });
        moved.collect()
    }

    fn per_vertex(&self, values: &[f32]) -> Vec<f32> {
        self.point_of.iter().map(|&point| values[point as usize]).collect()
    }
}

/// Lengths and areas that are smaller than this, in millimetres or their squares, have no measurable change.
const VANISHING: f32 = 1e-6;

/// How far the points have moved, in millimetres.
fn displacement(from_mm: &[Vec3], to_mm: &[Vec3]) -> Vec<f32> {
    from_mm.iter().zip(to_mm).map(|(from, to)| from.distance(*to)).collect()
}

/// The change of length, in percent, of the edge at each point that has changed most.
fn edge_length(mesh: &MeasuredMesh, from_mm: &[Vec3], to_mm: &[Vec3]) -> Vec<f32> {
    let mut values = vec![0.0_f32; from_mm.len()];
    for &[a, b] in &mesh.edges {
        let [before, after] = [from_mm, to_mm].map(|at_mm| at_mm[a as usize].distance(at_mm[b as usize]));
        if before > VANISHING {
            let change = (after / before - 1.0) * 100.0;
            for point in [a, b] {
                let value = &mut values[point as usize];
                *value = if change.abs() > value.abs() { change } else { *value };
            }
        }
    }
    values
}

/// The change of the area of the triangles around each point, in percent.
fn area(mesh: &MeasuredMesh, from_mm: &[Vec3], to_mm: &[Vec3]) -> Vec<f32> {
    let [before, after] = [from_mm, to_mm].map(|at_mm| {
        let mut areas = vec![0.0_f32; at_mm.len()];
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|point| at_mm[point as usize]);
            let area = (b - a).cross(c - a).length() * 0.5;
            triangle.iter().for_each(|&point| areas[point as usize] += area);
        }
        areas
    });
    let changes = before.into_iter().zip(after);
    changes.map(|(before, after)| if before > VANISHING { (after / before - 1.0) * 100.0 } else { 0.0 }).collect()
}

/// How far the normals of the surface have turned, in degrees.
fn normal(mesh: &MeasuredMesh, from_mm: &[Vec3], to_mm: &[Vec3]) -> Vec<f32> {
    // The arc tangent is exact for small angles too.
    let both = normals(mesh, from_mm).into_iter().zip(normals(mesh, to_mm));
    both.map(|(a, b)| a.cross(b).length().atan2(a.dot(b)).to_degrees()).collect()
}

/// The mean curvature at each point of the surface, in 1/mm: of the edges at the point, the mean of how much the normal
/// turns along them per millimetre. 0 where there are no edges.
fn curvature(mesh: &MeasuredMesh, deformed_mm: &[Vec3]) -> Vec<f32> {
    let normals = normals(mesh, deformed_mm);
    let mut sums = vec![(0.0_f32, 0.0_f32); deformed_mm.len()];
    for &[a, b] in &mesh.edges {
        let [a, b] = [a as usize, b as usize];
        let along = deformed_mm[b] - deformed_mm[a];
        let length_squared = along.length_squared();
        if length_squared > 1e-12 {
            let turn = (normals[b] - normals[a]).dot(along) / length_squared;
            for point in [a, b] {
                sums[point].0 += turn;
                sums[point].1 += 1.0;
            }
        }
    }
    sums.into_iter().map(|(sum, count)| sum / count.max(1.0)).collect()
}

/// The unit normal at each point: the mean of those of its triangles, weighted by area. Zero where they cancel.
fn normals(mesh: &MeasuredMesh, at_mm: &[Vec3]) -> Vec<Vec3> {
    let mut normals = vec![Vec3::ZERO; at_mm.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|point| at_mm[point as usize]);
        let area = (b - a).cross(c - a);
        triangle.iter().for_each(|&point| normals[point as usize] += area);
    }
    normals.into_iter().map(Vec3::normalize_or_zero).collect()
}

impl MeasuredHead {
    /// What changes from the other version to the head, at these weights of the head and at these of the version: for
    /// each mesh, a value per vertex. It is NaN where the version lacks the vertex.
    pub fn against_version(
        &self,
        head: &Head,
        measure: Measure,
        version: &Version,
        [weights, of_version]: [&[f32]; 2],
    ) -> Vec<Vec<f32>> {
        let now = deformed_meshes(head, weights);
        let other = in_version(head, version, of_version);
        let from = other
            .iter()
            .zip(&now)
            .map(|(other, now)| other.iter().zip(now).map(|(other, now)| other.unwrap_or(*now)).collect());
        let from: Vec<Vec<Vec3>> = from.collect();
        let mut values = self.between(head, measure, &from, &now);
        let places = values.iter_mut().flatten().zip(other.iter().flatten());
        places.filter(|(_, other)| other.is_none()).for_each(|(value, _)| *value = f32::NAN);
        values
    }
}

/// Where the vertices of each mesh are in the other version, as positions in the space of the head's own mesh; none for
/// a vertex that the version lacks. `weights` are those of the version.
fn in_version(head: &Head, version: &Version, weights: &[f32]) -> Vec<Vec<Option<Vec3>>> {
    let other = &*version.head;
    let deformed = deformed_meshes(other, weights);
    let unit = version.unit();
    let others: Vec<Option<Mat4>> =
        other.meshes.iter().map(|mesh| world_of_all_vertices(mesh, &other.rest_pose)).collect();
    let places = head.meshes.par_iter().enumerate().map(|(index, mesh)| {
        let own_of_all = world_of_all_vertices(mesh, &head.rest_pose).map(|world| world.inverse());
        let places = (0..mesh.vertices.len()).map(|vertex| {
            let (other_mesh, other_vertex) = version.counterpart(index, vertex)?;
            let position = *deformed.get(other_mesh)?.get(other_vertex)?;
            let world = others[other_mesh]
                .unwrap_or_else(|| other.rest_pose.world_from_vertex(&other.meshes[other_mesh], other_vertex));
            let own = own_of_all.unwrap_or_else(|| head.rest_pose.world_from_vertex(mesh, vertex).inverse());
            Some(own.transform_point3(world.transform_point3(position) * unit)).filter(|place| place.is_finite())
        });
        places.collect()
    });
    places.collect()
}

/// The transform into the world that all vertices of a mesh have; none for a mesh with a skin.
fn world_of_all_vertices(mesh: &Mesh, pose: &RigPose) -> Option<Mat4> {
    mesh.skin.is_none().then(|| pose.world_from_vertex(mesh, 0))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::measure::{Measure, MeasuredHead};
    use smirk_face::head::{Head, MatchedMesh, MatchedVertices, Matching, Mesh, Target, Vertices};

    use super::*;

    #[test]
    fn scales_end_at_round_numbers() {
        for (value, expected) in [(0.0, 1.0), (13.2, 20.0), (0.31, 0.5), (1.0, 1.0), (f32::NAN, 1.0), (5.1, 10.0)] {
            assert!((rounded_up(value) - expected).abs() < 1e-6, "{value}: {}", rounded_up(value));
        }
    }

    /// A sphere about 70 units wide, so that a unit is two millimetres of a head.
    fn sphere(radius: f32, is_inside_out: bool) -> Head {
        const ROWS: u32 = 24;
        let direction = |row: u32, column: u32| {
            let (polar, around) =
                (row as f32 / ROWS as f32 * std::f32::consts::PI, column as f32 / 48.0 * std::f32::consts::TAU);
            Vec3::new(polar.sin() * around.cos(), polar.cos(), polar.sin() * around.sin())
        };
        let directions: Vec<Vec3> = (0..=ROWS).flat_map(|row| (0..48).map(move |at| direction(row, at))).collect();
        let square = |row: u32, column: u32| {
            let [a, b] = [row * 48 + column, row * 48 + (column + 1) % 48];
            let square = [a, b, a + 48, b, b + 48, a + 48];
            if is_inside_out { [square[0], square[2], square[1], square[3], square[5], square[4]] } else { square }
        };
        let vertices = Vertices {
            positions: directions.iter().map(|&direction| direction * radius).collect(),
            normals: directions,
            ..Vertices::default()
        };
        let indices = (1..ROWS - 1).flat_map(|row| (0..48).flat_map(move |column| square(row, column))).collect();
        let mesh = Mesh { vertices, indices, ..Mesh::default() };
        Head::from_meshes(vec![mesh])
    }

    #[test]
    fn a_sphere_is_bent_by_one_over_its_radius_and_a_bowl_the_other_way() {
        for (is_inside_out, sign) in [(false, 1.0), (true, -1.0)] {
            let head = sphere(20.0, is_inside_out);
            let values = MeasuredHead::new(&head).values(&head, Measure::Curvature, &[], &[]);
            let middle = values[0][12 * 48];
            let expected = sign / (20.0 * head.mm_per_unit());
            assert!((middle - expected).abs() < 0.01 * expected.abs(), "{middle} is not {expected}");
        }
    }

    /// A face 140 units wide, one unit of which is a millimetre, whose jaw moves one corner down by so much.
    fn head(down: f32, at: Mat4, scale: f32) -> Arc<Head> {
        let corners = [Vec3::ZERO, Vec3::X * 140.0, Vec3::new(70.0, 140.0, 0.0)];
        let deltas = [Vec3::NEG_Y * down, Vec3::NEG_Y * 5.0, Vec3::ZERO];
        let to_mesh = at.inverse();
        let mesh = Mesh {
            name: "face".into(),
            world_from_mesh: at,
            vertices: Vertices {
                positions: corners.map(|corner| to_mesh.transform_point3(corner * scale)).into(),
                ..Vertices::default()
            },
            indices: vec![0, 1, 2],
            targets: vec![Target::from_dense(
                "jawOpen".into(),
                0.0,
                &deltas.map(|delta| to_mesh.transform_vector3(delta * scale)),
                &[],
                &[],
            )],
            ..Mesh::default()
        };
        Arc::new(Head::from_meshes(vec![mesh]))
    }

    fn distances(this: &Arc<Head>, version: &Version, weight: f32) -> Vec<f32> {
        MeasuredHead::new(this)
            .against_version(this, Measure::Displacement, version, [&[weight], &version.weights(&[weight], true, 0.0)])
            .remove(0)
    }

    fn in_order(this: &Arc<Head>, other: Arc<Head>) -> Version {
        let (meshes, back) = (MatchedMesh::in_order(this, &other), MatchedMesh::in_order(&other, this));
        Version::new(this, other, meshes, back)
    }

    #[test]
    fn a_planted_move_is_measured_at_the_present_weight_whatever_the_node_and_the_unit() {
        let this = head(10.0, Mat4::IDENTITY, 1.0);
        let turned = Mat4::from_rotation_z(0.5) * Mat4::from_translation(Vec3::new(3.0, 1.0, 2.0));
        for other in [head(13.0, Mat4::IDENTITY, 1.0), head(13.0, turned, 1.0), head(13.0, Mat4::IDENTITY, 0.001)] {
            let version = in_order(&this, other);
            for weight in [0.0, 0.5, 1.0, -1.0] {
                let found = distances(&this, &version, weight);
                let expected = [3.0 * f32::abs(weight), 0.0, 0.0];
                let is_near = |(found, expected): (&f32, f32)| (found - expected).abs() < 1e-3;
                assert!(found.iter().zip(expected).all(is_near), "{weight}: {found:?} is not {expected:?}");
            }
        }
    }

    #[test]
    fn a_vertex_that_the_version_lacks_has_no_value() {
        let (this, other) = (head(10.0, Mat4::IDENTITY, 1.0), head(13.0, Mat4::IDENTITY, 1.0));
        let meshes = MatchedMesh::in_order(&this, &other);
        let vertices = MatchedVertices::Found { old_of_new: vec![Some(0), None, Some(2)], by: Matching::Uv };
        let version = Version::new(&this, other, meshes, vec![MatchedMesh { old: 0, new: 0, vertices }]);
        let found = distances(&this, &version, 1.0);
        assert!((found[0] - 3.0).abs() < 1e-3 && found[1].is_nan() && found[2] == 0.0, "{found:?}");
    }
}
