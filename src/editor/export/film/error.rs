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
#[expect(missing_docs, reason = "the messages say it")]
pub enum FilmError {
    #[error(
        "{}: the name must end in .apng, .gif or .webp, or, with ffmpeg, in .mp4, .mov or .webm",
        path.display()
    )]
    Extension { path: PathBuf },
    #[error(transparent)]
    Pictures(#[from] PictureError),
    #[error("{} cannot be transparent: choose .webm, .mov, .webp or .apng", format.label())]
    NoAlpha { format: FilmFormat },
    #[error("{} has no sound: choose .mp4, .mov or .webm", format.label())]
    Silent { format: FilmFormat },
    #[error("{}: {source}", path.display())]
    Sound { path: PathBuf, source: std::io::Error },
    #[error("{} needs an even width and height: {width}×{height} is not, {}×{} is", format.label(), width + width % 2, height + height % 2)]
    OddSides { format: FilmFormat, width: u32, height: u32 },
    #[error("{} holds at most {most} pixels a side: {width}×{height} is more", format.label())]
    TooLarge { format: FilmFormat, width: u32, height: u32, most: u32 },
    #[error(
        "a GIF shows at most {} frames a second, and this one would have {rate}: give a lower rate, such as 25",
        GifFile::MOST_FRAMES_PER_SEC
    )]
    TooFast { rate: String },
    #[error(transparent)]
    Ffmpeg(#[from] FfmpegError),
    #[error(transparent)]
    NotWritten(#[from] WriteError),
    #[error("frame {frame} cannot be compressed: {reason}")]
    Frame { frame: i64, reason: String },
    #[error("the film was not made: {0}")]
    JobFailed(#[from] JobError),
    #[error(transparent)]
    HeadGone(#[from] HeadNotUploaded),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Why ffmpeg makes no film.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum FfmpegError {
    #[error(
        "{} is made by ffmpeg, which is not in the PATH. Install it: `apt install ffmpeg` (Debian, Ubuntu), `dnf install ffmpeg` \
         (Fedora), `brew install ffmpeg` (macOS), `winget install ffmpeg` (Windows). Without it: .webp, .apng or .gif; or pictures, \
         which every video program takes: `smirk export pictures -o NAME.####.png`",
        format.label()
    )]
    Missing { format: FilmFormat },
    #[error("{} does not start: {source}", program.display())]
    NotStarted { program: PathBuf, source: std::io::Error },
    #[error("{} {version} has no encoder for {}: it needs {wanted}. Install a complete ffmpeg", program.display(), format.label())]
    NoEncoder { program: PathBuf, version: String, format: FilmFormat, wanted: String },
    #[error("{} gave up: {reason}. Its command was: {command}", program.display())]
    Failed { program: PathBuf, reason: String, command: String },
}
