//! Projects: what an artist has made of a session, as a `.smirk` file, which is JSON with a version.
//!
//! ```text
//! Session ── Project::from_session ──► Project ── write ──► file
//!    ▲                          │  ▲                │
//!    └── apply (head, takes) ───┘  └───── read ─────┘
//! ```
//!
//! Parts of the head are stored by name, so that a project still fits a head that was exported anew. Names that the
//! head does not have stay in the session and are saved again. Heads and captures stay in their own files.

mod apply;
mod file;
mod format;

pub use apply::TakeFiles;
pub use file::{PendingProject, ProjectError};
pub use format::{HeadRef, Project, ShapeRecord, Timeline};
