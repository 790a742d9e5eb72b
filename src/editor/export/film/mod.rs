//! Films of what plays: APNG, GIF and animated WebP, which are made here, and MP4, ProRes and WebM, which ffmpeg makes.
//!
//! - `settings`: what a film is. `work`: a film while it is drawn and written. `stage`: what is done with the next frame. `sink`: the
//!   file while it grows.
//! - `changes`: what differs from frame to frame. `apng`, `gif`, `webp`: the formats made here. `ffmpeg`: the others.
//! - `rate`: frame rates as fractions, and the times of frames in whole units.

mod apng;
mod changes;
mod error;
mod ffmpeg;
mod format;
mod gif;
mod rate;
mod settings;
mod sink;
mod stage;
mod webp;
mod work;

pub use error::FilmError;
pub use ffmpeg::{Ffmpeg, FfmpegError};
pub use format::FilmFormat;
pub use gif::Dither;
pub use settings::{FilmSettings, FilmSound};
pub use work::{FilmPlan, FilmWork};
