//! What wakes the window's event loop from other threads.

use super::file_dialog::{Picked, Question};
use crate::gpu::Trouble;

/// News from another thread.
#[derive(Clone, Debug)]
pub enum Event {
    /// The loader has progress or a result.
    Loader,
    /// The measurement of modes has progress or a result.
    Bench,
    /// Something is wrong with the graphics adapter.
    Graphics(Trouble),
    /// The lint of the head is done.
    Lint,
    /// A file dialog closed.
    Picked(Question, Picked),
}
