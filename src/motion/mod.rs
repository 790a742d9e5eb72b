//! Weights over time: curves, clips, takes, poses, blinks, sequences, and the stack that mixes them. Clips move nodes too.
//!
//! Pure functions of time and state. Knows heads only through their channels and nodes; no clock, no UI, no GPU.
//! Maths of curves: glTF 2.0 §3.11 and appendix C.

mod aliases;
mod blink;
mod clip_source;
mod clock;
mod ease;
mod fade;
mod gaze;
mod keys;
mod layer;
mod manual;
mod pose;
mod posing;
mod rule;
mod sequence;
mod smooth;
mod source;
mod stack;
mod starter;
mod take;
mod take_map;

pub use aliases::Aliases;
pub use blink::Blink;
pub use clock::{Clock, PlayHead, SequenceHead, TimeStep};
pub use ease::Ease;
pub use fade::Fade;
pub use gaze::Gaze;
pub use keys::{Key, Keys};
pub use layer::Layer;
pub use pose::{Pose, PoseId};
pub use rule::BlendRule;
pub use sequence::{Sequence, SequenceWrap};
pub use smooth::{LONGEST_WINDOW_SECS, smoothed};
pub use source::{Moment, StackWeights, WeightSource};
pub use stack::{BoundStack, Mix, StackInputs};
pub use starter::{FIRST_OWN_POSE, starter_poses};
pub use take::{Take, TakeColumn};
pub use take_map::{ColumnMap, TakeMap};
