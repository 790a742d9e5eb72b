//! Undo by comparison: values that know when they change, and the steps of undo.

mod history;
mod tracked;

pub(crate) use history::History;
pub(crate) use tracked::{Revision, Tracked};
