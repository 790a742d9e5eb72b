//! Fonts for the names of the world. The fonts of the window have Latin, Greek, Cyrillic and emoji; when a text holds
//! another letter, the fonts of the system are searched for one that has it. Until then they cost nothing.

mod fallback;
mod language;
mod system;

pub use fallback::FallbackFonts;
pub use language::package_for;
pub use system::{FoundFonts, search, searching_provider};
