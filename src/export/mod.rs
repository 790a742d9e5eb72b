//! From what is on screen to files.

mod glb;
mod lettering;
mod png;
mod poses;
mod sheet;

pub use glb::{GlbError, glb, save_glb};
pub use lettering::{Lettering, Line};
pub use png::{PngError, check_place, save_png};
pub use poses::{PosesError, save_poses};
pub use sheet::{Sheet, SheetError, SheetGrid};
