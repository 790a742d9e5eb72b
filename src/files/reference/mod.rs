//! A reference beside the face: an image, or the frames of a video as numbered images. They are decoded beside the window, and
//! only as many are kept as fit a bound.

mod frames;
mod sequence;

pub use frames::{Frame, Frames, decode_frame};
pub use sequence::{ImageSequence, ReferenceError};
