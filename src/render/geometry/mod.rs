//! The vertices, meshes and skins of a head on the GPU, and the draws that they are cut into.

mod center;
mod draw_list;
mod draws;
mod mesh_table;
mod mesh_uniforms;
mod morphed_uv_colors;
mod shape_buffers;
mod skin_tables;
mod static_vertices;

pub use draw_list::DrawList;
pub use draws::{DrawCall, surfaces};
pub use mesh_table::MeshTable;
pub use mesh_uniforms::mesh_bind_group_layout;
pub use morphed_uv_colors::MorphedUvColors;
pub use shape_buffers::{ShapeBuffers, VertexSource};
pub use static_vertices::{StaticVertex, static_vertices};

#[cfg(test)]
pub use mesh_uniforms::MeshUniforms;
#[cfg(test)]
pub use skin_tables::JointRows;
