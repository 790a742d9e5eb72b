//! Parses JSON, and the NaN and Infinity that Python writes into it.

use std::borrow::Cow;

use serde_json::Value;

use crate::head::{Note, Subject};
use crate::import::error::Fault;

/// Parses text; `NaN` and `Infinity`, which Python writes and JSON does not have, become null.
pub(super) fn parse(text: &str, notes: &mut Vec<Note>) -> Result<Value, Fault> {
    let (text, count) = without_nan(text.trim_start());
    if count > 0 {
        notes.push(Note::warning(
            Subject::field("JSON"),
            format!("{count} numbers are NaN or infinite: they count as missing"),
        ));
    }
    serde_json::from_str(&text).map_err(|error| Fault::invalid(Subject::field("JSON"), error.to_string()))
}

/// The text with `NaN`, `Infinity` and `-Infinity` outside strings replaced by `null`, and their number. Line numbers in
/// errors stay correct; column numbers after a replacement may not.
fn without_nan(text: &str) -> (Cow<'_, str>, usize) {
    if !text.contains("NaN") && !text.contains("Infinity") {
        return (Cow::Borrowed(text), 0);
    }
    let (mut out, mut count) = (String::with_capacity(text.len()), 0);
    // The text alternates between parts outside and inside strings.
    let (mut is_in_string, mut rest) = (false, text);
    while !rest.is_empty() {
        let end = if is_in_string { end_of_string(rest) } else { rest.find('"').map_or(rest.len(), |at| at + 1) };
        let (part, tail) = rest.split_at(end);
        if is_in_string {
            out.push_str(part);
        } else {
            count += part.matches("NaN").count() + part.matches("Infinity").count();
            out.push_str(&part.replace("-Infinity", "null").replace("Infinity", "null").replace("NaN", "null"));
        }
        is_in_string = !is_in_string;
        rest = tail;
    }
    (Cow::Owned(out), count)
}

/// The position after the closing quotation mark of a string whose content `text` begins with.
fn end_of_string(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_and_infinity_become_null_outside_strings() {
        let mut notes = Vec::new();
        let value = parse(r#" {"NaN \" Infinity": [NaN, -Infinity, Infinity, 1, "NaN"]}"#, &mut notes).unwrap();
        assert_eq!(value, serde_json::json!({"NaN \" Infinity": [null, null, null, 1, "NaN"]}));
        assert!(notes[0].message.starts_with("3 numbers"), "{notes:?}");
    }

    #[test]
    fn errors_have_line_and_column() {
        for text in ["{\"a\": [1, 2", "[NaN, \"", "[1,\n 2,,]", &"[".repeat(100_000)] {
            let message = parse(text, &mut Vec::new()).unwrap_err().to_string();
            assert!(message.contains("line ") && message.contains("column "), "{message}");
        }
    }
}
