//! The names of takes in lists and labels. Captures of one day often begin with the same words and differ at the end.

use smirk_base::names::{common_prefix, without_prefix};
use smirk_editor::session::{Session, TakeEntry};

/// The name of a take without the words that all takes of the session begin with. The whole name belongs into a tooltip.
pub(crate) fn short_take_name(session: &Session, entry: &TakeEntry) -> String {
    let names: Vec<&str> = session.edits.takes.iter().map(|entry| entry.take.name.as_str()).collect();
    without_prefix(&entry.take.name, common_prefix(&names))
}
