//! The uniforms of a mesh, with the memory layout of WGSL (a test compares the two).

use bytemuck::{Pod, Zeroable};
use glam::Mat4;

use smirk_face::head::{RigPose, normal_matrix};

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

/// `Mesh` in `mesh.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct MeshUniforms {
    world_from_mesh: Mat4,
    /// Three columns, each padded to four numbers.
    world_from_mesh_normal: [[f32; 4]; 3],
    side: f32,
    /// 1 if normals and tangents are recomputed from the blended shape, otherwise 0. It is a number because WGSL allows no
    /// `bool` in a uniform.
    are_directions_final: u32,
    skin: SkinRow,
    _pad: [f32; 2],
}

impl MeshUniforms {
    /// The uniforms of a mesh: its transform, its skin if it has one, and whether its normals are recomputed from the blended
    /// shape.
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
    let table = |binding| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: true },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let mut entries = vec![wgpu::BindGroupLayoutEntry {
        binding: 0,
        visibility: wgpu::ShaderStages::VERTEX,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Uniform,
            has_dynamic_offset: true,
            min_binding_size: wgpu::BufferSize::new(size_of::<MeshUniforms>() as u64),
        },
        count: None,
    }];
    if is_skinned {
        entries.extend([table(1), table(2)]);
    }
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("mesh"), entries: &entries })
}
