//! Animation stacks as clips.

mod clips;
mod weight_curve;

pub(crate) use self::clips::read_clips;
