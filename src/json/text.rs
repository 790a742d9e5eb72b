//! The text of a JSON file whose syntax was checked.

use std::borrow::Cow;

use serde::de::IgnoredAny;

use super::JsonError;
use super::lost::LostValue;
use super::scan::{Members, value_at};

/// The text of a file: one valid JSON value.
pub(crate) struct Text<'b> {
    pub(super) text: Cow<'b, str>,
    /// The first bytes that are not text, if there are any.
    pub(super) damage: Option<LostValue>,
}

impl<'b> Text<'b> {
    /// Decodes the bytes of a file and checks its syntax. A byte order mark is allowed. Bytes that are no text are replaced, since
    /// only the names that they are in are damaged.
    pub(crate) fn of(bytes: &'b [u8]) -> Result<Self, JsonError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let (text, damage) = match bytes {
            [0xff, 0xfe, rest @ ..] => (utf16(rest, u16::from_le_bytes).into(), None),
            [0xfe, 0xff, rest @ ..] => (utf16(rest, u16::from_be_bytes).into(), None),
            _ => match std::str::from_utf8(bytes) {
                Ok(text) => (text.into(), None),
                Err(error) => {
                    let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
                    let problem = "bytes that are not UTF-8 text were replaced by \u{fffd}".into();
                    (String::from_utf8_lossy(bytes), Some(LostValue { place: "text".into(), line, problem }))
                }
            },
        };
        match serde_json::from_str::<IgnoredAny>(&text) {
            Ok(_) => Ok(Self { text, damage }),
            Err(error) => Err(JsonError::Broken(error.to_string())),
        }
    }
}

/// How many members of an object are numbers, objects, and others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemberKinds {
    pub numbers: usize,
    pub objects: usize,
    pub others: usize,
}

impl Text<'_> {
    /// The kinds of the members of the whole, if it is an object.
    pub(crate) fn members(&self) -> MemberKinds {
        let mut kinds = MemberKinds::default();
        let range = value_at(&self.text, 0);
        if !self.text[range.clone()].starts_with('{') {
            return kinds;
        }
        for (_, value) in Members::of(&self.text, range.start) {
            match self.text.as_bytes()[value.start] {
                b'{' => kinds.objects += 1,
                b'-' | b'0'..=b'9' => kinds.numbers += 1,
                _ => kinds.others += 1,
            }
        }
        kinds
    }
}

fn utf16(bytes: &[u8], unit: impl Fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks().0.iter().map(|&pair| unit(pair));
    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
