//! What an importer has to say about a file that opened.

use std::fmt::Display;

use serde::Serialize;

/// How much a note matters to the artist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something was converted; the picture is right.
    Info,
    /// Something was repaired or left out; the picture may differ from what the author meant.
    Warning,
}

/// One remark, tied to the object it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// How much it matters.
    pub level: Level,
    /// What it is about, e.g. `mesh "face", target 3 "jawOpen"`.
    pub object: String,
    /// What was done and why, with the numbers.
    pub message: String,
}

impl Note {
    /// That a head has no targets, until it is given some.
    pub fn no_targets() -> Self {
        Self::info("file", "has no morph targets: it can be looked at, not moved. File › Import shapes… gives it some")
    }

    /// A conversion that changes nothing to see.
    pub fn info(object: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Level::Info, object.into(), message.into())
    }

    /// A repair or an omission.
    pub fn warning(object: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Level::Warning, object.into(), message.into())
    }

    fn new(level: Level, object: String, message: String) -> Self {
        Self { level, object: one_line(object), message: one_line(message) }
    }
}

/// `a, b and 5 more`, with as many of `things` as `shown`.
pub fn listed<T: Display>(things: &[T], shown: usize) -> String {
    let texts: Vec<String> = things.iter().take(shown).map(T::to_string).collect();
    let more = things.len().saturating_sub(shown);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    texts.join(", ") + &more
}

/// A text of one line that a list bears, whatever names from a file or words of a decoder are in it.
pub fn one_line(text: String) -> String {
    const LONGEST: usize = 600;
    let is_fit = text.len() <= LONGEST && !text.contains(char::is_control);
    if is_fit {
        return text;
    }
    let mut line: String =
        text.trim_end().chars().take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    line
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
