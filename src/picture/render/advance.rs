//! The progress of an upload, and the way to cancel it.

use std::ops::ControlFlow;

/// Called with the part of the work that is done (0..1). `Break` cancels the work.
pub type Advance<'a> = dyn Fn(f32) -> ControlFlow<()> + 'a;
