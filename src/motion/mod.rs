//! Weights over time: the layers that drive a head's channels (clip, take, keys, poses, blinks, gaze, sliders), the stack
//! that mixes them, and the clock they go by.
//!
//! Everything here is a pure function of time and state. The room knows a head only through its channels, targets and
//! clips, and nothing of files, windows or the GPU.
//!
//! A new source of weights implements [`WeightSource`] in a file of its own, and gets a [`Layer`] and a line in the order of
//! [`BoundStack::new`].

mod blink;
mod clock;
mod ease;
mod gaze;
mod keys;
mod pose;
mod rule;
mod stack;
mod take;

pub use blink::Blink;
pub use clock::{Clock, PlayHead, SequenceHead, TimeStep};
pub use ease::Ease;
pub use gaze::Gaze;
pub use keys::{Key, Keys};
pub use pose::{FIRST_OWN_POSE, POSES_FILE_VERSION, Pose, PoseId, Sequence, SequenceWrap, starter_poses};
pub use rule::BlendRule;
pub use stack::{BoundStack, Fade, Layer, Mix, Moment, StackInputs, StackWeights, WeightSource};
pub use take::{Aliases, ColumnMap, LONGEST_SMOOTHING_SECS, Take, TakeColumn, TakeMap, smoothed};
