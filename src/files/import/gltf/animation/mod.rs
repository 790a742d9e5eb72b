//! Animations (glTF 2.0 §3.11) as clips.

mod channels;
mod clips;

pub(crate) use self::clips::read_clips;
