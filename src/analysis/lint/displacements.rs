//! The displacements of vertices that each channel causes at weight 1, in world space.
//!
//! The similarity of the displacements of channels: the cosine between every two, computed fast.
//!
//! The displacements of a channel are one long vector, with one number per vertex and axis. A count sketch (Charikar,
//! Chen, Farach-Colton: Finding Frequent Items in Data Streams, 2002) reduces it to 512 numbers: each number of the
//! vector is added to a random one of them, with a random sign. Inner products are then right to a few per cent, and
//! the sketch of a weighted sum is exactly the weighted sum of the sketches: no combination is missed, and those that
//! only seem to be one are rejected by the exact solution. Runs on one thread, because the window draws at the same
//! time.

use glam::{Mat3, Vec3};

use super::finding::{Finding, Measure};
use super::rule::Rule;
use super::settings::Settings;
use crate::mirror::{self, Images, Plane, RestVertex};
use smirk_base::random;
use smirk_face::head::{Head, Level, Mesh, RigPose, ShapeDeltas, Target};

pub(super) struct Displacements<'a> {
    pub head: &'a Head,
    /// Levels, limits and allowed channels of the rules.
    pub settings: &'a Settings,
    /// The size of the face: the largest extent of what moves, in world units.
    pub size: f32,
    /// Millimetres of a human head per unit of the world.
    mm_per_unit: f32,
    /// Per channel, the longest displacement of a vertex, in world units.
    pub largest: Vec<f32>,
    /// Per channel, the length of its displacements as one vector over all vertices, in world units.
    pub norm: Vec<f32>,
    /// Per mesh, the index of its first vertex among those of all meshes.
    first_vertex: Vec<usize>,
    rig_pose: RigPose,
    /// Per mesh, the matrices that transform its deltas into the world: one for all vertices, or one per vertex of a
    /// skinned mesh.
    world_from_deltas: Vec<Vec<Mat3>>,
    /// Per channel, the meshes and the targets that it drives there, in the order of the meshes.
    targets: Vec<Vec<(usize, usize)>>,
}

impl<'a> Displacements<'a> {
    /// Displacements up to this are not visible, in millimetres.
    const INVISIBLE_MM: f32 = 0.002;

    /// Finds the targets of the channels and measures their displacements.
    pub(super) fn new(head: &'a Head, settings: &'a Settings) -> Self {
        let mut first_vertex = Vec::with_capacity(head.meshes.len());
        let mut vertex_count = 0;
        for mesh in &head.meshes {
            first_vertex.push(vertex_count);
            vertex_count += mesh.vertices.len();
        }
        let targets = head.channels.iter().map(|channel| targets_of(head, &channel.targets)).collect();
        let size = head.focus.size().max_element();
        let rig_pose = RigPose::at_rest(&head.rig);
        let mut displacements = Self {
            head,
            settings,
            mm_per_unit: head.mm_per_unit(),
            size: if size.is_finite() && size > 0.0 { size } else { 1.0 },
            largest: Vec::new(),
            norm: Vec::new(),
            first_vertex,
            world_from_deltas: head.meshes.iter().map(|mesh| matrices_of(&rig_pose, mesh)).collect(),
            rig_pose,
            targets,
        };
        for channel in 0..head.channels.len() {
            let (mut most, mut sum) = (0.0_f32, 0.0_f64);
            for (_, delta) in displacements.deltas(channel) {
                let square = delta.length_squared();
                most = most.max(square);
                sum += f64::from(square);
            }
            displacements.largest.push(most.sqrt());
            displacements.norm.push(sum.sqrt() as f32);
        }
        displacements
    }

    /// Whether a channel has targets that move nothing in any shape: no position visibly, no normal, no tangent.
    pub(super) fn is_empty(&self, channel: usize) -> bool {
        let mut targets = self.targets(channel).peekable();
        let is_still = targets.peek().is_some() && !self.is_visible(channel);
        is_still
            && !targets.any(|(mesh, _, target)| {
                target.shapes().any(|shape| {
                    let mut directions = shape.normals.iter().chain(shape.tangents);
                    self.moves_visibly(mesh, shape) || directions.any(|delta| delta.length() > 1e-3)
                })
            })
    }

    pub(super) fn finding(&self, level: Level, channels: Vec<usize>, measure: Measure) -> Finding {
        Finding::new(self.head, self.mm_per_unit, level, channels, measure)
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.head.vertex_count()
    }

    /// The index of a mesh's first vertex among those of all meshes.
    pub(super) fn first_vertex(&self, mesh: usize) -> usize {
        self.first_vertex[mesh]
    }

    /// The position of a vertex at rest, in world space.
    pub(super) fn position(&self, mesh: usize, vertex: usize) -> Vec3 {
        let mesh = &self.head.meshes[mesh];
        self.rig_pose.world_from_vertex(mesh, vertex).transform_point3(mesh.vertices.positions[vertex])
    }

    pub(super) fn direction_in_world(&self, mesh: usize, vertex: usize, direction: Vec3) -> Vec3 {
        let matrices = &self.world_from_deltas[mesh];
        matrices.get(vertex).or(matrices.first()).map_or(direction, |matrix| *matrix * direction)
    }

    /// The normal of a vertex at rest, in world space; not exact under non-uniform scale.
    pub(super) fn normal(&self, mesh: usize, vertex: usize) -> Vec3 {
        self.direction_in_world(mesh, vertex, self.head.meshes[mesh].vertices.normals[vertex]).normalize_or_zero()
    }

    /// The deltas of the positions of a channel at weight 1 in world space, with the index of the vertex among those of
    /// all meshes, ascending.
    pub(super) fn deltas(&self, channel: usize) -> impl Iterator<Item = (usize, Vec3)> + '_ {
        self.targets[channel].iter().flat_map(move |&(mesh, target)| {
            let first = self.first_vertex[mesh];
            let target = &self.head.meshes[mesh].targets[target];
            let rows = target.rows.iter().zip(&target.positions);
            rows.map(move |(&row, &delta)| (first + row as usize, self.direction_in_world(mesh, row as usize, delta)))
                .filter(|(_, delta)| delta.length_squared().is_finite())
        })
    }

    pub(super) fn targets(&self, channel: usize) -> impl Iterator<Item = (usize, &'a Mesh, &'a Target)> + '_ {
        let head = self.head;
        self.targets[channel].iter().map(move |&(mesh, target)| {
            let meshes: &'a [Mesh] = &head.meshes;
            (mesh, &meshes[mesh], &meshes[mesh].targets[target])
        })
    }

    pub(super) fn moves_visibly(&self, mesh: usize, shape: ShapeDeltas<'_>) -> bool {
        let mut rows = shape.rows.iter().zip(shape.positions);
        rows.any(|(&row, &delta)| {
            self.direction_in_world(mesh, row as usize, delta).length() > self.visible_threshold()
        })
    }

    /// Whether a channel is linear in its weight: it has no in-betweens.
    pub(super) fn is_linear(&self, channel: usize) -> bool {
        self.targets(channel).all(|(_, _, target)| target.in_betweens.is_empty())
    }

    /// Whether a channel moves some vertex visibly at weight 1.
    pub(super) fn is_visible(&self, channel: usize) -> bool {
        self.largest[channel] > self.visible_threshold()
    }

    pub(super) fn visible_channels(&self) -> usize {
        (0..self.head.channels.len()).filter(|&channel| self.is_visible(channel)).count()
    }

    /// The largest displacement that is not visible, in world units.
    pub(super) fn visible_threshold(&self) -> f32 {
        self.in_world(Self::INVISIBLE_MM)
    }

    pub(super) fn in_world(&self, millimetres: f32) -> f32 {
        millimetres / self.mm_per_unit
    }

    /// The channels that a rule examines: all but those that are allowed to break it.
    pub(super) fn examined(&self, rule: Rule) -> impl Iterator<Item = usize> + '_ {
        let channels = self.head.channels.iter().enumerate();
        channels.filter(move |(_, channel)| !self.settings.allows_channel(rule, channel)).map(|(index, _)| index)
    }

    /// Calls `visit` for every vertex that any of `channels` moves, with the delta of each channel.
    pub(super) fn for_each_vertex(&self, channels: &[usize], mut visit: impl FnMut(usize, &[Vec3])) {
        let mut streams: Vec<_> = channels.iter().map(|&channel| self.deltas(channel).peekable()).collect();
        let mut deltas = vec![Vec3::ZERO; channels.len()];
        while let Some(vertex) = streams.iter_mut().filter_map(|stream| stream.peek().map(|next| next.0)).min() {
            for (stream, delta) in streams.iter_mut().zip(&mut deltas) {
                *delta = stream.next_if(|next| next.0 == vertex).map_or(Vec3::ZERO, |next| next.1);
            }
            visit(vertex, &deltas);
        }
    }
}

/// The matrices that transform the deltas of a mesh into the world.
fn matrices_of(rig_pose: &RigPose, mesh: &Mesh) -> Vec<Mat3> {
    match mesh.skin {
        None => vec![Mat3::from_mat4(rig_pose.world_from_mesh(mesh))],
        Some(_) => {
            (0..mesh.vertices.len()).map(|vertex| Mat3::from_mat4(rig_pose.world_from_vertex(mesh, vertex))).collect()
        }
    }
}

/// The meshes and targets of head-wide indices, one per mesh. Empty for a channel that drives several targets of one
/// mesh, as expressions do: it is not one shape.
fn targets_of(head: &Head, targets: &[usize]) -> Vec<(usize, usize)> {
    let found = targets.iter().filter_map(|&target| {
        let mesh = head.mesh_of_target(target)?;
        Some((mesh, target - head.meshes[mesh].first_target))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    let is_one_shape = found.windows(2).all(|pair| pair[0].0 != pair[1].0);
    if is_one_shape { found } else { Vec::new() }
}

/// The most vertices whose mirror images are sought; of a larger number, those of an even sample.
const MOST_VERTICES: usize = 40_000;

impl Displacements<'_> {
    /// The plane of symmetry of some vertices (ascending, as indices among those of all meshes), and their images.
    pub(super) fn mirror(&self, vertices: &[usize]) -> Option<(Plane, Images)> {
        let step = vertices.len().div_ceil(MOST_VERTICES).max(1);
        let wanted: Vec<usize> = vertices.iter().copied().step_by(step).collect();
        let mut mesh = 0;
        let at_rest = vertices.iter().map(|&vertex| {
            while vertex >= self.first_vertex(mesh) + self.head.meshes[mesh].vertices.len() {
                mesh += 1;
            }
            let local = vertex - self.first_vertex(mesh);
            (vertex, RestVertex { position: self.position(mesh, local), normal: self.normal(mesh, local) })
        });
        let at_rest: Vec<(usize, RestVertex)> = at_rest.collect();
        mirror::find(&at_rest, &wanted, self.size, &mirror::planes(self.head.focus.center()))
    }
}

const SKETCH: usize = 512;

/// The most channels that are compared: two thousand channels have four million cosines.
const MOST_CHANNELS: usize = 2048;

/// The channels that move visibly and have no in-betweens (these make no channel a multiple of another), and the
/// cosines between them.
pub(super) struct Similarity {
    /// Indices into the head's channels.
    pub channels: Vec<usize>,
    /// A square matrix, row by row, over `channels`.
    cosines: Vec<f32>,
}

impl Similarity {
    /// Compares all channels with each other.
    pub(super) fn new(displacements: &Displacements<'_>) -> Self {
        let visible = (0..displacements.head.channels.len())
            .filter(|&channel| displacements.is_visible(channel) && displacements.is_linear(channel));
        let channels: Vec<usize> = visible.take(MOST_CHANNELS).collect();
        let sketches: Vec<[f32; SKETCH]> = channels.iter().map(|&channel| sketch(displacements, channel)).collect();
        let count = channels.len();
        let mut cosines = vec![0.0; count * count];
        for a in 0..count {
            for b in a..count {
                let cosine = dot(&sketches[a], &sketches[b]);
                (cosines[a * count + b], cosines[b * count + a]) = (cosine, cosine);
            }
        }
        Self { channels, cosines }
    }

    /// The cosine between two channels, given as indices into `channels`.
    pub(super) fn cosine(&self, a: usize, b: usize) -> f32 {
        self.cosines[a * self.channels.len() + b]
    }
}

/// The count sketch of a channel, as a unit vector.
fn sketch(displacements: &Displacements<'_>, channel: usize) -> [f32; SKETCH] {
    const SEED: u32 = 0x51;
    let mut sums = [0.0_f64; SKETCH];
    let scale = f64::from(displacements.largest[channel]).recip();
    for (vertex, delta) in displacements.deltas(channel) {
        for (axis, value) in delta.to_array().into_iter().enumerate() {
            let chance = random::bits(SEED, (vertex * 3 + axis) as u64);
            let sign = if chance & 1 == 0 { scale } else { -scale };
            sums[(chance >> 32) as usize % SKETCH] += sign * f64::from(value);
        }
    }
    let length = sums.iter().map(|sum| sum * sum).sum::<f64>().sqrt();
    sums.map(|sum| if length > 0.0 { (sum / length) as f32 } else { 0.0 })
}

/// The dot product, in lanes so that the compiler vectorises it.
fn dot(a: &[f32; SKETCH], b: &[f32; SKETCH]) -> f32 {
    const LANES: usize = 16;
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}
