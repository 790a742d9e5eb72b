//! What a shape does to the vertices of a head, measured: how far they move, how the surface stretches, turns and bends. Lengths are
//! millimetres of a human head ([`Head::mm_per_unit`](smirk_face::head::Head::mm_per_unit)). Nodes and joints are at rest: what is measured is
//! what targets do.
//!
//! - `kind` lists what can be measured. `measured_head` measures it, and `version` measures a head against another version of it.
//! - `deformed` gives the positions of a mesh at some weights. `measured_mesh` has the edges and triangles of one mesh, across the seams
//!   where the file splits vertices; `change` and `curvature` measure them.

mod change;
mod curvature;
mod deformed;
mod kind;
mod measured_head;
mod measured_mesh;
mod version;

pub use deformed::deformed_positions;
pub use kind::Measure;
pub use kind::rounded_up;
pub use measured_head::MeasuredHead;
