//! Weights over time: curves, clips, takes and where the play head stands. Pure functions of time and state.
//!
//! Knows heads only through their channels; no clock, no UI, no GPU. Maths: glTF 2.0 §3.11 and appendix C.

mod alias;
mod clip;
mod curve;
mod playback;
mod route;
mod smooth;
mod take;

pub use alias::Aliases;
pub use clip::{Clip, Track};
pub use curve::{Curve, CurveError, Interpolation};
pub use playback::Playback;
pub use route::{Route, TakeMap};
pub use smooth::{LONGEST_WINDOW_SECS, smoothed};
pub use take::{Column, Take};
