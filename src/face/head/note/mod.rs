//! Notes: what was converted, repaired or left out when a file was opened.

mod notes;
mod subject;

use std::fmt::Display;

pub use notes::Notes;
use serde::Serialize;
pub use subject::{Kind, Subject};

use smirk_base::names::one_line;

/// How much a note matters to the artist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something was converted; the picture is right.
    Info,
    /// Something was repaired or left out; the picture may differ from what the author meant.
    Warning,
}

/// One remark about one object of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// How much it matters.
    pub level: Level,
    /// The object that it is about.
    #[serde(rename = "object")]
    pub subject: Subject,
    /// What was done and why, with the numbers. One line.
    pub message: String,
    /// Whether the note is that the head has no morph targets. Such a note is removed when targets are added.
    #[serde(skip)]
    pub is_about_missing_targets: bool,
}

impl Note {
    /// The note of a head that has no morph targets.
    pub fn no_targets() -> Self {
        let message = "has no morph targets: it can be looked at, not moved. File › Import shapes… adds some";
        Self { is_about_missing_targets: true, ..Self::info(Subject::File, message) }
    }

    /// A conversion that changes nothing in the picture.
    pub fn info(subject: impl Into<Subject>, message: impl Into<String>) -> Self {
        Self::new(Level::Info, subject.into(), message.into())
    }

    /// A repair or an omission.
    pub fn warning(subject: impl Into<Subject>, message: impl Into<String>) -> Self {
        Self::new(Level::Warning, subject.into(), message.into())
    }

    fn new(level: Level, subject: Subject, message: String) -> Self {
        Self { level, subject, message: one_line(message), is_about_missing_targets: false }
    }
}

impl Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.subject, self.message)
    }
}

/// `a, b and 5 more`: the first `shown` of `things`, and the number of the others.
pub fn listed<T: Display>(things: &[T], shown: usize) -> String {
    let texts: Vec<String> = things.iter().take(shown).map(T::to_string).collect();
    let more = things.len().saturating_sub(shown);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    texts.join(", ") + &more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_things_are_listed_and_many_counted() {
        assert_eq!((listed(&[7], 3), listed(&[7, 8, 9], 3)), ("7".into(), "7, 8, 9".into()));
        assert_eq!(listed(&["a", "b", "c", "d", "e"], 3), "a, b, c and 2 more");
        assert_eq!(listed::<String>(&[], 3), "");
    }
}
