//! How the base vertices and the deltas lie in memory, the same for the CPU and the GPU. Nothing here uses wgpu.

mod build;
mod column;
mod head_layout;
mod shapes;
mod vertex_order;

#[cfg(test)]
pub(super) use column::POSITION_BITS;
pub(super) use column::{ATTRIBUTES, HALF_STEP, Halves, Woven};
pub use column::{BLOCK_SIZE, ColumnData, Precision};
pub use head_layout::{LaidOut, Layout};
pub(super) use shapes::ShapeTable;
pub use vertex_order::VertexOrder;
