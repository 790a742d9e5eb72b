//! Films of what plays: APNG, GIF and animated WebP, which are made here, and MP4, ProRes and WebM, which ffmpeg makes.
//!
//! - `settings`: what a film is. `work`: a film while it is written, in stages. `sink`: the file while it grows, as
//!   APNG and WebP.
//! - `changes`: what differs from frame to frame. `gif`: that format. `ffmpeg`: the formats of the program.
//! - `format`: all formats, frame rates as fractions, and the times of frames in whole units.

mod changes;
mod ffmpeg;
mod format;
mod gif;
mod settings;
mod sink;
mod work;

pub use ffmpeg::Ffmpeg;
pub use format::{FilmFormat, FilmQuality};
pub use gif::Dither;
pub use settings::{FilmSettings, FilmSound};
pub use work::FilmPlan;
