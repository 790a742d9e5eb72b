//! The document: the project that is open in the window, the file it is saved in, and how unsaved work survives a
//! crash.
//!
//! - [`Document`] knows whether the session is saved, and writes unsaved work to the recovery folder.
//! - [`Project`] is what a `.smirk` file holds; it is made of a session and applied to one.
//! - [`RecoveryFolder`] holds unsaved work on disk until it is saved, restored or discarded.
//! - [`Recording`] is a take that is recorded from the network; it grows on disk.
//! - [`Loader`] reads heads, projects, takes and poses on a worker thread.

mod autosave;
mod on_disk;
mod open_document;
mod opening;
mod project;
mod recording;
mod recordings;
mod recovery;
mod saving;
mod works;

pub use on_disk::{FileState, Fingerprint, Found};
pub use open_document::{Document, DocumentStatus, MissingHead, NotKept, WorkHint, WorkProblems};
pub use opening::{LoadRequest, LoadStatus, Loaded, Loader, OpenChoice, OpenQuestion, Reloaded};
pub use project::{HeadRef, PendingProject, Project, ProjectError, ShapeRecord, TakeFiles, Timeline};
pub use recording::{Recording, RecordingError, SoundRecording, growing_path};
pub use recovery::{RecoveryFolder, Rescue, UnsavedWork, WorkPicture, WorkPlace, WorkSummary};
