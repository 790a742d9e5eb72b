//! Recognises the content of a file (head, takes or poses) before it is read.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use crate::file_kind::{Content, FileKind, kinds_of};

/// The largest JSON file that is parsed to recognise its content. Files of poses are smaller.
const MAX_POSES_BYTES: u64 = 1 << 23;

/// The content that the extension stands for. If the extension fits several kinds, as `.json` does, or none, the bytes of the
/// file are examined.
pub(crate) fn content_of(path: &Path) -> Content {
    let usual = |kind: &FileKind| kind.opens_as.first().copied();
    match kinds_of(path).collect::<Vec<_>>()[..] {
        [] => content_of_json(path).unwrap_or(Content::Head),
        [only] => usual(only).unwrap_or(Content::Head),
        [first, ..] => content_of_json(path).or(usual(first)).unwrap_or(Content::Head),
    }
}

/// What a JSON file contains; none for other files and for JSON that is too large to be parsed first.
fn content_of_json(path: &Path) -> Option<Content> {
    let metadata = std::fs::metadata(path).ok().filter(|metadata| metadata.is_file())?;
    if metadata.len() > MAX_POSES_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_POSES_BYTES).read_to_end(&mut bytes).ok()?;
    let value: Value = serde_json::from_slice(super::file::without_byte_order_mark(&bytes)).ok()?;
    let is_weights = |value: &Value| value.as_object().is_some_and(|fields| fields.values().all(Value::is_number));
    let Some(fields) = value.as_object() else { return Some(Content::Takes) };
    Some(match fields.get("smirk").and_then(Value::as_str) {
        Some("poses") => Content::Poses,
        Some(_) => Content::Project,
        None if fields.get("asset").is_some_and(|asset| asset.get("version").is_some()) => Content::Head,
        None if !fields.is_empty() && (is_weights(&value) || fields.values().all(is_weights)) => Content::Poses,
        None => Content::Takes,
    })
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
            ("a.json", r#"{"smirk":"poses","version":1,"poses":[]}"#, Content::Poses),
            ("a.json", r#"{"smirk":"project","version":1}"#, Content::Project),
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
