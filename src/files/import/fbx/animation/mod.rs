//! Animation stacks as clips.

mod clips;
mod weight_curve;

pub use self::clips::read_clips;
