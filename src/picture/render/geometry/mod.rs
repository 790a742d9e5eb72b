//! The vertices, meshes and skins of a head on the GPU, and the draw calls that show them.

mod at_rest;
mod center;
mod draw_list;
mod draws;
mod lash_cards;
mod mesh_table;
mod mesh_uniforms;
mod morphed_uv_colors;
mod openness_vertices;
mod shape_buffers;
mod skin_tables;
mod static_vertices;

pub(super) use draw_list::DrawList;
pub(super) use draws::{Choices, DrawCall, surfaces};
pub(crate) use lash_cards::is_lash_card;
pub(crate) use mesh_table::MeshTable;
pub(crate) use mesh_uniforms::mesh_bind_group_layout;
pub(crate) use morphed_uv_colors::MorphedUvColors;
pub(crate) use openness_vertices::openness_vertices;
pub(crate) use shape_buffers::{ShapeBuffers, VertexSource};
pub(crate) use static_vertices::{StaticVertex, static_vertices};

#[cfg(test)]
pub(crate) use mesh_uniforms::MeshUniforms;
#[cfg(test)]
pub(crate) use skin_tables::JointRows;
