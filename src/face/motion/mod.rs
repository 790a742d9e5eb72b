//! Weights over time: the layers that drive a head's channels (clip, take, live face, keys, poses, blinks, gaze,
//! sliders), the stack that combines them, and the clock that they are evaluated with.
//!
//! Everything here is a pure function of time and state. The code uses the channels, targets and clips of a head; it
//! uses no files, no window and no GPU.
//!
//! A new source of weights implements [`WeightSource`] in a file of its own, and needs a [`Layer`]; who makes a
//! [`BoundStack`] lists it.

mod blink;
mod clock;
mod ease;
mod gaze;
mod head_and_eyes;
mod keys;
mod live;
mod markers;
mod pose;
mod rule;
mod source;
mod stack;
mod take;
mod timeline;

pub use blink::Blink;
pub use clock::{Clock, PlayHead, TimeStep};
pub use ease::Ease;
pub use gaze::Gaze;
pub use head_and_eyes::{HeadAndEyes, JointChoice};
pub use keys::{CopiedKeys, Extrapolation, Key, KeyCurve, KeyMode, KeySelection, Keys, Tangents};
pub use live::{LiveFace, OneEuro, Smoothing};
pub use markers::{Marker, Markers};
pub use pose::{
    FIRST_OWN_POSE, POSES_FILE_VERSION, Pose, PoseAmount, PoseGroup, PoseId, Sequence, SequenceStep, SequenceWrap,
    starter_poses,
};
pub use rule::BlendRule;
pub use source::{Layer, Moment, StackWeights, WeightSource};
pub use stack::{BoundStack, Fade, Mix, Sliders};
pub use take::{
    ANGLE_COLUMNS, Aliases, Angle, ColumnMap, ColumnMatching, ColumnMix, DrivenChannel, EditKind, EditedTake, Fit,
    MAPPING_FILE_VERSION, MappedColumns, MatchKind, NeutralOf, Reduction, Take, TakeColumn, TakeEdit, TakeMap,
    angle_values, fit_lines, is_same_column,
};
pub use timeline::{FrameRate, TimeChange, TimeDisplay, TimecodeBase, TimelineSettings};

/// A duration of a file or a text field, limited to 0 to 3600 seconds.
fn limited_secs(secs: f32) -> f32 {
    // The comparison is false for NaN, which becomes 0.
    if secs > 0.0 { secs.min(3600.0) } else { 0.0 }
}
