//! Positions in the text of JSON that is known to be valid: where values, members and elements begin and end.

use std::ops::Range;

/// The range of the value that begins at `at`, or after white space there.
pub(super) fn value_at(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = after_space(bytes, at);
    let end = match bytes.get(start) {
        Some(b'"') => string_end(bytes, start),
        Some(b'{' | b'[') => list_end(bytes, start),
        _ => {
            let is_end = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b':' | b' ' | b'\t' | b'\n' | b'\r');
            bytes[start..].iter().position(is_end).map_or(bytes.len(), |length| start + length)
        }
    };
    start..end
}

/// The position of the next byte that is not white space.
fn after_space(bytes: &[u8], at: usize) -> usize {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    at + bytes[at.min(bytes.len())..].iter().take_while(|byte| is_space(byte)).count()
}

/// The position after the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// The position after the object or array that begins at `at`.
fn list_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    loop {
        match bytes.get(at) {
            None => return bytes.len(),
            Some(b'"') => {
                at = string_end(bytes, at);
                continue;
            }
            Some(b'{' | b'[') => depth += 1,
            Some(b'}' | b']') if depth == 1 => return at + 1,
            Some(b'}' | b']') => depth -= 1,
            Some(_) => {}
        }
        at += 1;
    }
}

/// The elements of an array.
pub(super) struct Elements<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Elements<'t> {
    /// Those of the array or object that begins at `at`.
    pub(super) fn of(text: &'t str, at: usize) -> Self {
        Self { text, at: at + 1 }
    }

    /// The range of the next element, or of the next key of an object.
    fn next_range(&mut self) -> Option<Range<usize>> {
        let bytes = self.text.as_bytes();
        self.at = after_space(bytes, self.at);
        if bytes.get(self.at) == Some(&b',') {
            self.at = after_space(bytes, self.at + 1);
        }
        if matches!(bytes.get(self.at), None | Some(b']' | b'}')) {
            return None;
        }
        let range = value_at(self.text, self.at);
        self.at = range.end;
        Some(range)
    }
}

impl Iterator for Elements<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_range()
    }
}

/// The members of an object: the ranges of the key, with its quotation marks, and of the value.
pub(super) struct Members<'t>(Elements<'t>);

impl<'t> Members<'t> {
    /// Those of the object that begins at `at`.
    pub(super) fn of(text: &'t str, at: usize) -> Self {
        Self(Elements::of(text, at))
    }
}

impl Iterator for Members<'_> {
    type Item = (Range<usize>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let key = self.0.next_range()?;
        let colon = after_space(self.0.text.as_bytes(), key.end);
        let value = value_at(self.0.text, colon + 1);
        self.0.at = value.end;
        Some((key, value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_members_and_elements_are_found_whatever_their_strings_hold() {
        let text = r#" { "a\"}" : [ 1 , "]\\" , {"x":[]}, -0.5e3 ] ,"" : null } "#;
        let whole = value_at(text, 0);
        assert_eq!(&text[whole.clone()], text.trim());
        let members: Vec<_> =
            Members::of(text, whole.start).map(|(key, value)| (&text[key], value.start, &text[value])).collect();
        assert_eq!((members[0].0, members[1].0, members[1].2, members.len()), (r#""a\"}""#, r#""""#, "null", 2));
        let elements: Vec<_> = Elements::of(text, members[0].1).map(|range| &text[range]).collect();
        assert_eq!(elements, ["1", r#""]\\""#, r#"{"x":[]}"#, "-0.5e3"]);
        assert_eq!(Elements::of("[ ]", 0).count() + Members::of("{}", 0).count(), 0);
    }
}
