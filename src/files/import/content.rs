//! Recognises the content of a file (head, takes, poses …) before it is read.

use std::borrow::Cow;
use std::fmt;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::markers;
use smirk_base::file_kind::{Content, FileKind, MARKERS, kinds_of};
use smirk_base::regular_file;

/// The largest JSON file that is parsed to recognise its content. Files of poses are smaller.
const MAX_POSES_BYTES: u64 = 1 << 23;

/// The content that the extension stands for. If the extension fits several kinds, as `.json` and `.txt` do, or none, the bytes of
/// the file are examined.
pub fn content_of(path: &Path) -> Content {
    let usual = |kind: &FileKind| kind.opens_as.first().copied();
    match kinds_of(path).collect::<Vec<_>>()[..] {
        [] => content_of_json(path).unwrap_or(Content::Head),
        [only] => usual(only).unwrap_or(Content::Head),
        [first, ..] if MARKERS.matches(path) => {
            let is_markers = start_of(path).is_some_and(|start| markers::is_markers(&start));
            if is_markers { Content::Markers } else { usual(first).unwrap_or(Content::Head) }
        }
        [first, ..] => content_of_json(path).or(usual(first)).unwrap_or(Content::Head),
    }
}

/// The first bytes of a file. An even number, so that no letter of UTF-16 is cut.
fn start_of(path: &Path) -> Option<Vec<u8>> {
    const START_BYTES: u64 = 4096;
    let mut start = Vec::new();
    regular_file::open(path).ok()?.take(START_BYTES).read_to_end(&mut start).ok()?;
    Some(start)
}

/// What a JSON file contains; none for other files and for JSON that is too large to be parsed first.
fn content_of_json(path: &Path) -> Option<Content> {
    let bytes = regular_file::read(path, MAX_POSES_BYTES).ok()?;
    let shape: Shape<Root> = serde_json::from_slice(super::file::without_byte_order_mark(&bytes)).ok()?;
    let Shape::Object(root) = shape else { return Some(Content::Takes) };
    Some(match root.smirk.as_deref() {
        Some("poses") => Content::Poses,
        Some("mapping") => Content::Mapping,
        Some("keys") => Content::Takes,
        Some(_) => Content::Project,
        None if root.has_asset_version => Content::Head,
        None if root.field_count > 0 && (root.is_numbers || root.is_lists_of_weights) => Content::Poses,
        None => Content::Takes,
    })
}

/// The kind of a JSON value: what is needed to recognise the content of a file. The values themselves are not kept.
enum Shape<T> {
    Number,
    Text(String),
    Object(T),
    Other,
}

/// The outermost object.
struct Root {
    /// The value of its field `smirk`.
    smirk: Option<String>,
    has_asset_version: bool,
    field_count: usize,
    /// All its fields are numbers.
    is_numbers: bool,
    /// All its fields are objects whose fields are numbers.
    is_lists_of_weights: bool,
}

/// An object in the outermost object.
struct Inner {
    has_version: bool,
    is_numbers: bool,
}

/// An object of which some facts are read.
trait Fields: Sized {
    fn read<'de, A: MapAccess<'de>>(fields: A) -> Result<Self, A::Error>;
}

impl Fields for Root {
    fn read<'de, A: MapAccess<'de>>(mut fields: A) -> Result<Self, A::Error> {
        let mut root =
            Self { smirk: None, has_asset_version: false, field_count: 0, is_numbers: true, is_lists_of_weights: true };
        while let Some(key) = fields.next_key::<Cow<'_, str>>()? {
            let value: Shape<Inner> = fields.next_value()?;
            root.field_count += 1;
            root.is_numbers &= matches!(value, Shape::Number);
            root.is_lists_of_weights &= matches!(value, Shape::Object(Inner { is_numbers: true, .. }));
            match (key.as_ref(), value) {
                ("smirk", Shape::Text(text)) => root.smirk = Some(text),
                ("asset", Shape::Object(inner)) => root.has_asset_version = inner.has_version,
                _ => {}
            }
        }
        Ok(root)
    }
}

impl Fields for Inner {
    fn read<'de, A: MapAccess<'de>>(mut fields: A) -> Result<Self, A::Error> {
        let mut inner = Self { has_version: false, is_numbers: true };
        while let Some(key) = fields.next_key::<Cow<'_, str>>()? {
            inner.has_version |= key == "version";
            inner.is_numbers &= matches!(fields.next_value::<Shape<Unread>>()?, Shape::Number);
        }
        Ok(inner)
    }
}

/// An object whose fields do not matter.
struct Unread;

impl Fields for Unread {
    fn read<'de, A: MapAccess<'de>>(mut fields: A) -> Result<Self, A::Error> {
        while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Self)
    }
}

impl<'de, T: Fields> Deserialize<'de> for Shape<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShapeVisitor(std::marker::PhantomData))
    }
}

struct ShapeVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Fields> Visitor<'de> for ShapeVisitor<T> {
    type Value = Shape<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any valid JSON value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Shape::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(Shape::Number)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(Shape::Number)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(Shape::Number)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Shape::Other)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Shape::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Shape::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<Self::Value, A::Error> {
        T::read(fields).map(Shape::Object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_recognised_by_extension_and_json_by_content() {
        let folder = tempfile::tempdir().unwrap();
        let content = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            content_of(&path)
        };
        for (name, text, expected) in [
            ("a.GLB", "", Content::Head),
            ("a.vrm", "", Content::Head),
            ("a.OBJ", "", Content::Head),
            ("a.smirk", "", Content::Project),
            ("a.csv", "", Content::Takes),
            ("a.txt", "", Content::Takes),
            ("a.txt", "0.5\t1.0\tma\n", Content::Markers),
            ("a.txt", "File type = \"ooTextFile\"\n", Content::Markers),
            ("a.TextGrid", "", Content::Markers),
            ("a.WAV", "", Content::Sound),
            ("a.mov", "", Content::Sound),
            ("a.pc2", "", Content::Frames),
            ("a.MDD", "", Content::Frames),
            ("a.json", r#"{"smirk":"poses","version":1,"poses":[]}"#, Content::Poses),
            ("a.json", r#"{"smirk":"mapping","version":1,"columns":[]}"#, Content::Mapping),
            ("a.json", r#"{"smirk":"project","version":1}"#, Content::Project),
            ("a.json", r#"{"smirk":"keys","version":1,"keys":{}}"#, Content::Takes),
            ("a.json", r#"{"mouthSmileLeft":0.8}"#, Content::Poses),
            ("a.json", "\u{feff}{\"smile\":{\"mouthSmileLeft\":0.8},\"rest\":{}}", Content::Poses),
            ("a.json", r#"{"asset":{"version":"2.0"}}"#, Content::Head),
            ("a.json", r#"{"facsNames":[],"weightMat":[]}"#, Content::Takes),
            ("a.json", r#"[{"time":0}]"#, Content::Takes),
            ("a.json", "{}", Content::Takes),
            ("a.json", "{ half", Content::Takes),
            ("a.bin", "glTF", Content::Head),
            ("poses", r#"{"jawOpen":1}"#, Content::Poses),
        ] {
            assert_eq!(content(name, text), expected, "{name}: {text}");
        }
        assert_eq!(content_of(Path::new("no/such.json")), Content::Takes);
    }
}
