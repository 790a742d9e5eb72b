//! From what is on screen to files.

mod png;

pub use png::{PngError, save_png};
