//! The vertices, meshes and skins of a head on the GPU, and the draw calls that show them.

mod draws;
mod mesh_table;
mod simplified;
mod skin_tables;
mod static_vertices;

pub(super) use draws::{Choices, DrawCall, DrawList, surfaces};
#[cfg(test)]
pub(crate) use mesh_table::MeshUniforms;
pub(crate) use mesh_table::{MeshTable, mesh_bind_group_layout};
pub(crate) use simplified::SimplifiedHead;
#[cfg(test)]
pub(crate) use skin_tables::JointRows;
pub(crate) use static_vertices::{
    MorphedUvColors, ShapeBuffers, StaticVertex, VertexSource, ambient_occlusion_vertices, static_vertices,
};
