//! Normals recomputed from the deformed surface.

mod on_cpu;
mod rings;
mod tables;

#[cfg(test)]
pub(super) use rings::FAN;
#[cfg(test)]
pub(super) use tables::NO_RING;
pub use tables::{BlockList, NormalTables, SmoothVertex};
