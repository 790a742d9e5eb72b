//! A contact sheet: pictures of one size in rows and columns, each with its name beneath, under a heading.

mod compared;
mod content;
mod grid;
mod pdf;
mod sheet;
mod versions;
mod work;

pub use content::SheetContent;
pub use grid::SheetError;
pub use versions::version_sheet;
pub use work::{FinishedSheet, SheetSettings, SheetWork};
