//! Normals recomputed from the deformed surface.

mod groups;
mod on_cpu;
mod recompute;
mod source;
mod tables;

#[cfg(test)]
pub(super) use groups::FAN;
pub use groups::{Groups, triangles};
pub(super) use recompute::{NormalRecompute, RecomputeTables};
pub use source::Normals;
#[cfg(test)]
pub(super) use tables::NO_RING;
pub use tables::{BlockList, NormalTables, SmoothVertex};
