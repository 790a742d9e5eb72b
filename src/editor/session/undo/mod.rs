//! Undo by comparison: values that know when they change, and the steps of undo.

mod history;
mod tracked;

pub use history::History;
pub use tracked::{Revision, Tracked};
