//! Progress of an import, and the way to cancel it.

use std::ops::ControlFlow;

use super::error::Fault;

/// Called with the current stage in words and the share of the work that is done (0..1). `Break` cancels the import.
pub(crate) type Progress<'a> = dyn Fn(&str, f32) -> ControlFlow<()> + 'a;

/// Reports progress; returns [`Fault::Cancelled`] if the caller cancels the import.
pub(super) fn report(progress: &Progress<'_>, stage: &str, fraction: f32) -> Result<(), Fault> {
    match progress(stage, fraction) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Fault::Cancelled),
    }
}
