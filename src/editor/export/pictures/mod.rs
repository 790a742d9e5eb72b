//! Pictures of what plays: one a frame, at any size, with labels or a transparent background, as files or for a film.
//!
//! - `settings`: what every picture shows. `drawing`: the picture of one moment. `pipeline`: the pictures of many frames, drawn while
//!   the program works on those before. `jobs`: that work.
//! - `parts`: the face, B and the reference on one picture. `painted`: text and the reference.
//! - `pattern`: names of numbered files. `sequence`: the pictures of a span as such files. `file`: PNG and OpenEXR. `exr`: the latter.

mod drawing;
mod exr;
mod file;
mod jobs;
mod painted;
mod parts;
mod pattern;
mod pipeline;
mod sequence;
mod settings;

pub(super) use drawing::PendingFrame;
pub use drawing::{Picture, PictureDrawing};
pub use exr::LightPicture;
pub use file::{PictureFormat, save_picture};
pub(super) use jobs::FrameJobs;
pub(super) use painted::Lettering;
pub use painted::style as sheet_style;
pub use pattern::{FramePattern, PatternError};
pub(super) use pipeline::Pipeline;
pub use sequence::{SequenceError, SequencePlan, SequenceSettings, SequenceWork};
pub use settings::{Labels, PictureError, PictureSettings, TwoFaces};
