//! What an export will write, told before it begins.

use std::ops::ControlFlow;
use std::path::PathBuf;

/// Called with the step that begins, in a few words, and the part of the work that is done (0..1). `Break` cancels.
pub type ExportProgress<'a> = dyn Fn(&str, f32) -> ControlFlow<()> + 'a;

/// What an export will write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportPlan {
    /// The first file.
    pub first: PathBuf,
    /// The last file; the same if it is one.
    pub last: PathBuf,
    /// The number of files.
    pub files: usize,
    /// The number of frames; 1 for what does not move.
    pub frames: usize,
    /// The size of all files in bytes, as far as it can be told without writing them.
    pub bytes: u64,
}
