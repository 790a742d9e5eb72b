//! Reads the JSON of captures, and the NaN and Infinity that Python writes into it. A capture has up to millions of
//! small objects, and each takes far more memory as a tree of values than as text; so the lists of a capture are read
//! element by element.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::EXPECTED_FORMATS;
use crate::import::content::has_version;
use crate::import::error::Fault;
use crate::import::json_tree::JsonTree;
use smirk_base::progress::{Progress, Ticks};
use smirk_face::head::{Notes, Subject};

/// The outermost value of a capture. Its parts are texts that were checked to be JSON and are not parsed yet.
#[derive(Debug)]
pub(super) enum Root<'t> {
    List(JsonText<'t>),
    Object(BTreeMap<String, JsonText<'t>>),
    Gltf,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct JsonText<'t>(&'t RawValue);

/// Replaces `NaN` and `Infinity`, which Python writes and JSON does not have, by null, with a note.
pub(super) fn repaired<'t>(text: &'t str, notes: &mut Notes) -> Cow<'t, str> {
    let (text, count) = without_nan(text.trim_start());
    if count > 0 {
        notes.warn(Subject::field("JSON"), format!("{count} numbers are NaN or infinite: they count as missing"));
    }
    text
}

/// The list of the values of a text that has one in each line, as logs of messages do; the text itself if it has not.
pub(super) fn joined_lines(text: Cow<'_, str>) -> Cow<'_, str> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let [first, second] = [lines.next(), lines.next()];
    let is_object =
        |line: Option<&str>| line.is_some_and(|line| line.trim().starts_with('{') && line.trim().ends_with('}'));
    let is_whole = first.is_some_and(|line| serde_json::from_str::<IgnoredAny>(line).is_ok());
    if !(is_object(first) && is_object(second) && is_whole) {
        return text;
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    format!("[{}]", lines.join(",")).into()
}

impl<'t> Root<'t> {
    /// Checks that a text is JSON, and finds the parts of its outermost value: the elements of a list, or the wanted
    /// fields. A file of glTF, whose reader parses it, is read up to its `asset` only.
    pub(super) fn new(text: &'t str, is_wanted: fn(&str) -> bool) -> Result<Self, Fault> {
        if !text.starts_with('{') {
            return serde_json::from_str(text).map(|list| Self::List(JsonText(list))).map_err(wrong);
        }
        let is_gltf = Cell::new(false);
        let mut deserializer = serde_json::Deserializer::from_str(text);
        let fields = deserializer.deserialize_map(FieldsVisitor { is_wanted, is_gltf: &is_gltf });
        match fields.and_then(|fields| deserializer.end().map(|()| fields)) {
            Err(_) if is_gltf.get() => Ok(Self::Gltf),
            fields => fields.map(Self::Object).map_err(wrong),
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<JsonText<'t>> {
        match self {
            Self::List(_) | Self::Gltf => None,
            Self::Object(fields) => fields.get(name).copied(),
        }
    }

    /// A field as a tree; none if the file does not have it.
    pub(super) fn parse(&self, name: &'static str, progress: Progress<'_>) -> Result<Option<Value>, Fault> {
        self.get(name).map(|value| value.parse_as(&Subject::field(name), progress)).transpose()
    }

    /// A field that has to be a list.
    pub(super) fn list(&self, name: &'static str) -> Result<JsonText<'t>, Fault> {
        let list = self.get(name).filter(|value| value.is_list());
        list.ok_or_else(|| Fault::invalid(Subject::field(name), "is missing or not a list"))
    }

    pub(super) fn fields(&self) -> impl Iterator<Item = (&str, JsonText<'t>)> {
        let fields = if let Self::Object(fields) = self { Some(fields) } else { None };
        fields.into_iter().flatten().map(|(name, text)| (name.as_str(), *text))
    }
}

fn wrong(error: serde_json::Error) -> Fault {
    Fault::invalid(Subject::field("JSON"), error.to_string())
}

impl<'t> JsonText<'t> {
    /// The largest tree of one element, in bytes. A frame of a thousand scores takes a megabyte.
    const MOST_TREE_BYTES: u64 = 64 << 20;

    pub(super) fn is_list(self) -> bool {
        self.0.get().starts_with('[')
    }

    /// The value as a tree. Errors are about `subject`.
    pub(super) fn parse_as(self, subject: &Subject, progress: Progress<'_>) -> Result<Value, Fault> {
        let tree = JsonTree::new(Self::MOST_TREE_BYTES, ("reading frames", 0.5), progress);
        tree.parse(self.0.get().as_bytes()).map_err(|fault| fault.about(subject, ToString::to_string))
    }

    /// The elements of a list, one after another, with their indices.
    pub(super) fn each(
        self,
        progress: Progress<'_>,
        mut read: impl FnMut(usize, JsonText<'t>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let (mut fault, mut index) = (None, 0);
        let mut ticks = Ticks::new(progress, "reading frames", 0.5);
        let visitor = ListVisitor(|text| {
            let outcome = ticks.tick().map_err(Fault::from).and_then(|()| read(index, JsonText(text)));
            index += 1;
            outcome.map_err(|why| fault = Some(why)).is_ok()
        });
        let outcome = serde_json::Deserializer::from_str(self.0.get()).deserialize_seq(visitor);
        fault.map_or_else(|| outcome.map_err(wrong), Err)
    }

    pub(super) fn count(self, progress: Progress<'_>) -> Result<usize, Fault> {
        let mut count = 0;
        self.each(progress, |_, _| {
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }
}

struct FieldsVisitor<'g> {
    is_wanted: fn(&str) -> bool,
    is_gltf: &'g Cell<bool>,
}

impl<'de> Visitor<'de> for FieldsVisitor<'_> {
    type Value = BTreeMap<String, JsonText<'de>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        /// One name can be written in many ways, with other letter cases and separators.
        const MOST_FIELDS: usize = 256;
        let mut found = BTreeMap::new();
        while let Some(name) = fields.next_key::<Cow<'_, str>>()? {
            if name == "asset" {
                if has_version(fields.next_value()?) {
                    self.is_gltf.set(true);
                    return Err(A::Error::custom("the rest is read as glTF"));
                }
            } else if (self.is_wanted)(&name) && found.len() < MOST_FIELDS {
                found.insert(name.into_owned(), JsonText(fields.next_value()?));
            } else {
                fields.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

struct ListVisitor<F>(F);

impl<'de, F: FnMut(&'de RawValue) -> bool> Visitor<'de> for ListVisitor<F> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut elements: A) -> Result<(), A::Error> {
        while let Some(text) = elements.next_element::<&RawValue>()? {
            if !self.0(text) {
                return Err(A::Error::custom("stopped"));
            }
        }
        Ok(())
    }
}

pub(super) struct Names {
    /// The first of them: as many as there may be columns, and one more.
    pub first: Vec<String>,
    pub count: usize,
}

impl Names {
    /// Reads a list of names. The error is the index of the first element that is not text.
    pub(super) fn read(list: JsonText<'_>, most: usize, progress: Progress<'_>) -> Result<Result<Self, usize>, Fault> {
        let (mut names, mut not_text) = (Self { first: Vec::new(), count: 0 }, None);
        list.each(progress, |index, text| {
            match serde_json::from_str::<Cow<'_, str>>(text.0.get()) {
                Ok(name) if names.first.len() <= most => names.first.push(name.into_owned()),
                Ok(_) => {}
                Err(_) => drop(not_text.get_or_insert(index)),
            }
            names.count += 1;
            Ok(())
        })?;
        Ok(not_text.map_or(Ok(names), Err))
    }
}

pub(super) fn no_frames() -> Fault {
    Fault::Unfit(format!("its JSON is not a capture: there is no list of frames; {EXPECTED_FORMATS}"))
}

/// The text with `NaN`, `Infinity` and `-Infinity` outside strings replaced by `null`, and their number. Line numbers
/// in errors stay correct; column numbers after a replacement may not.
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
        let mut notes = Notes::default();
        let text = repaired(r#" {"NaN \" Infinity": [NaN, -Infinity, Infinity, 1, "NaN"]}"#, &mut notes);
        assert_eq!(text, r#"{"NaN \" Infinity": [null, null, null, 1, "NaN"]}"#);
        let notes = notes.into_list();
        assert!(notes[0].message.starts_with("3 numbers"), "{notes:?}");
    }

    #[test]
    fn errors_have_line_and_column() {
        for text in ["{\"a\": [1, 2", "[NaN, \"", "[1,\n 2,,]", &"[".repeat(100_000)] {
            let message = Root::new(&repaired(text, &mut Notes::default()), |_| true).unwrap_err().to_string();
            assert!(message.contains("line ") && message.contains("column "), "{message}");
        }
    }
}
