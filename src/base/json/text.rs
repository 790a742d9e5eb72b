//! The text of a JSON file whose syntax was checked.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use serde::de::{DeserializeOwned, IgnoredAny};

use super::error::{Fault, JsonError, memory_of};
use super::lost::{LostValue, LostValues, Misfit, outermost};
use super::reader::{Place, Reader, Value};
use super::scan::{Members, value_at};

/// How many times reading may begin again because a type refused a value that had the right form: as often as fits into this many bytes
/// that are read, within these limits.
const REFUSED_BYTES: usize = 256 << 20;
const MAX_REFUSED: [usize; 2] = [64, 1024];

/// The text of a file: one valid JSON value.
pub struct Text<'b> {
    text: Cow<'b, str>,
    /// The first bytes that are not text, if there are any.
    damage: Option<LostValue>,
}

impl<'b> Text<'b> {
    /// Decodes the bytes of a file and checks its syntax. A byte order mark is allowed. Bytes that are no text are replaced, since
    /// only the names that they are in are damaged.
    pub fn of(bytes: &'b [u8]) -> Result<Self, JsonError> {
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

impl Text<'_> {
    /// Reads the text into two types that have different members of one object, and returns what had to be left out of either.
    pub fn read_both<A: DeserializeOwned, B: DeserializeOwned>(&self) -> Result<((A, B), LostValues), JsonError> {
        let ((first, lost), (second, also_lost)) = (self.read()?, self.read()?);
        Ok(((first, second), lost.with(also_lost)))
    }

    /// Reads the text into a type, and returns what had to be left out.
    pub fn read<T: DeserializeOwned>(&self) -> Result<(T, LostValues), JsonError> {
        let text: &str = &self.text;
        let too_large = || JsonError::TooLarge { bytes: text.len() };
        u32::try_from(text.len()).map_err(|_| too_large())?;
        let mut reader = Reader {
            text,
            left_out: Vec::new(),
            required: Vec::new(),
            found: RefCell::default(),
            max_bytes: memory_of(text.len()),
            used_bytes: Cell::new(0),
        };
        let range = value_at(text, 0);
        let mut misfits: Vec<Misfit> = Vec::new();
        let most_refused = (REFUSED_BYTES / text.len().max(1)).clamp(MAX_REFUSED[0], MAX_REFUSED[1]);
        let mut refused = 0;
        loop {
            reader.used_bytes.set(misfits.len() * 2 * size_of::<Misfit>());
            let outcome = T::deserialize(Value { reader: &reader, place: &Place::Root, range: range.clone() });
            let mut found = std::mem::take(&mut *reader.found.borrow_mut());
            if let Some(whole) = found.iter_mut().find(|misfit| misfit.range.start as usize == range.start) {
                let problem = whole.words.take().map_or_else(String::new, |(_, problem)| problem);
                return Err(JsonError::Broken(problem));
            }
            match outcome {
                Ok(value) if found.is_empty() => {
                    let mut lost = outermost(text, misfits);
                    lost.count += usize::from(self.damage.is_some());
                    lost.listed.splice(0..0, self.damage.clone());
                    return Ok((value, lost));
                }
                Ok(_) => leave_out(&mut reader, &mut misfits, found),
                Err(Fault::Refused) if refused < most_refused => {
                    refused += 1;
                    leave_out(&mut reader, &mut misfits, found);
                }
                Err(Fault::Required { owner, field }) if !reader.required.contains(&(owner, field)) => {
                    reader.required.push((owner, field));
                }
                Err(Fault::TooLarge) => return Err(too_large()),
                Err(fault) => return Err(JsonError::Broken(fault.to_string())),
            }
        }
    }
}

fn leave_out(reader: &mut Reader<'_>, misfits: &mut Vec<Misfit>, found: Vec<Misfit>) {
    reader.left_out.extend(found.iter().map(|misfit| misfit.range.start));
    reader.left_out.sort_unstable();
    misfits.extend(found);
}

/// How many members of an object are numbers, objects, and others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemberKinds {
    pub numbers: usize,
    pub objects: usize,
    pub others: usize,
}

impl Text<'_> {
    /// The kinds of the members of the whole, if it is an object.
    pub fn members(&self) -> MemberKinds {
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
