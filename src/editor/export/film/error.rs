//! Why a film is not made.

use std::path::PathBuf;

use thiserror::Error;

use super::format::FilmFormat;
use super::gif::GifFile;
use crate::export::PictureError;
use smirk_base::atomic_file::WriteError;
use smirk_base::job::JobError;
use smirk_base::progress::Cancelled;
use smirk_picture::render::HeadNotUploaded;

/// Why a film is not made.
#[derive(Debug, Error)]
pub enum FilmError {
    /// The extension is none of a film.
    #[error(
        "{}: the name must end in .apng, .gif or .webp, or, with ffmpeg, in .mp4, .mov or .webm",
        path.display()
    )]
    Extension {
        /// The file that was to be written.
        path: PathBuf,
    },
    /// There are no such pictures.
    #[error(transparent)]
    Pictures(#[from] PictureError),
    /// The format cannot be transparent.
    #[error("{} cannot be transparent: choose .webm, .mov, .webp or .apng", format.label())]
    NoAlpha {
        /// The format.
        format: FilmFormat,
    },
    /// The format has no sound.
    #[error("{} has no sound: choose .mp4, .mov or .webm", format.label())]
    Silent {
        /// The format.
        format: FilmFormat,
    },
    /// The sound cannot be read.
    #[error("{}: {source}", path.display())]
    Sound {
        /// The file with the sound.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The format needs even sides.
    #[error("{} needs an even width and height: {width}×{height} is not, {}×{} is", format.label(), width + width % 2, height + height % 2)]
    OddSides {
        /// The format.
        format: FilmFormat,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The pictures are too large for the format.
    #[error("{} holds at most {most} pixels a side: {width}×{height} is more", format.label())]
    TooLarge {
        /// The format.
        format: FilmFormat,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The longest side.
        most: u32,
    },
    /// A GIF has no frames as short as those.
    #[error(
        "a GIF shows at most {} frames a second, and this one would have {rate}: give a lower rate, such as 25",
        GifFile::MOST_FRAMES_PER_SEC
    )]
    TooFast {
        /// The frame rate.
        rate: String,
    },
    /// ffmpeg is missing, or did not make the film.
    #[error(transparent)]
    Ffmpeg(#[from] FfmpegError),
    /// The file could not be written.
    #[error(transparent)]
    NotWritten(#[from] WriteError),
    /// A frame could not be compressed.
    #[error("frame {frame} cannot be compressed: {reason}")]
    Frame {
        /// The frame.
        frame: i64,
        /// What the encoder says.
        reason: String,
    },
    /// A thread that compresses frames failed.
    #[error("the film was not made: {0}")]
    JobFailed(#[from] JobError),
    /// The head is no longer on the GPU.
    #[error(transparent)]
    HeadGone(#[from] HeadNotUploaded),
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

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
