//! Animations (glTF 2.0 §3.11) as clips.

mod channels;
mod clips;

pub use self::clips::{Sources, read_all as read_clips};
