//! What the kinds of edits compute, one column at a time.

mod bake;
mod lines;
mod low_pass;
mod mirror;
mod reduce;
mod replace;
mod spikes;
mod time;

pub(super) use bake::{baked, mean};
pub use lines::fit_lines;
pub(super) use low_pass::Smoothed;
pub(super) use mirror::{Mirrored, mirrored_columns};
pub use reduce::Reduction;
pub(super) use reduce::reduced;
pub(super) use replace::{bridge, line};
pub(super) use spikes::without_spikes;
pub(super) use time::{deleted, duration_after, inserted, stretched};
