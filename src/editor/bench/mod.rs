//! The benchmark of blending: every mode, layout and number of threads, for several numbers of active channels.
//!
//! `smirk bench`, the Readout page and the scripts that compare Smirk with other programs share one measurement and one
//! report. An evaluation is what a frame needs: weights in, blended vertices out, with every active weight changed, or
//! a single one. Nothing is drawn, except in vertex mode, which blends while drawing.

mod case;
mod measurement;
mod report;
mod suited;
mod synthetic;
mod table;

pub use case::{Amount, Case, random_cases, read_cases};
pub use measurement::{Plan, measure, measure_for_window};
pub use report::{HeadFacts, LayoutFacts, Ratio, Report, Row};
pub use suited::{SuitedMode, suited_mode};
pub use synthetic::{enlarge, positions_only};
pub use table::{row_text, text};

use thiserror::Error;

use smirk_base::progress::Cancelled;
use smirk_graphics::gpu::DeviceError;
use smirk_picture::render::{DrawError, UploadError};
use smirk_scene::Normals;

/// Normals are blended with the deltas of the file, as in the programs that Smirk is compared with.
const NORMALS: Normals = Normals::Authored;

#[derive(Debug, Error)]
pub enum BenchError {
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error("{head} has no morph targets: there is nothing to blend")]
    NothingMorphs { head: String },
    #[error("{file}: {source}")]
    Unreadable { file: String, source: std::io::Error },
    #[error("{file}: {reason}; expected {{\"6\": [[one weight per target, …], …], \"all\": …}}")]
    NoWeights { file: String, reason: String },
    #[error(
        "{vertices} vertices and {deltas} deltas are more than the {most_vertices} and {most_deltas} Smirk makes up; use \
         fewer tiles or targets"
    )]
    TooLarge { vertices: u64, deltas: u64, most_vertices: u64, most_deltas: u64 },
    #[error(transparent)]
    OnGpu(#[from] DeviceError),
    #[error(transparent)]
    NotDrawn(#[from] DrawError),
    #[error("no threads to measure with: {0}")]
    NoThreads(#[from] rayon::ThreadPoolBuildError),
    #[error(transparent)]
    Upload(#[from] UploadError),
}
