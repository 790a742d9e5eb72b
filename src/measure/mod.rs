//! What a shape does to the vertices of a head, measured: how the deformed surface is bent. Lengths are millimetres of a human
//! head ([`Head::mm_per_unit`](crate::head::Head::mm_per_unit)).
//!
//! - `measured_head` blends the whole head on the CPU. `measured_mesh` has the edges and triangles of one mesh, across the seams
//!   where the file splits vertices.
//! - `curvature` measures them.

mod curvature;
mod measured_head;
mod measured_mesh;

pub use measured_head::MeasuredHead;
