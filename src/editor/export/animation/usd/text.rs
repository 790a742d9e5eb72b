//! Text of USD: indented lines, names of prims, strings and lists.

use std::collections::HashSet;
use std::fmt::{Display, Write};

/// Text under construction.
#[derive(Default)]
pub(super) struct Text {
    text: String,
    depth: usize,
}

impl Text {
    /// Adds a line.
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("    ", self.depth));
            self.text += line;
        }
        self.text.push('\n');
    }

    /// Adds a line after which lines are indented.
    pub(super) fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    /// Ends the indentation, and adds a line.
    pub(super) fn close(&mut self, line: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(line);
    }

    /// All of it.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

/// The names of the prims in one prim.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// A name of letters, digits and underscores (the identifiers of USD) that no other prim has.
    pub(super) fn unique(&mut self, name: &str) -> String {
        let mut plain: String =
            name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        if !plain.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
            plain.insert(0, '_');
        }
        let numbered = |number: usize| if number == 1 { plain.clone() } else { format!("{plain}_{number}") };
        let free = (1..).map(numbered).find(|name| !self.0.contains(name)).unwrap_or_default();
        self.0.insert(free.clone());
        free
    }
}

/// A string in quotation marks.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Elements with commas between them.
pub(super) fn joined<T: Display>(elements: impl Iterator<Item = T>) -> String {
    let mut text = String::new();
    for (index, element) in elements.enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{element}", if index > 0 { ", " } else { "" });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_unique() {
        let mut names = Names::default();
        let made = ["jaw Open", "jaw-Open", "2nd", "", "口"].map(|name| names.unique(name));
        assert_eq!(made, ["jaw_Open", "jaw_Open_2", "_2nd", "_", "__2"]);
        assert_eq!(quoted("a\"b\\"), "\"a\\\"b\\\\\"");
    }
}
