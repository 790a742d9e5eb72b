//! What each channel does to the surface at weight 1.

use glam::{Mat3, Vec3};

use crate::head::{Head, Mesh, RigPose, Target};

/// A head, seen as what its channels do to it.
pub struct Movement<'a> {
    /// The head.
    pub head: &'a Head,
    /// The largest extent of what moves, in world units: the face.
    pub size: f32,
    /// How far each channel moves anything, in world units.
    pub largest: Vec<f32>,
    /// How long each channel's movement is as one vector of all vertices, in world units.
    pub whole: Vec<f32>,
    /// Per mesh, its first vertex among those of all.
    first_vertex: Vec<usize>,
    /// Where its meshes stand.
    rig_pose: RigPose,
    /// Per mesh, what turns its deltas into the world's: one for all its vertices, or one for each of a skinned mesh.
    linear: Vec<Vec<Mat3>>,
    /// Per channel, the meshes and the targets it drives there, in the order of the meshes.
    targets: Vec<Vec<(usize, usize)>>,
}

impl<'a> Movement<'a> {
    /// Movements below this part of the face are not seen: a five-hundredth of a millimetre.
    const UNSEEN: f32 = 1e-5;

    /// Finds the channels' targets and how far each goes.
    pub fn of(head: &'a Head) -> Self {
        let mut first_vertex = Vec::with_capacity(head.meshes.len());
        let mut vertex_count = 0;
        for mesh in &head.meshes {
            first_vertex.push(vertex_count);
            vertex_count += mesh.vertices.len();
        }
        let targets = head.channels.iter().map(|channel| targets_of(head, &channel.targets)).collect();
        let size = head.focus.size().max_element();
        let rig_pose = RigPose::at_rest(&head.rig);
        let mut movement = Self {
            head,
            size: if size.is_finite() && size > 0.0 { size } else { 1.0 },
            largest: Vec::new(),
            whole: Vec::new(),
            first_vertex,
            linear: head.meshes.iter().map(|mesh| linear_of(&rig_pose, mesh)).collect(),
            rig_pose,
            targets,
        };
        let largest = |channel| movement.deltas(channel).map(|(_, delta)| delta.length()).fold(0.0, f32::max);
        movement.largest = (0..head.channels.len()).map(largest).collect();
        let whole = |channel| movement.deltas(channel).map(|(_, delta)| f64::from(delta.length_squared())).sum::<f64>();
        movement.whole = (0..head.channels.len()).map(|channel| whole(channel).sqrt() as f32).collect();
        movement
    }

    /// How many vertices all meshes have together.
    pub fn vertex_count(&self) -> usize {
        self.head.vertex_count()
    }

    /// The number of a mesh's first vertex among those of all meshes.
    pub fn first_vertex(&self, mesh: usize) -> usize {
        self.first_vertex[mesh]
    }

    /// Where a vertex stands at rest, in world space.
    pub fn place(&self, mesh: usize, vertex: usize) -> Vec3 {
        let mesh = &self.head.meshes[mesh];
        self.rig_pose.world_from_vertex(mesh, vertex).transform_point3(mesh.vertices.positions[vertex])
    }

    /// A direction at a vertex, turned into the world.
    pub fn turned(&self, mesh: usize, vertex: usize, direction: Vec3) -> Vec3 {
        let linear = &self.linear[mesh];
        linear.get(vertex).or(linear.first()).map_or(direction, |linear| *linear * direction)
    }

    /// Which way a vertex faces at rest, in world space, about.
    pub fn normal(&self, mesh: usize, vertex: usize) -> Vec3 {
        self.turned(mesh, vertex, self.head.meshes[mesh].vertices.normals[vertex]).normalize_or_zero()
    }

    /// The deltas of positions of a channel, in world space, by vertex among those of all meshes, ascending.
    pub fn deltas(&self, channel: usize) -> impl Iterator<Item = (usize, Vec3)> + '_ {
        self.targets[channel].iter().flat_map(move |&(mesh, target)| {
            let first = self.first_vertex[mesh];
            let target = &self.head.meshes[mesh].targets[target];
            let rows = target.rows.iter().zip(&target.positions);
            rows.map(move |(&row, &delta)| (first + row as usize, self.turned(mesh, row as usize, delta)))
                .filter(|(_, delta)| delta.length_squared().is_finite())
        })
    }

    /// The meshes and targets of a channel.
    pub fn targets(&self, channel: usize) -> impl Iterator<Item = (usize, &'a Mesh, &'a Target)> + '_ {
        let head = self.head;
        self.targets[channel].iter().map(move |&(mesh, target)| {
            let meshes: &'a [Mesh] = &head.meshes;
            (mesh, &meshes[mesh], &meshes[mesh].targets[target])
        })
    }

    /// Whether a channel moves anything that can be seen to move.
    pub fn is_seen(&self, channel: usize) -> bool {
        self.largest[channel] > self.unseen()
    }

    /// A movement that nobody sees, in world units.
    pub fn unseen(&self) -> f32 {
        self.size * Self::UNSEEN
    }

    /// Several channels side by side: calls `visit` for every vertex that any of them moves.
    pub fn side_by_side(&self, channels: &[usize], mut visit: impl FnMut(usize, &[Vec3])) {
        let mut streams: Vec<_> = channels.iter().map(|&channel| self.deltas(channel).peekable()).collect();
        let mut deltas = vec![Vec3::ZERO; channels.len()];
        while let Some(vertex) = streams.iter_mut().filter_map(|stream| stream.peek().map(|next| next.0)).min() {
            for (stream, delta) in streams.iter_mut().zip(&mut deltas) {
                *delta = stream.next_if(|next| next.0 == vertex).map_or(Vec3::ZERO, |next| next.1);
            }
            visit(vertex, &deltas);
        }
    }

    /// A length in words: millimetres where the head has the size of one in metres, else as part of the face.
    pub fn length(&self, world: f32) -> String {
        if (0.05..3.0).contains(&self.size) {
            format!("{} mm", rounded(f64::from(world) * 1000.0))
        } else {
            format!("{} % of the face's size", rounded(f64::from(world) / f64::from(self.size) * 100.0))
        }
    }
}

/// What turns a mesh's deltas into the world's.
fn linear_of(rig_pose: &RigPose, mesh: &Mesh) -> Vec<Mat3> {
    match mesh.skin {
        None => vec![Mat3::from_mat4(rig_pose.world_from_mesh(mesh))],
        Some(_) => {
            (0..mesh.vertices.len()).map(|vertex| Mat3::from_mat4(rig_pose.world_from_vertex(mesh, vertex))).collect()
        }
    }
}

/// The meshes and targets that head-wide indices stand for. One per mesh: an expression that drives several shapes of a mesh
/// is no shape, and has none here.
fn targets_of(head: &Head, targets: &[usize]) -> Vec<(usize, usize)> {
    let place = |&target: &usize| {
        let holds = |mesh: &Mesh| target >= mesh.first_target && target - mesh.first_target < mesh.targets.len();
        head.meshes.iter().position(holds).map(|mesh| (mesh, target - head.meshes[mesh].first_target))
    };
    let mut places: Vec<_> = targets.iter().filter_map(place).collect();
    places.sort_unstable();
    let is_plain = places.windows(2).all(|pair| pair[0].0 != pair[1].0);
    if is_plain { places } else { Vec::new() }
}

/// A number with about two digits that count.
pub fn rounded(number: f64) -> String {
    match number.abs() {
        huge if huge >= 1e6 => format!("{number:.0e}"),
        large if large >= 10.0 => format!("{number:.0}"),
        middle if middle >= 1.0 => format!("{number:.1}"),
        small if small >= 0.1 => format!("{number:.2}"),
        tiny if tiny >= 0.0005 => format!("{number:.3}"),
        0.0 => "0".into(),
        _ => "less than 0.001".into(),
    }
}
