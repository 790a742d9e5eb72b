//! A text as numbered lines: what OBJ and MTL files are made of.

use std::borrow::Cow;

/// A statement: a line, or several that end in a backslash but for the last.
pub struct Line<'a> {
    /// The number of its first line, from 1.
    pub number: usize,
    text: Cow<'a, [u8]>,
}

impl Line<'_> {
    /// Its words, up to a comment.
    pub fn words(&self) -> impl Iterator<Item = &[u8]> {
        let words = self.text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        words.take_while(|word| word[0] != b'#')
    }

    /// What follows the first word. Names may hold spaces and number signs.
    pub fn rest(&self) -> &[u8] {
        let text = self.text.trim_ascii();
        let keyword = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
        text[keyword..].trim_ascii()
    }
}

/// The statements of a text.
pub struct Lines<'a> {
    rest: &'a [u8],
    /// How many lines came before.
    passed: usize,
}

impl<'a> Lines<'a> {
    /// Those of `text`.
    pub fn of(text: &'a [u8]) -> Self {
        Self { rest: text, passed: 0 }
    }

    /// Bytes that are still to come.
    pub fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// The next line as it is, without its end: `\n`, `\r\n` or `\r`.
    fn next_raw(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.passed += 1;
        let end = self.rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(self.rest.len());
        let (line, after) = self.rest.split_at(end);
        self.rest = after.strip_prefix(b"\r\n").or_else(|| after.get(1..)).unwrap_or_default();
        Some(line)
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let first = self.next_raw()?;
        let number = self.passed;
        let Some(begun) = continued(first) else { return Some(Line { number, text: Cow::Borrowed(first) }) };
        let mut text = begun.to_vec();
        while let Some(line) = self.next_raw() {
            text.push(b' ');
            match continued(line) {
                Some(part) => text.extend(part),
                None => {
                    text.extend(line);
                    break;
                }
            }
        }
        Some(Line { number, text: Cow::Owned(text) })
    }
}

/// A line without the backslash that ends it; none if the statement ends here.
fn continued(line: &[u8]) -> Option<&[u8]> {
    line.trim_ascii_end().strip_suffix(b"\\")
}

/// A name as text, and whether it had to be mended for that.
pub fn name_of(bytes: &[u8]) -> (String, bool) {
    let name = String::from_utf8_lossy(bytes);
    let was_mended = matches!(name, Cow::Owned(_));
    (name.into_owned(), was_mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_whatever_ends_them() {
        let lines = Lines::of(b"v 1\r\n\nf 1 2 \\\n 3\\ \n4\rg a # b");
        let read: Vec<(usize, Vec<String>)> = lines
            .map(|line| (line.number, line.words().map(|word| String::from_utf8_lossy(word).into_owned()).collect()))
            .filter(|(_, words): &(usize, Vec<String>)| !words.is_empty())
            .collect();
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(read, [(1, words("v 1")), (3, words("f 1 2 3 4")), (6, words("g a"))]);
    }

    #[test]
    fn a_name_is_the_rest_of_its_line() {
        let line = Lines::of(b"  usemtl\tSkin #2 \xE9 ").next().unwrap();
        assert_eq!(line.rest(), b"Skin #2 \xE9");
        assert_eq!(name_of(line.rest()), ("Skin #2 \u{FFFD}".to_owned(), true));
    }
}
