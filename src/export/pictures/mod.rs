//! Pictures of what plays: one a frame, at any size, with labels or a transparent background, as files or for a film.
//!
//! - `settings`: what every picture shows. `drawing`: the picture of one moment. `pipeline`: the pictures of many
//!   frames, drawn while threads work on those before. `frame_work`: such pictures while they are drawn and stored.
//! - `parts`: the face, B and the reference on one picture. `painted`: text and the reference. `style`: colours and
//!   sizes.
//! - `sequence`: the pictures of a span as numbered files. `file`: PNG and OpenEXR. `exr`: the latter.

mod drawing;
mod exr;
mod file;
mod frame_work;
mod painted;
mod parts;
mod pipeline;
mod sequence;
mod settings;
pub mod style;

pub(super) use drawing::PendingFrame;
pub use drawing::{FinishedPicture, PictureDrawing};
pub use exr::LightPicture;
pub use file::{PictureFormat, save_picture};
pub(super) use frame_work::FrameStore;
pub use frame_work::FrameWork;
pub(super) use painted::{Lettering, cover};
pub(super) use pipeline::{FrameJobs, Pipeline};
pub use sequence::{FramePattern, SequencePlan, SequenceSettings};
pub use settings::{Labels, PictureSettings, TwoFaces};
pub use style as sheet_style;
