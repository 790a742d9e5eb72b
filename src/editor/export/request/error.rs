//! Why an export of the window does not begin, or ends without its files.

use std::path::PathBuf;

use thiserror::Error;

use crate::export::{AnimationError, FilmError, HeadError, MeshError, SequenceError, SpanError};

/// Why an export does not begin, or ends without its files.
#[derive(Debug, Error)]
pub enum ExportError {
    /// There is no timeline.
    #[error(
        "nothing moves: choose a take or a clip in the transport bar, or set keys; for pictures and films, a turntable will do"
    )]
    NothingMoves,
    /// A contact sheet would be empty.
    #[error("there is nothing to put on the sheet: {0}")]
    EmptySheet(&'static str),
    /// A file of a sequence is there.
    #[error(
        "{} is there already, and perhaps others of its frames: choose another name or folder, or say under “Files that are there” \
         that they are replaced or kept",
        path.display()
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The name of a single picture has the sign that stands for the number of a frame.
    #[error(
        "{}: in the name of a single picture, # would be replaced by the number of the frame. Choose a name without #",
        path.display()
    )]
    NumberSign {
        /// The file.
        path: PathBuf,
    },
    /// The frames are too many.
    #[error(transparent)]
    Frames(#[from] SpanError),
    /// Of an animation.
    #[error(transparent)]
    Animation(#[from] AnimationError),
    /// Of a head.
    #[error(transparent)]
    Head(#[from] HeadError),
    /// Of meshes.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Of pictures.
    #[error(transparent)]
    Pictures(#[from] SequenceError),
    /// Of a film.
    #[error(transparent)]
    Film(#[from] FilmError),
}

impl ExportError {
    /// Whether it ended because it was cancelled.
    pub fn is_cancelled(&self) -> bool {
        matches!(
            self,
            Self::Animation(AnimationError::Cancelled(_))
                | Self::Head(HeadError::Cancelled(_))
                | Self::Mesh(MeshError::Cancelled(_))
                | Self::Pictures(SequenceError::Cancelled(_))
                | Self::Film(FilmError::Cancelled(_))
        )
    }
}
