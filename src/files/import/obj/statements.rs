//! Splits OBJ and MTL files into statements with line numbers.

use std::borrow::Cow;

use smirk_face::head::{Kind, Note, Notes, Subject};

/// A statement: one line, or several lines joined by a backslash at the end.
pub(super) struct Statement<'a> {
    /// The number of its first line, counted from 1.
    pub line: usize,
    text: Cow<'a, [u8]>,
}

impl Statement<'_> {
    /// Its words, without comments.
    pub(super) fn words(&self) -> impl Iterator<Item = &[u8]> {
        let words = self.text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.take_while(|word| word[0] != b'#')
    }

    /// The text after the first word. It may be a name, which may contain spaces and `#`.
    pub(super) fn argument(&self) -> &[u8] {
        let text = self.text.trim_ascii();
        let keyword = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        text[keyword..].trim_ascii()
    }
}

/// Iterates over the statements of a text.
pub(super) struct Statements<'a> {
    rest: &'a [u8],
    /// The number of lines read so far.
    lines_read: usize,
}

impl<'a> Statements<'a> {
    /// An iterator over all statements of `text`.
    pub(super) fn of(text: &'a [u8]) -> Self {
        Self { rest: text, lines_read: 0 }
    }

    /// The number of bytes not yet read.
    pub(super) fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// The next line, without its end: `\n`, `\r\n` or `\r`.
    fn next_raw(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.lines_read += 1;
        let end = self.rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(self.rest.len());
        let (line, after) = self.rest.split_at(end);
        self.rest = after.strip_prefix(b"\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        Some(line)
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = Statement<'a>;

    fn next(&mut self) -> Option<Statement<'a>> {
        let first = self.next_raw()?;
        let line = self.lines_read;
        let Some(begun) = continued(first) else { return Some(Statement { line, text: Cow::Borrowed(first) }) };
        let mut text = begun.to_vec();
        while let Some(next) = self.next_raw() {
            text.push(b' ');
            match continued(next) {
                Some(part) => text.extend(part),
                None => {
                    text.extend(next);
                    break;
                }
            }
        }
        Some(Statement { line, text: Cow::Owned(text) })
    }
}

/// The line without the backslash at its end; none if the line has no backslash, which means that the statement ends there.
fn continued(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_end().strip_suffix(b"\\")
}

/// A name as text, and whether bytes that are not UTF-8 were replaced.
pub(super) fn text_of_name(bytes: &[u8]) -> (String, bool) {
    let name = String::from_utf8_lossy(bytes);
    let was_repaired = matches!(name, Cow::Owned(_));
    (name.into_owned(), was_repaired)
}

/// The statements of a file that are ignored or repaired.
#[derive(Default)]
pub(super) struct IgnoredStatements {
    /// Positions that are not finite.
    pub broken_positions: Occurrences,
    /// Corners whose texture coordinate is not in the file.
    pub uvs_of_corners: Occurrences,
    /// Corners whose normal is not in the file.
    pub normals_of_corners: Occurrences,
    /// Faces with fewer than three corners.
    pub too_few_corners: Occurrences,
    pub points_and_lines: Occurrences,
    /// Free-form curves and surfaces.
    pub free_form: Occurrences,
    /// Lines that are no OBJ statement.
    pub unknown: Occurrences,
    /// Names that are not UTF-8.
    pub repaired_names: Occurrences,
    /// Material libraries beyond those that are read.
    pub libraries: Occurrences,
    /// Runs of faces that lost their material, because the file has too many parts.
    pub merged_materials: Occurrences,
}

impl IgnoredStatements {
    /// Adds a note for each kind that occurs. `position_count` is the number of all positions of the file.
    pub(super) fn note(&self, position_count: usize, notes: &mut Notes) {
        self.broken_positions.note(notes, |count| {
            Note::warning(
                Subject::All(Kind::ObjPosition),
                format!("{count} of {position_count} are not finite; faces that use them are left out"),
            )
        });
        for (corners, kind, what) in [
            (&self.uvs_of_corners, Kind::ObjTextureCoordinate, "vt"),
            (&self.normals_of_corners, Kind::ObjNormal, "vn"),
        ] {
            corners.note(notes, |count| {
                let message =
                    format!("{count} corners name a {what} that the file does not have; they are shown without it");
                Note::warning(Subject::All(kind), message)
            });
        }
        self.too_few_corners.note(notes, |count| {
            Note::warning(
                Subject::All(Kind::ObjFace),
                format!("{count} faces have fewer than 3 corners and were left out"),
            )
        });
        self.points_and_lines
            .note(notes, |count| Note::info(Subject::File, format!("{count} points and lines are not shown")));
        self.free_form.note(notes, |count| {
            Note::warning(
                Subject::File,
                format!("{count} free-form curves and surfaces are not shown; export polygons"),
            )
        });
        self.unknown
            .note(notes, |count| Note::info(Subject::File, format!("{count} lines are no OBJ and were passed over")));
        self.libraries.note(notes, |count| {
            let message = format!("{count} more files of materials are named than are read; materials may be missing");
            Note::warning(Subject::All(Kind::ObjMaterialLibrary), message)
        });
        self.merged_materials.note(notes, |count| {
            let message =
                format!("the file has more parts than are drawn apart: {count} runs of faces have no material");
            Note::warning(Subject::All(Kind::ObjMaterialUse), message)
        });
        self.repaired_names.note(notes, |count| {
            Note::warning(
                Subject::File,
                format!("{count} names are not UTF-8: what could not be read in them is shown as \u{FFFD}"),
            )
        });
    }
}

/// How often something occurs in a file, and the first line with it.
#[derive(Default)]
pub(super) struct Occurrences {
    count: usize,
    first_line: usize,
}

impl Occurrences {
    pub(super) fn count(&mut self, line: usize) {
        if self.count == 0 {
            self.first_line = line;
        }
        self.count += 1;
    }

    /// Adds the note that `note_of` makes of the number of occurrences, with the first line.
    fn note(&self, notes: &mut Notes, note_of: impl Fn(usize) -> Note) {
        if self.count > 0 {
            let mut note = note_of(self.count);
            let first = if self.count == 1 { "" } else { "the first is " };
            note.message = format!("{} ({first}line {})", note.message, self.first_line);
            notes.push(note);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_with_every_line_ending() {
        let lines = Statements::of(b"v 1\r\n\nf 1 2 \\\n 3\\ \n4\rg a # b");
        let read: Vec<(usize, Vec<String>)> = lines
            .map(|statement| {
                (statement.line, statement.words().map(|word| String::from_utf8_lossy(word).into_owned()).collect())
            })
            .filter(|(_, words): &(usize, Vec<String>)| !words.is_empty())
            .collect();
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(read, [(1, words("v 1")), (3, words("f 1 2 3 4")), (6, words("g a"))]);
    }

    #[test]
    fn a_name_is_the_text_after_the_keyword() {
        let line = Statements::of(b"  usemtl\tSkin #2 \xE9 ").next().unwrap();
        assert_eq!(line.argument(), b"Skin #2 \xE9");
        assert_eq!(text_of_name(line.argument()), ("Skin #2 \u{FFFD}".to_owned(), true));
    }
}
