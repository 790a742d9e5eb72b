//! Decodes text in the encodings that spreadsheets and capture programs write, and compares the names of its fields.

use std::borrow::Cow;

use super::EXPECTED_FORMATS;
use crate::import::error::Fault;
use smirk_face::head::{Notes, Subject};

/// The file as text: UTF-8 or UTF-16, with or without byte order mark, else Latin-1.
pub(super) fn decode<'a>(bytes: &'a [u8], notes: &mut Notes) -> Result<Cow<'a, str>, Fault> {
    decode_as(bytes, EXPECTED_FORMATS, notes)
}

/// [`decode`] for files of another kind: `expected` names the kind in the message about a file that is no text.
pub(in crate::import) fn decode_as<'a>(
    bytes: &'a [u8],
    expected: &str,
    notes: &mut Notes,
) -> Result<Cow<'a, str>, Fault> {
    let text = match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => utf8_or_latin1(rest, expected, notes)?,
        [0xFF, 0xFE, rest @ ..] => Cow::Owned(utf16(rest, u16::from_le_bytes)),
        [0xFE, 0xFF, rest @ ..] => Cow::Owned(utf16(rest, u16::from_be_bytes)),
        // UTF-16 without byte order mark: every second byte of ASCII text is zero.
        [first, 0, second, 0, ..] if *first != 0 && *second != 0 => Cow::Owned(utf16(bytes, u16::from_le_bytes)),
        [0, first, 0, second, ..] if *first != 0 && *second != 0 => Cow::Owned(utf16(bytes, u16::from_be_bytes)),
        _ => utf8_or_latin1(bytes, expected, notes)?,
    };
    if text.trim().is_empty() {
        return Err(Fault::Unfit(format!("is empty ({} bytes); export it again", bytes.len())));
    }
    Ok(text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|two| unit([two[0], two[1]]));
    char::decode_utf16(units).map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

fn utf8_or_latin1<'a>(bytes: &'a [u8], expected: &str, notes: &mut Notes) -> Result<Cow<'a, str>, Fault> {
    if let Some(at) = bytes.iter().position(|byte| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0C)) {
        return Err(Fault::Unfit(format!("is not text (byte {at} is {:#04x}); {expected}", bytes[at])));
    }
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(error) => {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            let message = format!("is not UTF-8 (line {line}); read as Latin-1, so names with accents may be wrong");
            notes.warn(Subject::field("text"), message);
            Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect())
        }
    })
}

/// Whether a name is `key`, compared without case and without anything but letters and digits. `key` is in lower case
/// and has only those.
pub(super) fn is_key(name: &str, key: &str) -> bool {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).eq(key.chars())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_the_same_text() {
        let units: Vec<u16> = "Tête,1".encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        let with_mark = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
        for bytes in [
            "Tête,1".as_bytes().to_vec(),
            with_mark(b"\xEF\xBB\xBF", "Tête,1".as_bytes()),
            with_mark(b"\xFF\xFE", &little),
            with_mark(b"\xFE\xFF", &big),
            little,
            big,
        ] {
            let mut notes = Notes::default();
            assert_eq!(decode(&bytes, &mut notes).unwrap(), "Tête,1", "{bytes:x?}");
            assert!(notes.into_list().is_empty());
        }
        let mut notes = Notes::default();
        assert_eq!(decode(b"a\nT\xEAte,1", &mut notes).unwrap(), "a\nTête,1");
        let notes = notes.into_list();
        assert!(notes[0].message.contains("line 2"), "{notes:?}");
    }

    #[test]
    fn files_that_are_not_text_are_refused() {
        let message = |bytes: &[u8]| decode(bytes, &mut Notes::default()).unwrap_err().to_string();
        assert!(message(b"").contains("is empty (0 bytes)"));
        assert!(message(b"\xEF\xBB\xBF \r\n").contains("is empty (6 bytes)"));
        assert!(message(b"\x89PNG\r\n\x1a\n\0").contains("byte 6 is 0x1a"));
    }
}
