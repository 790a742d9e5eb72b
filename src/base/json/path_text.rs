//! Paths as text. A path that is Unicode is stored as it is; any other in percent-encoding behind `file:`, so that not
//! one byte of it is lost.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

const PREFIX: &str = "file:";
/// What is encoded besides all bytes that are not ASCII.
const ENCODED: &AsciiSet = &CONTROLS.add(b'%');

/// A path as text. A path that itself begins with the prefix is encoded too.
pub(super) fn path_to_text(path: &Path) -> Cow<'_, str> {
    match path.to_str() {
        Some(text) if !text.starts_with(PREFIX) => text.into(),
        _ => format!("{PREFIX}{}", percent_encode(&bytes_of(path), ENCODED)).into(),
    }
}

/// The path that [`path_to_text`] made a text of.
pub(super) fn path_from_text(text: &str) -> PathBuf {
    text.strip_prefix(PREFIX).map_or_else(|| text.into(), |encoded| path_of(percent_decode_str(encoded).collect()))
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> Cow<'_, [u8]> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().into()
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(bytes).into()
}

/// Elsewhere only halves of UTF-16 pairs are not Unicode. They are replaced.
#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Cow<'_, [u8]> {
    path.to_string_lossy().into_owned().into_bytes().into()
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&bytes).into_owned().into()
}

/// A path in the fields of types that are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathText(pub PathBuf);

impl Serialize for PathText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&path_to_text(&self.0))
    }
}

impl<'de> Deserialize<'de> for PathText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(path_from_text(&Cow::<str>::deserialize(deserializer)?)))
    }
}

/// For a field that may hold a path: `#[serde(with = "json::optional_path")]`.
pub mod optional_path {
    use super::*;

    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_deref().map(path_to_text).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
        Ok(Option::<PathText>::deserialize(deserializer)?.map(|path| path.0))
    }
}

/// For a field that holds a list of paths: `#[serde(with = "json::path_list")]`.
pub mod path_list {
    use super::*;

    pub fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| path_to_text(path)))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
        Ok(Vec::<PathText>::deserialize(deserializer)?.into_iter().map(|path| path.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_comes_back_and_unicode_paths_are_stored_as_they_are() {
        for text in ["", "/shows/ada.glb", "/работа/顔 😀/a%20b.glb", "files:/a", "C:\\heads\\ada.glb"] {
            assert_eq!(path_to_text(Path::new(text)), text);
            assert_eq!(path_from_text(text), Path::new(text));
        }
        for text in ["file:a", "file:///a b", "file:%e9"] {
            assert_eq!(path_from_text(&path_to_text(Path::new(text))).as_os_str(), text);
        }
    }

    #[cfg(unix)]
    #[test]
    fn paths_of_any_bytes_come_back() {
        use std::os::unix::ffi::OsStrExt;
        let all: Vec<u8> = (1..=255).collect();
        for bytes in [&b"/heads/caf\xe9.glb"[..], b"\xff\xfe", b"100%\x80", b"file:\xf0", &all] {
            let path = Path::new(std::ffi::OsStr::from_bytes(bytes));
            let text = path_to_text(path);
            assert_eq!(path_from_text(&text).as_os_str().as_bytes(), bytes, "{text}");
        }
        assert_eq!(path_to_text(Path::new(std::ffi::OsStr::from_bytes(b"/a b/caf\xe9.glb"))), "file:/a b/caf%E9.glb");
    }
}
