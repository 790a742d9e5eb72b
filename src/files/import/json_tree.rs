//! Parses JSON to a tree of values within a limit on its memory. A tree takes up to a hundred times the memory of its
//! text: an object with one short key has 8 bytes in a file and 700 in memory.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::error::{Fault, Problem};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::Subject;

/// A longer name is cut. Names are copied to many places: to channels, nodes, instances and notes.
const LONGEST_NAME: usize = 1024;

#[derive(Debug, thiserror::Error)]
pub(super) enum JsonFault {
    #[error(transparent)]
    Cancelled(Cancelled),
    #[error(transparent)]
    TooLarge(Problem),
    #[error(transparent)]
    Syntax(serde_json::Error),
}

impl JsonFault {
    /// The fault of an object whose text is parsed. `in_words` is what to say of an error of syntax.
    pub(super) fn about(
        self,
        subject: impl Into<Subject>,
        in_words: impl FnOnce(&serde_json::Error) -> String,
    ) -> Fault {
        match self {
            Self::Cancelled(cancelled) => Fault::Cancelled(cancelled),
            Self::TooLarge(problem) => Fault::invalid(subject, problem),
            Self::Syntax(error) => Fault::invalid(subject, in_words(&error)),
        }
    }
}

/// The limit on the memory of a tree, and what it takes so far.
pub(super) struct JsonTree<'a> {
    most_bytes: u64,
    bytes: Cell<u64>,
    steps: Cell<u32>,
    is_cancelled: Cell<bool>,
    progress: Progress<'a>,
    stage: (&'static str, f32),
}

impl<'a> JsonTree<'a> {
    /// Every file may have a tree of this size; the tree of a typical text is ten times as large as the text.
    const BASE_BYTES: u64 = 288 << 20;
    /// Large files may have this many times the size of their text in addition; most of a large text is numbers or
    /// base64.
    const TIMES_TEXT: u64 = 2;
    const STEPS_BETWEEN_REPORTS: u32 = 4096;

    /// A tree as large as a text of `text_bytes` bytes justifies.
    pub(super) fn of_text(text_bytes: usize, stage: (&'static str, f32), progress: Progress<'a>) -> Self {
        Self::new(Self::BASE_BYTES + Self::TIMES_TEXT * text_bytes as u64, stage, progress)
    }

    pub(super) fn new(most_bytes: u64, stage: (&'static str, f32), progress: Progress<'a>) -> Self {
        let (bytes, steps, is_cancelled) = (Cell::new(0), Cell::new(0), Cell::new(false));
        Self { most_bytes, bytes, steps, is_cancelled, progress, stage }
    }

    /// Parses a text. Of `extras`, in which any program stores what it likes, only the names of targets and the numbers
    /// of hair are kept.
    pub(super) fn parse(&self, text: &[u8]) -> Result<Value, JsonFault> {
        self.bytes.set(0);
        let mut deserializer = serde_json::Deserializer::from_slice(text);
        let parsed = ValueSeed { tree: self, role: Role::Any }.deserialize(&mut deserializer);
        parsed.and_then(|value| deserializer.end().map(|()| value)).map_err(|error| match error {
            _ if self.is_cancelled.get() => JsonFault::Cancelled(Cancelled),
            _ if self.bytes.get() > self.most_bytes => {
                let (most, text) = (self.most_bytes >> 20, text.len());
                let problem = format!(
                    "has so many small objects that its {text} bytes would take more than {most} MiB of memory"
                );
                JsonFault::TooLarge(Problem::new(problem).advise("export it again with fewer objects, or split it"))
            }
            error => JsonFault::Syntax(error),
        })
    }

    fn spend<E: Error>(&self, bytes: usize) -> Result<(), E> {
        self.bytes.set(self.bytes.get().saturating_add(bytes as u64));
        if self.bytes.get() > self.most_bytes { Err(E::custom("too large")) } else { Ok(()) }
    }

    fn step<E: Error>(&self) -> Result<(), E> {
        self.steps.set(self.steps.get() + 1);
        if self.steps.get() >= Self::STEPS_BETWEEN_REPORTS {
            self.steps.set(0);
            let (stage, fraction) = self.stage;
            return self.progress.report(stage, fraction).map_err(|cancelled| {
                self.is_cancelled.set(true);
                E::custom(cancelled)
            });
        }
        Ok(())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Any,
    Name,
    Extras,
}

impl Role {
    fn of_key(key: &str) -> Self {
        match key {
            "name" | "targetNames" => Self::Name,
            "extras" => Self::Extras,
            _ => Self::Any,
        }
    }
}

struct ValueSeed<'t, 'a> {
    tree: &'t JsonTree<'a>,
    role: Role,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_, '_> {
    type Value = Value;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.tree.step()?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueSeed<'_, '_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        /// Up to here, every integer is a float of its own.
        const MOST: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
        // glTF 2.0 §2.2: integers may be written as floats without a fractional part. Number 0 may have a sign.
        let is_integer = value.fract() == 0.0 && value.abs() <= MOST && (value != 0.0 || value.is_sign_positive());
        Ok(match is_integer {
            true if value >= 0.0 => Value::Number((value as u64).into()),
            true => Value::Number((value as i64).into()),
            false => Number::from_f64(value).map_or(Value::Null, Value::Number),
        })
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        let is_long_name = self.role == Role::Name && text.len() > LONGEST_NAME;
        let text =
            if is_long_name { format!("{}…", &text[..text.floor_char_boundary(LONGEST_NAME)]) } else { text.into() };
        self.tree.spend(text.len().max(SMALLEST_ALLOCATION))?;
        Ok(Value::String(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        if self.role == Role::Extras {
            while elements.next_element::<IgnoredAny>()?.is_some() {
                self.tree.step()?;
            }
            return Ok(Value::Array(Vec::new()));
        }
        let mut list = Vec::new();
        while let Some(value) = elements.next_element_seed(ValueSeed { tree: self.tree, role: self.role })? {
            // A list has room for four values at first.
            let room = if list.is_empty() { 4 } else { usize::from(list.len() >= 4) };
            self.tree.spend(room * size_of::<Value>())?;
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        /// A map consists of nodes with room for eleven fields, about half of which are in use.
        const FIELDS_OF_NODE: usize = 6;
        const NODE_BYTES: usize = 11 * (size_of::<String>() + size_of::<Value>()) + 24;
        let mut map = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            let role = Role::of_key(&key);
            if self.role == Role::Extras && key != "targetNames" && key != "strands" {
                fields.next_value::<IgnoredAny>()?;
                self.tree.step()?;
                continue;
            }
            let node = if map.len().is_multiple_of(FIELDS_OF_NODE) { NODE_BYTES } else { 0 };
            self.tree.spend(node + key.len().max(SMALLEST_ALLOCATION))?;
            map.insert(key, fields.next_value_seed(ValueSeed { tree: self.tree, role })?);
        }
        Ok(Value::Object(map))
    }
}

const SMALLEST_ALLOCATION: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, most_bytes: u64) -> Result<Value, JsonFault> {
        JsonTree::new(most_bytes, ("reading", 0.0), Progress::NONE).parse(text.as_bytes())
    }

    #[test]
    fn values_are_those_of_serde_json() {
        let text = r#"{"a": [1, -2, 3.5, 1e300, true, null, "x\n", {}, []], "b": {"c": {"d": 18446744073709551615}}, "a2": ""}"#;
        assert_eq!(parse(text, 1 << 20).unwrap(), serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(parse(r#"{"a": 1, "a": 2}"#, 1 << 20).unwrap()["a"], 2);
        let integral = parse("[64.0, 1e3, -2.0, 0.0, -0.0, 9007199254740992.0, 1e17, 0.5]", 1 << 20).unwrap();
        assert_eq!(integral.to_string(), "[64,1000,-2,0,-0.0,9007199254740992,1e+17,0.5]");
        for text in ["", "{", "[1,]", "{} x", "[1] 2", r#"{"a"}"#] {
            let error = serde_json::from_str::<Value>(text).unwrap_err().to_string();
            assert_eq!(parse(text, 1 << 20).unwrap_err().to_string(), error, "{text}");
        }
    }

    #[test]
    fn extras_are_not_kept_but_for_the_names_of_targets() {
        let text =
            r#"{"extras": {"x": [1, {"y": 2}], "targetNames": ["a"]}, "nodes": [{"extras": [1, 2]}, {"extras": "t"}]}"#;
        let expected = r#"{"extras": {"targetNames": ["a"]}, "nodes": [{"extras": []}, {"extras": "t"}]}"#;
        assert_eq!(parse(text, 1 << 20).unwrap(), serde_json::from_str::<Value>(expected).unwrap());
        let huge = format!(r#"{{"extras": {{"x": [{}]}}}}"#, vec![r#"{"a":1}"#; 100_000].join(","));
        assert!(parse(&huge, 1 << 20).is_ok());
    }

    #[test]
    fn a_tree_that_would_take_too_much_memory_is_refused_with_numbers() {
        let objects = format!("[{}]", vec![r#"{"a":1}"#; 100_000].join(","));
        let error = parse(&objects, 16 << 20).unwrap_err().to_string();
        assert!(error.contains("800001 bytes") && error.contains("16 MiB") && error.contains("; "), "{error}");
        assert!(parse(&format!("[{}]", vec!["1"; 100_000].join(",")), 16 << 20).is_ok());
    }

    #[test]
    fn long_names_are_cut() {
        let text = format!(r#"{{"name": "{0}", "uri": "{0}", "targetNames": ["{0}"]}}"#, "é".repeat(5000));
        let value = parse(&text, 1 << 20).unwrap();
        let length = |value: &Value| value.as_str().unwrap().chars().count();
        assert_eq!((length(&value["name"]), length(&value["uri"]), length(&value["targetNames"][0])), (513, 5000, 513));
    }

    #[test]
    fn parsing_ends_soon_after_it_is_cancelled() {
        let asked = Cell::new(0);
        let progress = |_: &str, _: f32| {
            asked.set(asked.get() + 1);
            if asked.get() == 3 { Err(Cancelled) } else { Ok(()) }
        };
        let text = format!("[{}]", vec!["1"; 100_000].join(","));
        let tree = JsonTree::new(1 << 30, ("reading", 0.0), Progress::new(&progress));
        assert!(matches!(tree.parse(text.as_bytes()), Err(JsonFault::Cancelled(_))));
        assert_eq!(asked.get(), 3);
    }
}
