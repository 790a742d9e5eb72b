//! What plays as an animation: weights over time, in the formats of other programs.

mod capture;
mod clip;
mod export;
mod fbx;
mod format;
mod gltf;
mod scene;
mod usd;
mod vrma;

pub use clip::{AnimationClip, AnimationKeys};
pub use export::{AnimationExport, AnimationReport, AnimationSettings, LostMotion};
pub use format::AnimationFormat;
