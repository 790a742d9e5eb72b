//! Weights over time: curves, clips, takes, poses, blinks, sequences, and the stack that mixes them. Clips move nodes too.
//!
//! Pure functions of time and state. Knows heads only through their channels and nodes; no clock, no UI, no GPU.
//! Maths of curves: glTF 2.0 §3.11 and appendix C.

mod aliases;
mod blink;
mod ease;
mod source;
mod posing;
mod manual;
mod layer;
mod clip_source;
mod fade;
mod gaze;
mod keys;
mod playback;
mod pose;
mod take_map;
mod rule;
mod sequence;
mod smooth;
mod stack;
mod starter;
mod take;

pub use aliases::Aliases;
pub use blink::Blink;
pub use ease::Ease;
pub use fade::Fade;
pub use gaze::Gaze;
pub use keys::{Key, Keys};
pub use layer::Layer;
pub use playback::Playback;
pub use pose::{Pose, PoseId};
pub use take_map::{Route, TakeMap};
pub use rule::BlendRule;
pub use sequence::{Sequence, Wrap};
pub use smooth::{LONGEST_WINDOW_SECS, smoothed};
pub use source::{Moment, StackWeights, WeightSource};
pub use stack::{BoundStack, Mix, StackInputs};
pub use starter::{FIRST_OWN_POSE, starter_poses};
pub use take::{Column, Take};
