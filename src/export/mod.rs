//! From what is on screen to files: pictures, contact sheets, heads, poses.

mod contact_sheet;
mod glb;
mod picture_queue;
mod png;
mod poses;
mod shot;

pub use contact_sheet::{SheetCell, SheetContent, SheetError, SheetSettings, SheetWork};
pub use glb::{GlbError, glb, save_glb};
pub use picture_queue::{PictureQueue, SheetFailure, SheetProgress};
pub use png::{PngError, check_place, save_png};
pub use poses::{PosesError, save_poses};
pub use shot::Shot;
