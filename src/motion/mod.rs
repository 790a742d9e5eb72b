//! Weights over time: curves, clips and where the play head stands. Pure functions of time and state.
//!
//! Knows heads only through their channels; no clock, no UI, no GPU. Maths: glTF 2.0 §3.11 and appendix C.

mod clip;
mod curve;
mod playback;

pub use clip::{Clip, Track};
pub use curve::{Curve, Interpolation};
pub use playback::Playback;
