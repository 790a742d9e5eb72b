//! What plays as an animation: weights over time, in the formats of other programs.

mod capture;
mod clip;
mod fbx;
mod format;
mod gltf;
mod keys;
mod plan;
mod recording;
mod scene;
mod usd;
mod work;

pub use clip::AnimationClip;
pub use format::AnimationFormat;
pub use keys::AnimationKeys;
pub use plan::AnimationPlan;
pub use work::{AnimationError, AnimationReport, AnimationSettings, AnimationWork};
