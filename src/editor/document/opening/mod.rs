//! Opening files on a worker thread: what can be requested, how separate mesh files become one head, and the load under
//! way.

mod load_error;
mod loader;
mod mesh_files;
mod request;

pub use loader::{LoadStatus, Loader};
pub use request::{LoadRequest, Loaded, OpenChoice, OpenQuestion, Reloaded};
