//! Projects: what an artist has made of a session, as a `.smirk` file, which is JSON with a version.
//!
//! ```text
//! Session ── Project::of ──► Project ── write ──► file
//!    ▲                          │  ▲                │
//!    └── apply (head, takes) ───┘  └───── read ─────┘
//! ```
//!
//! Channels, pairs and clips are stored by name, so that a project still fits a head that was exported anew. Names that the head
//! does not have are stored next to the session ([`Unresolved`]) and saved again. Heads and captures stay in their own files.

mod apply;
mod error;
mod file;
mod file_ref;
mod format;
mod from_session;
mod open_head;
mod pending;
mod reference;
mod takes;
mod unresolved;
mod viewpoint;

pub use crate::session::{MeshWeight, Slider};
pub use error::ProjectError;
pub use file_ref::{FileRef, HeadRef};
pub use format::{ClipRecord, PoseAmount, Project, ShapeRecord, Timeline};
pub use pending::PendingProject;
pub use reference::ReferenceRecord;
pub use takes::{SoundRecord, TakeFiles, TakeRecord};
pub use unresolved::Unresolved;
pub use viewpoint::Viewpoint;
