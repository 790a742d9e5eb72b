//! The session with its files, and what is exported of it.
//!
//! - [`document`]: the session with its files: project, autosave, recovery, opening.
//! - [`export`]: animation, heads, meshes, pictures, films, contact sheets and poses to files. [`fonts`]: fonts of the system.
//! - [`mod@bench`]: what blending costs, measured.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

pub mod bench;
pub mod document;
pub mod export;
pub mod fonts;
