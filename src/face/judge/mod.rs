//! What breaks when expressions are combined: surfaces that cross, skin that is stretched too far, volume that is lost.
//!
//! - `surface` is what can cross: skin, eyes, teeth and tongue, deformed by weights; `crossing` finds where it does, and
//!   `face_crossings` says it of a face as it is.
//! - `strain` measures how far skin is stretched, and the volume under it.
//! - `combinations` lists what is tried; `ranking` measures all of them and sorts them, the worst first. `worker` does so
//!   beside the window.
//!
//! Lengths are millimetres of a human head ([`Head::mm_per_unit`](crate::head::Head::mm_per_unit)).

mod combinations;
mod crossing;
mod face_crossings;
mod ranking;
mod strain;
mod surface;
mod worker;

pub use combinations::{Combination, combinations};
pub use face_crossings::{CrossingFinder, FaceCrossings};
pub use ranking::{Judged, judge, judge_while};
pub use surface::Through;
pub use worker::Status;
pub use worker::Worker;
