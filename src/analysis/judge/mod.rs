//! What breaks when expressions are combined: surfaces that cross, skin that is stretched too far, volume that is lost.
//!
//! - `surface` is what can cross: skin, eyes, teeth and tongue, deformed by weights, how far skin is stretched, and the
//!   volume under it; `face_parts` names its parts; `triangles` and `intersection` find where it does, and
//!   `face_intersections` says it of a face as it is.
//! - `combinations` lists what is tried; `ranking` measures all of them and sorts them, the worst first.
//! - `apart` pushes skin out of what it crosses.
//!
//! Lengths are millimetres of a human head ([`Head::mm_per_unit`](smirk_face::head::Head::mm_per_unit)).

mod apart;
mod combinations;
mod face_intersections;
mod face_parts;
mod intersection;
mod ranking;
mod surface;
mod triangles;

pub(crate) use apart::pushed_apart;
pub use combinations::{Combination, combinations};
pub use face_intersections::{FaceIntersections, IntersectionFinder};
#[cfg(test)]
pub(crate) use ranking::tests::head as two_sheets;
pub use ranking::{Judged, judge};
pub use surface::Through;
