//! How the base vertices and the deltas lie in memory, the same for the CPU and the GPU. Nothing here uses wgpu.

mod build;
mod column;
mod head_layout;
mod shapes;
mod vertex_order;

pub(super) use column::ATTRIBUTES;
pub use column::BLOCK_SIZE;
pub use column::ColumnData;
#[cfg(test)]
pub(super) use column::POSITION_BITS;
pub use column::Precision;
pub(super) use column::{HALF_STEP, Halves, Woven};
pub use head_layout::Layout;
pub(super) use head_layout::TargetColumn;
pub(super) use shapes::ShapeTable;
pub use vertex_order::VertexOrder;
