//! The skins on the GPU: the joints and weights of each vertex, which never change, and the matrices of the joints,
//! which are written when a joint moves.

use bytemuck::{Pod, Zeroable};
use glam::Mat4;

use smirk_face::head::{Head, Influence, Mesh, RigPose};
use smirk_graphics::blend::VertexOrder;
use smirk_graphics::gpu::Gpu;

/// The indices of the influences and joints of a skinned mesh: the last members of `Mesh` in `mesh.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(super) struct SkinRow {
    /// The place of its first vertex in the head-wide array.
    pub first_place: u32,
    /// Index of its first element of `skin_pairs`.
    pub first_pair: u32,
    /// How many elements of `skin_pairs` each vertex has.
    pub pairs_per_vertex: u32,
    /// Index of its skin's first element of `skin_joints`.
    pub first_joint: u32,
}

/// An element of `skin_joints`: the rows of the affine matrix world_from_mesh of a vertex that has only this joint.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub(crate) struct JointRows([[f32; 4]; 3]);

impl JointRows {
    fn new(world_from_mesh: &Mat4) -> Self {
        Self([0, 1, 2].map(|row| world_from_mesh.row(row).to_array()))
    }
}

/// An element of `skin_pairs`: two of a vertex's influences.
type Pair = [Influence; 2];

#[derive(Debug)]
pub(super) struct SkinTables {
    pub pairs: wgpu::Buffer,
    pub joints: wgpu::Buffer,
    /// One row per mesh; zeros for a mesh without a skin.
    rows: Vec<SkinRow>,
    /// For each skin, the index of its first joint, and, as a last element, the number of joints.
    first_joints: Vec<u32>,
    /// The contents of `joints`, as last written.
    written: Vec<JointRows>,
}

impl SkinTables {
    /// Uploads the skins of `head` in a rig pose. Returns `None` if no mesh has a skin.
    pub(super) fn new(gpu: &Gpu, head: &Head, order: &VertexOrder, rig_pose: &RigPose) -> Option<Self> {
        let is_skinned = head.meshes.iter().any(|mesh| mesh.skin.is_some());
        if !is_skinned {
            return None;
        }
        let mut first_joints = vec![0];
        for skin in &head.rig.skins {
            first_joints.push(first_joints[first_joints.len() - 1] + skin.joints.len() as u32);
        }
        let limits = gpu.device.limits();
        let most_bytes = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let most_pairs = most_pairs(head, most_bytes / size_of::<Pair>() as u64);
        let (mut pairs, mut rows) = (Vec::new(), Vec::with_capacity(head.meshes.len()));
        for (index, mesh) in head.meshes.iter().enumerate() {
            let first_joint = mesh.skin.and_then(|skin| first_joints.get(skin));
            let Some(&first_joint) = first_joint else {
                rows.push(SkinRow::default());
                continue;
            };
            // The vertices of a mesh have consecutive places, in another order.
            let (first_place, _) = order.vertices_in_order(index);
            let first_pair = pairs.len();
            let per_vertex = pairs_of(mesh).min(most_pairs);
            pairs.resize(first_pair + mesh.vertices.len() * per_vertex, Pair::default());
            for vertex in 0..mesh.vertices.len() {
                let first = first_pair + (order.place_of(index, vertex) - first_place) * per_vertex;
                let influences = bytemuck::cast_slice_mut(&mut pairs[first..first + per_vertex]);
                write_influences(mesh.vertices.influences.of_vertex(vertex), influences);
            }
            rows.push(SkinRow {
                first_place: first_place as u32,
                first_pair: first_pair as u32,
                pairs_per_vertex: per_vertex as u32,
                first_joint,
            });
        }
        let written = joint_rows(head, rig_pose);
        let storage = wgpu::BufferUsages::STORAGE;
        // A binding cannot be empty, even where the skins have no joints.
        let (some_pair, some_joint) = ([Pair::default()], [JointRows::default()]);
        let pairs_or_one = if pairs.is_empty() { &some_pair } else { pairs.as_slice() };
        let joints_or_one = if written.is_empty() { &some_joint } else { written.as_slice() };
        Some(Self {
            pairs: gpu.filled_buffer("skin pairs", bytemuck::cast_slice(pairs_or_one), storage),
            joints: gpu.filled_buffer(
                "skin joints",
                bytemuck::cast_slice(joints_or_one),
                storage | wgpu::BufferUsages::COPY_DST,
            ),
            rows,
            first_joints,
            written,
        })
    }

    /// The part of a mesh's uniforms that describes its skin.
    pub(super) fn row(&self, mesh: usize) -> SkinRow {
        self.rows.get(mesh).copied().unwrap_or_default()
    }

    /// Writes the joints of the skins that have moved.
    pub(super) fn set_joints(&mut self, queue: &wgpu::Queue, head: &Head, rig_pose: &RigPose) {
        let wanted = joint_rows(head, rig_pose);
        for skin in self.first_joints.windows(2) {
            let joints = skin[0] as usize..skin[1] as usize;
            if wanted[joints.clone()] != self.written[joints.clone()] {
                let offset = (joints.start * size_of::<JointRows>()) as u64;
                queue.write_buffer(&self.joints, offset, bytemuck::cast_slice(&wanted[joints]));
            }
        }
        self.written = wanted;
    }
}

/// The joints of all skins, one skin after the other.
fn joint_rows(head: &Head, rig_pose: &RigPose) -> Vec<JointRows> {
    (0..head.rig.skins.len()).flat_map(|skin| rig_pose.palette(skin)).map(JointRows::new).collect()
}

/// The number of pairs of the vertex with the most influences in a mesh.
fn pairs_of(mesh: &Mesh) -> usize {
    mesh.vertices.influences.most().div_ceil(2)
}

/// The largest number of pairs per vertex, at least 1, with which all pairs fit into one binding of `capacity` pairs.
/// It limits only heads of millions of vertices with many joints each.
fn most_pairs(head: &Head, capacity: u64) -> usize {
    let skinned: Vec<&Mesh> = head.meshes.iter().filter(|mesh| mesh.skin.is_some()).collect();
    let all = skinned.iter().map(|mesh| pairs_of(mesh)).max().unwrap_or(0);
    let most = (1..=all).rev().find(|&most| {
        let needed = skinned.iter().map(|mesh| (mesh.vertices.len() * pairs_of(mesh).min(most)) as u64);
        needed.sum::<u64>() <= capacity
    });
    most.unwrap_or(1)
}

/// Writes the strongest influences, as many as `capacity` has room for. If some are left out, the others are scaled to
/// sum to 1.
fn write_influences(influences: &[Influence], capacity: &mut [Influence]) {
    let strongest = &influences[..influences.len().min(capacity.len())];
    let total: f32 =
        if strongest.len() < influences.len() { strongest.iter().map(|influence| influence.weight).sum() } else { 1.0 };
    for (place, influence) in capacity.iter_mut().zip(strongest) {
        *place = Influence { weight: influence.weight / total, ..*influence };
    }
}

#[cfg(test)]
mod tests {
    use glam::{DMat3, DMat4, DVec3, Vec3, Vec4};

    use super::super::mesh_table::MeshUniforms;
    use super::*;
    use crate::render::shaders;
    use smirk_base::random;
    use smirk_face::head::{Asset, Influences, Joint, LocalTransform, Node, Rig, Skin, Vertices};
    use smirk_graphics::gpu::Prefer;

    /// The number of floats in an element of an array of `VertexTransform` (`mesh.wgsl`).
    const TRANSFORM_FLOATS: usize = 32;

    const READ_BACK: &str = "
        @group(0) @binding(0) var<storage, read_write> transforms: array<VertexTransform>;
        @compute @workgroup_size(64)
        fn read_back(@builtin(global_invocation_id) at: vec3u) {
            transforms[mesh.first_place + at.x] = vertex_transform(mesh.first_place + at.x);
        }";

    /// Two meshes of some hundred vertices on one skin of `joints` joints, each vertex on up to `most` of them.
    fn head(joints: usize, most: u64, scale: f32) -> Head {
        let number = |at: u64| random::signed(7, at);
        let vector = |at: u64| Vec3::new(number(at), number(at + 1), number(at + 2));
        let matrix = |joint: usize| {
            let at = joint as u64 * 100;
            let turn =
                glam::Quat::from_vec4(Vec4::new(number(at), number(at + 1), number(at + 2), 0.3).normalize_or_zero());
            let stretch = Vec3::ONE + vector(at + 10) * 0.5;
            let side = if joint % 3 == 2 { -1.0 } else { 1.0 };
            Mat4::from_scale_rotation_translation(stretch * Vec3::new(side, 1.0, 1.0) * scale, turn, vector(at + 20))
        };
        let node = |joint| Node { name: String::new(), parent: None, rest: LocalTransform::Matrix(matrix(joint)) };
        let bind = |node: usize| Joint { node, joint_from_mesh: Mat4::from_translation(vector(node as u64 + 5000)) };
        let rig = Rig {
            world_from_file: Mat4::from_rotation_y(0.5),
            nodes: (0..joints).map(node).collect(),
            skins: vec![Skin::default(), Skin { name: String::new(), joints: (0..joints).map(bind).collect() }],
            ..Rig::default()
        };
        let mesh = |first: u64, count: u64| {
            let mut influences = Influences::default();
            for vertex in first..first + count {
                // Every third joint mirrors: a vertex has joints that all mirror, or joints of which none does.
                let kind = if vertex % 3 == 2 { vec![2] } else { vec![0, 1] };
                let pulls = (0..=vertex % most).map(|at| {
                    let joint = at / kind.len() as u64 * 3 + kind[at as usize % kind.len()];
                    Influence {
                        joint: (joint % (joints as u64 / 3 * 3)) as u32,
                        weight: 0.1 + number(vertex * 31 + at).abs(),
                    }
                });
                influences.push(pulls, 0);
            }
            let positions = (first..first + count).map(|vertex| vector(vertex * 7 + 9000)).collect();
            let vertices = Vertices { positions, influences, ..Vertices::default() };
            Mesh { skin: Some(1), vertices, ..Mesh::default() }
        };
        Head::new(Asset { meshes: vec![mesh(0, 100), mesh(100, 333)], rig, ..Asset::default() })
    }

    /// The transforms of all places, computed by the WGSL of the vertex stage in a compute shader.
    fn transforms(gpu: &Gpu, head: &Head, order: &VertexOrder, tables: &SkinTables) -> Vec<[f32; TRANSFORM_FLOATS]> {
        let device = &gpu.device;
        let source = [shaders::vertex_transform(true).as_str(), READ_BACK].join("\n");
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some("vertex transforms"),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("vertex transforms"),
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            cache: None,
        });
        let size = (order.place_count() * size_of::<[f32; TRANSFORM_FLOATS]>()) as u64;
        let output = gpu.buffer("vertex transforms", size, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (index, mesh) in head.meshes.iter().enumerate() {
            let row = MeshUniforms::new(Mat4::IDENTITY, tables.row(index), false);
            let row = gpu.filled_buffer("mesh", bytemuck::bytes_of(&row), wgpu::BufferUsages::UNIFORM);
            let group = |index, buffers: &[&wgpu::Buffer]| {
                let entries: Vec<_> = (0..)
                    .zip(buffers)
                    .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
                    .collect();
                device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: None,
                    layout: &pipeline.get_bind_group_layout(index),
                    entries: &entries,
                })
            };
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group(0, &[&output]), &[]);
            pass.set_bind_group(2, &group(2, &[&row, &tables.pairs, &tables.joints]), &[]);
            pass.dispatch_workgroups(mesh.vertices.len().div_ceil(64) as u32, 1, 1);
        }
        gpu.queue.submit([encoder.finish()]);
        let floats: Vec<f32> = bytemuck::pod_collect_to_vec(&gpu.read_buffer(&output).unwrap());
        floats.as_chunks().0.to_vec()
    }

    /// Compares with the same computation in f64. Returns the largest distance of a vertex, as a fraction of the head's
    /// size; the largest angle of a normal, in degrees; and the number of vertices whose `side` is wrong.
    fn deviation(
        head: &Head,
        order: &VertexOrder,
        rig_pose: &RigPose,
        found: &[[f32; TRANSFORM_FLOATS]],
    ) -> (f64, f64, usize) {
        let (mut farthest, mut steepest, mut wrong) = (0.0_f64, 0.0_f64, 0);
        for (index, mesh) in head.meshes.iter().enumerate() {
            let size = f64::from(rig_pose.bounds_in_world(mesh).size().max_element());
            for (vertex, position) in mesh.vertices.positions.iter().enumerate() {
                let joints = &head.rig.skins[1].joints;
                let matrix = mesh.vertices.influences.of_vertex(vertex).iter().fold(DMat4::ZERO, |sum, pull| {
                    let joint = joints[pull.joint as usize];
                    let world = rig_pose.world_from_node()[joint.node].as_dmat4() * joint.joint_from_mesh.as_dmat4();
                    sum + world * f64::from(pull.weight)
                });
                let row = &found[order.place_of(index, vertex)];
                let column = |at: usize| Vec4::from_slice(&row[at * 4..]).as_dvec4();
                let drawn = DMat4::from_cols(column(0), column(1), column(2), column(3));
                let apart = drawn.transform_point3(position.as_dvec3()) - matrix.transform_point3(position.as_dvec3());
                farthest = farthest.max(apart.length() / size);
                let normals = DMat3::from_cols(column(4).truncate(), column(5).truncate(), column(6).truncate());
                let normal = DVec3::new(0.3, -0.5, 0.8);
                let expected = DMat3::from_mat4(matrix).inverse().transpose() * normal;
                steepest = steepest.max((normals * normal).angle_between(expected).to_degrees());
                wrong += usize::from(f64::from(row[28]) != matrix.determinant().signum());
            }
        }
        (farthest, steepest, wrong)
    }

    #[test]
    fn the_vertex_stage_transforms_vertices_as_f64_does() {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        for (joints, most, scale) in [(3, 1, 1.0), (30, 4, 1.0), (67, 9, 1e-3), (300, 12, 1e3)] {
            let head = head(joints, most, scale);
            let order = VertexOrder::new(&head);
            let mut tables = SkinTables::new(&gpu, &head, &order, &head.rest_pose).unwrap();
            let moved = |node: usize| head.rig.nodes[node].rest.matrix() * Mat4::from_rotation_x(node as f32);
            for rig_pose in [head.rest_pose.clone(), RigPose::new(&head.rig, head.rig.world_from_nodes(moved))] {
                tables.set_joints(&gpu.queue, &head, &rig_pose);
                let found = transforms(&gpu, &head, &order, &tables);
                let (distance, degrees, wrong) = deviation(&head, &order, &rig_pose, &found);
                let case = format!("{joints} joints, {most} a vertex: {distance:e}, {degrees}°, {wrong}");
                assert!(distance < 1e-6 && degrees < 0.02 && wrong == 0, "{case}");
                // Planted errors are noticed: a joint moved a little, and the transforms shifted by one vertex.
                let nudged = |node: usize| {
                    let off = if node == 0 { 1e-4 * scale.max(1.0) } else { 0.0 };
                    Mat4::from_translation(Vec3::X * off) * rig_pose.world_from_node()[node]
                };
                let nudged = RigPose::new(&head.rig, (0..joints).map(nudged).collect());
                assert!(deviation(&head, &order, &nudged, &found).0 > 1e-6, "{case}");
                let mut shifted = found.clone();
                shifted.rotate_left(1);
                assert!(deviation(&head, &order, &rig_pose, &shifted).0 > 1e-2, "{case}");
            }
        }
    }

    #[test]
    fn too_many_influences_are_reduced_to_the_strongest() {
        let influence = |joint, weight| Influence { joint, weight };
        let mut capacity = [Influence::default(); 4];
        write_influences(&[influence(3, 0.6), influence(1, 0.4)], &mut capacity);
        assert_eq!(capacity, [influence(3, 0.6), influence(1, 0.4), Influence::default(), Influence::default()]);
        write_influences(&[influence(3, 0.5), influence(1, 0.25), influence(2, 0.25)], &mut capacity[..2]);
        assert_eq!(capacity[..2], [influence(3, 0.5 / 0.75), influence(1, 0.25 / 0.75)]);
        let head = head(67, 9, 1.0);
        assert_eq!(most_pairs(&head, u64::MAX), 5);
        assert_eq!(most_pairs(&head, 433 * 2), 2);
        assert_eq!(most_pairs(&head, 0), 1);
    }
}
