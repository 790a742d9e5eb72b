//! What wakes the window's event loop from other threads.

use super::file_dialog::{Picked, Question};
use crate::gpu::Trouble;

/// News from another thread.
#[derive(Clone, Debug)]
pub enum Event {
    /// A job has progress or a result.
    Job,
    /// Something is wrong with the graphics adapter.
    Graphics(Trouble),
    /// A file dialog closed.
    Picked(Question, Picked),
}
