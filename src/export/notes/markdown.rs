//! Notes as Markdown, for issue trackers and chats: without pictures, which these do not take from a file.

use std::fmt::Write;

use super::{Heading, plain_lines};
use smirk_session::ReviewNote;

pub(super) fn document(heading: &Heading<'_>) -> String {
    let mut text = format!("# Notes on {}\n\n{}. {}\n", escaped(heading.title), heading.counts(), heading.written);
    for note in heading.notes {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{}", section(note, &heading.place(note)));
    }
    text
}

fn section(note: &ReviewNote, place: &str) -> String {
    let tick = if note.is_open() { ' ' } else { 'x' };
    let mut text = format!("## {}. [{tick}] {}\n\n", note.number, escaped(note.title()));
    let _ = writeln!(text, "*{}, {}* `{}`", escaped(&note.author), note.created.local_text(), note.id);
    if !place.is_empty() {
        let _ = writeln!(text, "\n{}", escaped(place));
    }
    let rest: Vec<&str> = note.text.lines().skip_while(|line| line.trim() != note.title()).skip(1).collect();
    let rest = rest.join("\n");
    if !rest.trim().is_empty() {
        let _ = writeln!(text, "\n{}", escaped(rest.trim()));
    }
    for reply in &note.replies {
        let quoted = escaped(&reply.text).replace('\n', "\n> ");
        let _ = writeln!(text, "\n> **{}**, {}: {quoted}", escaped(&reply.author), reply.date.local_text());
    }
    text
}

/// Text in which nothing is markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in plain_lines(text).chars() {
        if "\\`*_{}[]<>#|&~".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
