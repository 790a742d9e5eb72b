//! Reading the program's own JSON files straight into their types. What does not fit its type is one error with line
//! and column.

mod path_text;

use std::fmt;

use serde::de::{DeserializeOwned, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use crate::names::one_line;

pub use self::path_text::{PathText, optional_path, path_list};

/// Why a file is not read: what does not fit, with line and column.
#[derive(Debug, thiserror::Error)]
pub struct JsonError(#[from] pub serde_json::Error);

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let place = format!(" at line {} column {}", self.0.line(), self.0.column());
        // A long problem is shortened, its place is not.
        match text.strip_suffix(&place) {
            Some(problem) => write!(f, "{}{place}", one_line(problem.to_owned())),
            None => f.write_str(&one_line(text)),
        }
    }
}

/// Reads a file, which may begin with a byte order mark. Members that the type does not have are ignored, since later
/// versions add some.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, JsonError> {
    read_header::<InRange>(bytes)?;
    read_header(bytes)
}

/// Reads what tells the kind of a file and its version, whatever numbers the rest of a file of a later version holds.
pub fn read_header<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, JsonError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.trim_ascii_start().starts_with(b"[") {
        // serde would read a list as the fields of a type in their order.
        return Err(JsonError(Error::invalid_type(Unexpected::Seq, &"an object")));
    }
    Ok(serde_json::from_slice(bytes)?)
}

/// A list of at most [`Self::MOST`] elements. For elements that a few bytes of text can stand for, each with much more
/// memory.
pub struct BoundedList<T>(pub Vec<T>);

impl<T> BoundedList<T> {
    pub const MOST: usize = 100_000;
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for BoundedList<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(BoundedVisitor(Vec::new()))
    }
}

struct BoundedVisitor<T>(Vec<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for BoundedVisitor<T> {
    type Value = BoundedList<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let Self(mut elements) = self;
        while let Some(element) = list.next_element()? {
            if elements.len() == BoundedList::<T>::MOST {
                return Err(Error::custom(format!("a list has more than {} elements", BoundedList::<T>::MOST)));
            }
            elements.push(element);
        }
        Ok(BoundedList(elements))
    }
}

/// Any value whose numbers are finite as `f32`: serde would read larger ones as infinite, which cannot be written
/// again.
struct InRange;

impl<'de> Deserialize<'de> for InRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for InRange {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self, E> {
        if (number as f32).is_finite() {
            Ok(self)
        } else {
            Err(E::custom(format!("{number:e} is not a number from -3.4e38 to 3.4e38")))
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Self, A::Error> {
        while members.next_entry::<IgnoredAny, Self>()?.is_some() {}
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct File {
        number: f32,
        names: Vec<String>,
    }

    #[test]
    fn what_does_not_fit_is_one_line_with_line_and_column() {
        for (text, words) in [
            ("", "line 1 column 0"),
            ("{\n\"number\": 1,\n", "line 3"),
            ("{\"number\": NaN}", "line 1 column 12"),
            ("[7]", "expected an object"),
            ("{}{}", "trailing"),
            (&r#"{"a":"#.repeat(100_000), "recursion limit"),
            ("{\"names\":\n[7]}", "line 2 column 2"),
            ("{\"names\":\n\n[\"\u{7}\"]}", "line 3"),
            ("{\"number\":\n1e39}", "from -3.4e38 to 3.4e38 at line 2 column 4"),
            ("{\"later\":[{\"a\":-1e300}]}", "from -3.4e38 to 3.4e38 at line 1"),
        ] {
            let error = read::<File>(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(words) && !error.contains(char::is_control), "{text:.40}: {error}");
        }
    }

    #[test]
    fn a_long_problem_keeps_its_place_and_a_bounded_list_ends() {
        let text = format!("{{\n\"number\":\"{}\"}}", "x".repeat(10_000));
        let error = read::<File>(text.as_bytes()).unwrap_err().to_string();
        assert!(error.ends_with(" at line 2 column 10011"), "{error}");
        let list = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
        let parsed = |count: usize| serde_json::from_str::<BoundedList<File>>(&list(count)).map(|list| list.0.len());
        assert_eq!(parsed(100_000).unwrap(), 100_000);
        assert!(parsed(100_001).is_err());
    }

    #[test]
    fn unknown_members_a_byte_order_mark_and_every_finite_number_are_read() {
        let text = "\u{feff}{\"later\":[{\"a\":null}],\"number\":0.5}";
        assert_eq!(read::<File>(text.as_bytes()).unwrap(), File { number: 0.5, names: Vec::new() });
        for bits in
            (0..=u32::MAX).step_by(65_521).chain([f32::MAX, f32::MIN, f32::MIN_POSITIVE, -0.0].map(f32::to_bits))
        {
            let number = f32::from_bits(bits);
            let read = read::<f32>(serde_json::to_string(&number).unwrap().as_bytes());
            assert_eq!(read.ok().map(f32::to_bits), number.is_finite().then_some(bits));
        }
    }
}
