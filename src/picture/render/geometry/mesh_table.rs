//! The uniforms of all meshes in one buffer, and their skins. Each draw binds one row of the buffer.

use bytemuck::{Pod, Zeroable, bytes_of};
use glam::Mat4;

use super::skin_tables::{SkinRow, SkinTables};
use smirk_face::head::{Head, RigPose, normal_matrix};
use smirk_graphics::blend::VertexOrder;
use smirk_graphics::gpu::{Binding, Gpu, bind_group, bind_group_layout, row};

/// The buffers of bind group 2.
#[derive(Debug)]
pub(crate) struct MeshTable {
    buffer: wgpu::Buffer,
    on_nodes: wgpu::BindGroup,
    on_skins: Option<(SkinTables, wgpu::BindGroup)>,
    /// Bytes from one row to the next.
    stride: u32,
    /// The rows that were last written to the buffer.
    rows: Vec<MeshUniforms>,
}

impl MeshTable {
    /// Creates a row for every mesh of `head` in a rig pose, at first without recomputed normals.
    pub(crate) fn new(gpu: &Gpu, head: &Head, order: &VertexOrder, rig_pose: &RigPose) -> Self {
        let skins = SkinTables::new(gpu, head, order, rig_pose);
        let rows: Vec<MeshUniforms> = rows(head, rig_pose, skins.as_ref(), |_| false).collect();
        let stride = (size_of::<MeshUniforms>() as u32)
            .next_multiple_of(gpu.device.limits().min_uniform_buffer_offset_alignment.max(16));
        let mut bytes = vec![0; stride as usize * rows.len().max(1)];
        for (row, place) in rows.iter().zip(bytes.chunks_exact_mut(stride as usize)) {
            place[..size_of::<MeshUniforms>()].copy_from_slice(bytes_of(row));
        }
        let usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let buffer = gpu.filled_buffer("meshes", &bytes, usage);
        let on_nodes = group_of(gpu, &buffer, None);
        let on_skins = skins.map(|skins| {
            let group = group_of(gpu, &buffer, Some(&skins));
            (skins, group)
        });
        Self { buffer, on_nodes, on_skins, stride, rows }
    }

    /// Binds the row of a mesh, and its skin, if it has one.
    pub(crate) fn bind(&self, mesh: usize, is_skinned: bool, pass: &mut wgpu::RenderPass<'_>) {
        let group = match &self.on_skins {
            Some((_, group)) if is_skinned => group,
            _ => &self.on_nodes,
        };
        pass.set_bind_group(2, group, &[mesh as u32 * self.stride]);
    }

    /// Binds the row of a mesh for a pipeline without a skin: what it draws moves with the mesh's node.
    pub(crate) fn bind_mesh(&self, mesh: usize, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(2, &self.on_nodes, &[mesh as u32 * self.stride]);
    }

    /// Writes the joints that have moved.
    pub(crate) fn set_joints(&mut self, queue: &wgpu::Queue, head: &Head, rig_pose: &RigPose) {
        if let Some((skins, _)) = &mut self.on_skins {
            skins.set_joints(queue, head, rig_pose);
        }
    }

    /// Writes the rows of the meshes that have moved, and of those for which normals have begun or ceased to be
    /// recomputed.
    pub(crate) fn update(
        &mut self,
        queue: &wgpu::Queue,
        head: &Head,
        rig_pose: &RigPose,
        is_recomputed: impl Fn(usize) -> bool,
    ) {
        let skins = self.on_skins.as_ref().map(|(skins, _)| skins);
        for (index, row) in rows(head, rig_pose, skins, is_recomputed).enumerate() {
            if self.rows[index] != row {
                queue.write_buffer(&self.buffer, u64::from(self.stride) * index as u64, bytes_of(&row));
                self.rows[index] = row;
            }
        }
    }
}

fn rows<'a>(
    head: &'a Head,
    rig_pose: &'a RigPose,
    skins: Option<&'a SkinTables>,
    is_recomputed: impl Fn(usize) -> bool + 'a,
) -> impl Iterator<Item = MeshUniforms> + 'a {
    head.meshes.iter().enumerate().map(move |(index, mesh)| {
        let skin = skins.map(|skins| skins.row(index)).unwrap_or_default();
        MeshUniforms::new(rig_pose.world_from_mesh(mesh), skin, is_recomputed(index))
    })
}

fn group_of(gpu: &Gpu, rows: &wgpu::Buffer, skins: Option<&SkinTables>) -> wgpu::BindGroup {
    let of_skins = skins.into_iter().flat_map(|skins| [&skins.pairs, &skins.joints]);
    let resources =
        [row(rows, size_of::<MeshUniforms>())].into_iter().chain(of_skins.map(wgpu::Buffer::as_entire_binding));
    bind_group(&gpu.device, "meshes", &mesh_bind_group_layout(&gpu.device, skins.is_some()), resources)
}

/// `Mesh` in `mesh.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct MeshUniforms {
    world_from_mesh: Mat4,
    /// Three columns, each padded to four numbers.
    world_from_mesh_normal: [[f32; 4]; 3],
    side: f32,
    /// 1 if normals and tangents are recomputed from the blended shape, otherwise 0. It is a number because WGSL allows
    /// no `bool` in a uniform.
    are_directions_final: u32,
    skin: SkinRow,
    _pad: [f32; 2],
}

impl MeshUniforms {
    /// The uniforms of a mesh: its transform, its skin if it has one, and whether its normals are recomputed from the
    /// blended shape.
    pub(super) fn new(world_from_mesh: Mat4, skin: SkinRow, are_directions_final: bool) -> Self {
        let columns = normal_matrix(world_from_mesh).to_cols_array_2d();
        Self {
            world_from_mesh,
            world_from_mesh_normal: columns.map(|[x, y, z]| [x, y, z, 0.0]),
            side: if RigPose::mirrors(&world_from_mesh) { -1.0 } else { 1.0 },
            are_directions_final: u32::from(are_directions_final),
            skin,
            _pad: [0.0; 2],
        }
    }

    #[cfg(test)]
    pub(crate) const SIDE_OFFSET: usize = std::mem::offset_of!(Self, side);
    #[cfg(test)]
    pub(crate) const SKIN_OFFSET: usize = std::mem::offset_of!(Self, skin);
}

/// The layout of bind group 2: one mesh of an array, which a dynamic offset selects, and for skinned meshes also the
/// influences and joints of all skins.
pub(crate) fn mesh_bind_group_layout(device: &wgpu::Device, is_skinned: bool) -> wgpu::BindGroupLayout {
    let bindings = [Binding::UniformRow(size_of::<MeshUniforms>()), Binding::StorageRead, Binding::StorageRead];
    let bindings = if is_skinned { &bindings[..] } else { &bindings[..1] };
    bind_group_layout(device, "mesh", wgpu::ShaderStages::VERTEX, bindings)
}
