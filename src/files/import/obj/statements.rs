//! Splits OBJ and MTL files into statements with line numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use smirk_face::head::{Kind, Note, Notes, Subject};

/// A statement: one line, or several lines joined by a backslash at the end.
pub(super) struct Statement<'a> {
    /// The number of its first line, counted from 1.
    pub line: usize,
    text: Cow<'a, [u8]>,
}

impl Statement<'_> {
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

pub(super) struct Statements<'a> {
    rest: &'a [u8],
    lines_read: usize,
}

impl<'a> Statements<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { rest: text, lines_read: 0 }
    }

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

/// The line without the backslash at its end; none if the line has no backslash, which means that the statement ends
/// there.
fn continued(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_end().strip_suffix(b"\\")
}

/// A name as text, and whether bytes that are not UTF-8 were replaced.
pub(super) fn text_of_name(bytes: &[u8]) -> (String, bool) {
    let name = String::from_utf8_lossy(bytes);
    let was_repaired = matches!(name, Cow::Owned(_));
    (name.into_owned(), was_repaired)
}

/// What is ignored or repaired of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ignored {
    Position,
    /// A corner whose texture coordinate is not in the file.
    CornerUv,
    /// A corner whose normal is not in the file.
    CornerNormal,
    /// A face with fewer than three corners.
    SmallFace,
    PointOrLine,
    FreeForm,
    Unknown,
    /// A material library beyond those that are read.
    Library,
    /// A run of faces that lost its material, because the file has too many parts.
    Material,
    /// A name that is not UTF-8.
    Name,
}

/// How often something was ignored, and the first line with it.
#[derive(Default)]
pub(super) struct IgnoredStatements(BTreeMap<Ignored, (usize, usize)>);

impl IgnoredStatements {
    pub(super) fn count(&mut self, what: Ignored, line: usize) {
        self.0.entry(what).or_insert((0, line)).0 += 1;
    }

    /// Adds a note for each kind that occurs. `position_count` is the number of all positions of the file.
    pub(super) fn note(&self, position_count: usize, notes: &mut Notes) {
        for (&what, &(count, first_line)) in &self.0 {
            let (subject, message) = match what {
                Ignored::Position => (
                    Subject::All(Kind::ObjPosition),
                    format!("of {position_count} are not finite; faces that use them are left out"),
                ),
                Ignored::CornerUv => (
                    Subject::All(Kind::ObjTextureCoordinate),
                    "corners name a vt that the file does not have; they are shown without it".into(),
                ),
                Ignored::CornerNormal => (
                    Subject::All(Kind::ObjNormal),
                    "corners name a vn that the file does not have; they are shown without it".into(),
                ),
                Ignored::SmallFace => {
                    (Subject::All(Kind::ObjFace), "faces have fewer than 3 corners and were left out".into())
                }
                Ignored::PointOrLine => (Subject::File, "points and lines are not shown".into()),
                Ignored::FreeForm => {
                    (Subject::File, "free-form curves and surfaces are not shown; export polygons".into())
                }
                Ignored::Unknown => (Subject::File, "lines are no OBJ and were passed over".into()),
                Ignored::Library => (
                    Subject::All(Kind::ObjMaterialLibrary),
                    "more files of materials are named than are read; materials may be missing".into(),
                ),
                Ignored::Material => (Subject::All(Kind::ObjMaterialUse), "runs of faces have no material".into()),
                Ignored::Name => {
                    (Subject::File, "names are not UTF-8: what could not be read in them is shown as \u{FFFD}".into())
                }
            };
            let before = if what == Ignored::Material { "the file has more parts than are drawn apart: " } else { "" };
            let first = if count == 1 { "" } else { "the first is " };
            let message = format!("{before}{count} {message} ({first}line {first_line})");
            notes.push(match what {
                Ignored::PointOrLine | Ignored::Unknown => Note::info(subject, message),
                _ => Note::warning(subject, message),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_with_every_line_ending() {
        let lines = Statements::new(b"v 1\r\n\nf 1 2 \\\n 3\\ \n4\rg a # b");
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
        let line = Statements::new(b"  usemtl\tSkin #2 \xE9 ").next().unwrap();
        assert_eq!(line.argument(), b"Skin #2 \xE9");
        assert_eq!(text_of_name(line.argument()), ("Skin #2 \u{FFFD}".to_owned(), true));
    }
}
