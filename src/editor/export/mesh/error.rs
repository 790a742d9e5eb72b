//! Why baked meshes are not written.

use thiserror::Error;

use crate::export::NoNumber;
use crate::export::glb::GlbError;
use smirk_base::atomic_file::WriteError;
use smirk_base::progress::Cancelled;

/// Why baked meshes are not written.
#[derive(Debug, Error)]
pub enum MeshError {
    /// No mesh is left.
    #[error("{head} has no mesh that can be seen; choose all meshes")]
    NoMesh {
        /// The name of the head.
        head: String,
    },
    /// The format holds one moment.
    #[error("a .glb holds the mesh of one moment, not of {0} frames: write .pc2, .mdd or a sequence of .obj")]
    OneMoment(usize),
    /// All frames would go to the same file.
    #[error(transparent)]
    NoNumber(#[from] NoNumber),
    /// Point caches count points and frames in 31 bits.
    #[error("{0} points are too many for a point cache, which holds at most {max}", max = i32::MAX)]
    TooManyPoints(usize),
    /// The GLB cannot be made.
    #[error(transparent)]
    Glb(GlbError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// It was cancelled. Files of a sequence that are whole stay.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<GlbError> for MeshError {
    fn from(error: GlbError) -> Self {
        match error {
            GlbError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            error => Self::Glb(error),
        }
    }
}
