//! Fonts for the names of the world. The fonts of the window have Latin, Greek, Cyrillic and emoji; when a text holds another
//! letter, the fonts of the system are searched for one that has it. Until then they cost nothing.

mod fallback;
mod language;
mod system;

pub(crate) use fallback::FallbackFonts;
pub(crate) use language::package_for;
pub(crate) use system::{FoundFonts, search, searching_provider};
