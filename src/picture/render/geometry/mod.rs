//! The vertices, meshes and skins of a head on the GPU, and the draw calls that show them.

mod draws;
mod mesh_table;
mod skin_tables;
mod static_vertices;

pub(super) use draws::DrawList;
pub(super) use draws::{Choices, DrawCall, surfaces};
pub(crate) use mesh_table::MeshTable;
#[cfg(test)]
pub(crate) use mesh_table::MeshUniforms;
pub(crate) use mesh_table::mesh_bind_group_layout;
#[cfg(test)]
pub(crate) use skin_tables::JointRows;
pub(crate) use static_vertices::MorphedUvColors;
pub(crate) use static_vertices::ambient_occlusion_vertices;
pub(crate) use static_vertices::{ShapeBuffers, VertexSource};
pub(crate) use static_vertices::{StaticVertex, static_vertices};
