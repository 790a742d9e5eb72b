//! Why ffmpeg makes no film.

use std::path::PathBuf;

use thiserror::Error;

use crate::export::film::format::FilmFormat;

/// Why ffmpeg makes no film.
#[derive(Debug, Error)]
pub enum FfmpegError {
    /// It is not installed.
    #[error(
        "{} is made by ffmpeg, which is not in the PATH. Install it: `apt install ffmpeg` (Debian, Ubuntu), `dnf install ffmpeg` \
         (Fedora), `brew install ffmpeg` (macOS), `winget install ffmpeg` (Windows). Without it: .webp, .apng or .gif; or pictures, \
         which every video program takes: `smirk export pictures -o NAME.####.png`",
        format.label()
    )]
    Missing {
        /// The format of the film.
        format: FilmFormat,
    },
    /// It does not start.
    #[error("{} does not start: {source}", program.display())]
    NotStarted {
        /// The program.
        program: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// It was built without the encoder.
    #[error("{} {version} has no encoder for {}: it needs {wanted}. Install a complete ffmpeg", program.display(), format.label())]
    NoEncoder {
        /// The program.
        program: PathBuf,
        /// Its version.
        version: String,
        /// The format of the film.
        format: FilmFormat,
        /// The encoders that would do.
        wanted: String,
    },
    /// It gave up.
    #[error("{} gave up: {reason}. Its command was: {command}", program.display())]
    Failed {
        /// The program.
        program: PathBuf,
        /// What it wrote last.
        reason: String,
        /// The whole command.
        command: String,
    },
}
