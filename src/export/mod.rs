//! Files that Smirk writes: images, contact sheets, GLB heads and poses; also the queue of pictures that the window
//! draws.

mod contact_sheet;
mod glb;
mod owned_scene;
mod performance;
mod picture_queue;
mod png;
mod poses;
mod span;

pub use crate::atomic_file::{OutputPath, WriteError};
pub use contact_sheet::{SheetContent, SheetError, SheetSettings, SheetWork};
pub use glb::{glb, save_glb};
pub use owned_scene::OwnedScene;
pub use performance::{FrameProgress, Performance, PerformanceError};
pub use picture_queue::{PictureQueue, SheetFailure, SheetProgress};
pub use png::save_png;
pub use poses::poses_text;
pub(crate) use poses::save_poses;
pub use span::{FrameSpan, SpanError};
