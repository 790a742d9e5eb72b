//! Why there is no report.

use thiserror::Error;

use crate::gpu::DeviceError;
use crate::render::HeadNotUploaded;

/// What can go wrong.
#[derive(Debug, Error)]
pub enum BenchError {
    /// Whoever watched has seen enough.
    #[error("the measurement was given up")]
    Cancelled,
    /// Nothing to blend.
    #[error("{head} has no morph targets: there is nothing to blend")]
    NothingMorphs {
        /// Its name.
        head: String,
    },
    /// A file of weights that does not open.
    #[error("{file}: {source}")]
    Unreadable {
        /// Which.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that holds something else.
    #[error("{file}: {reason}; expected {{\"6\": [[one weight per target, …], …], \"all\": …}}")]
    NoWeights {
        /// Which.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A head made larger than any memory.
    #[error(
        "{vertices} vertices and {deltas} deltas are more than the {most_vertices} and {most_deltas} Smirk makes up; use \
         fewer tiles or targets"
    )]
    TooLarge {
        /// It would have.
        vertices: u64,
        /// Over all targets.
        deltas: u64,
        /// The bound.
        most_vertices: u64,
        /// The bound.
        most_deltas: u64,
    },
    /// The adapter has no room, or is gone.
    #[error(transparent)]
    OnGpu(#[from] DeviceError),
    /// The head that is measured is not the one on the GPU.
    #[error(transparent)]
    NotUploaded(#[from] HeadNotUploaded),
    /// The system gives no threads.
    #[error("no threads to measure with: {0}")]
    NoThreads(#[from] rayon::ThreadPoolBuildError),
}
