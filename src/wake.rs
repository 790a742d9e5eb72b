//! What wakes the window's event loop from other threads.

use crate::dialog::Picked;

/// News from another thread.
#[derive(Clone, Debug)]
pub enum Wake {
    /// The loader has progress or a result.
    Loader,
    /// The file dialog closed.
    Picked(Picked),
}
