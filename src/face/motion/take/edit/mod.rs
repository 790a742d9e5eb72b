//! Edits of a take: a list of operations over a recording that is never changed. Each has a range of time, columns and
//! numbers, and can be switched off, moved in the list and adjusted at any time.
//!
//! `docs/editing.md` describes the operations and where their maths comes from.

mod column;
mod edited_take;
mod operations;
mod take_edit;
#[cfg(test)]
mod tests;

pub use edited_take::EditedTake;
pub use operations::{Reduction, fit_lines};
pub use take_edit::{EditKind, Fit, NeutralOf, TakeEdit};
