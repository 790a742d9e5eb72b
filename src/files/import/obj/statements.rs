//! Splits OBJ and MTL files into statements with line numbers.

use std::borrow::Cow;

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
