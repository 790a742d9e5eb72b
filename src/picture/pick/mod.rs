//! What is under the pointer: the point of the deformed surface that a line of sight meets first, and what moves it.
//!
//! - `picker` has the triangles of a head where they are drawn: blended and skinned.
//! - `movers` lists the channels that move a point.

mod movers;
mod picker;
mod surface;

pub use movers::{Mover, movers};
pub use picker::{Hit, Picker};
