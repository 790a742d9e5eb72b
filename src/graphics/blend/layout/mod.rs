//! How the base vertices and the deltas lie in memory, the same for the CPU and the GPU. Nothing here uses wgpu.

mod build;
mod column;
mod deltas;
mod head_layout;
mod order;
mod shapes;
mod tolerance;
mod vertex_places;
mod word;

pub(super) use column::ATTRIBUTES;
pub use column::BLOCK_SIZE;
pub use deltas::ColumnData;
pub use deltas::Precision;
pub use head_layout::Layout;
pub(super) use head_layout::TargetColumn;
pub(super) use shapes::ShapeTable;
pub use vertex_places::VertexPlaces;
#[cfg(test)]
pub(super) use word::POSITION_BITS;
pub(super) use word::{HALF_STEP, Halves, Woven};
