//! Recognises the content of a file (head, takes, poses …) before it is read.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;

use serde_json::value::RawValue;

use super::frames::is_of_arrays;
use super::markers;
use smirk_base::file_kind::{Content, FileKind, MARKERS, kinds_of};
use smirk_base::regular_file;

/// The largest JSON file that is parsed to recognise its content. Files of poses are smaller.
const MAX_POSES_BYTES: u64 = 1 << 23;

/// The content that the extension stands for. If the extension fits several kinds, as `.json` and `.txt` do, or none,
/// the bytes of the file are examined.
pub fn content_of(path: &Path) -> Content {
    if is_of_arrays(path) {
        return Content::Frames;
    }
    let is_backup = path.extension().is_some_and(|extension| extension == "bak");
    let named = if is_backup { path.with_extension("") } else { path.to_owned() };
    match kinds_of(&named).collect::<Vec<_>>()[..] {
        [] => content_of_json(path).unwrap_or(Content::Head),
        [only] => usual(only).unwrap_or(Content::Head),
        [..] if MARKERS.matches(path) && start_of(path).is_some_and(|start| markers::is_markers(&start)) => {
            Content::Markers
        }
        [first, ..] => content_of_json(path).or(usual(first)).unwrap_or(Content::Head),
    }
}

fn usual(kind: &FileKind) -> Option<Content> {
    kind.opens_as.first().copied()
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
    let text: &RawValue = serde_json::from_slice(super::file::without_byte_order_mark(&bytes)).ok()?;
    let Some(root) = members(text) else { return Some(Content::Takes) };
    let smirk = root.get("smirk").and_then(|value| serde_json::from_str::<String>(value.get()).ok());
    Some(match smirk.as_deref() {
        Some("poses") => Content::Poses,
        Some("mapping") => Content::Mapping,
        Some("keys") => Content::Takes,
        Some(_) => Content::Project,
        None if root.get("asset").is_some_and(|asset| has_version(asset)) => Content::Head,
        None if !root.is_empty()
            && (is_weights(&root)
                || root.values().all(|value| members(value).is_some_and(|inner| is_weights(&inner)))) =>
        {
            Content::Poses
        }
        None => Content::Takes,
    })
}

fn is_weights(members: &Members<'_>) -> bool {
    members.values().all(|value| is_number(value))
}

/// Whether the `asset` of a JSON file states a version, as that of glTF does.
pub(super) fn has_version(asset: &RawValue) -> bool {
    members(asset).is_some_and(|members| members.contains_key("version"))
}

type Members<'t> = HashMap<String, &'t RawValue>;

fn members(value: &RawValue) -> Option<Members<'_>> {
    serde_json::from_str(value.get()).ok()
}

fn is_number(value: &RawValue) -> bool {
    value.get().starts_with(|first: char| first == '-' || first.is_ascii_digit())
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
            ("a.smirk.bak", "", Content::Project),
            ("a.csv", "", Content::Takes),
            ("a.txt", "", Content::Takes),
            ("a.txt", "0.5\t1.0\tma\n", Content::Markers),
            ("a.txt", "File type = \"ooTextFile\"\n", Content::Markers),
            ("a.TextGrid", "", Content::Markers),
            ("a.json", r#"{"metadata":{},"mouthCues":[]}"#, Content::Markers),
            ("a.json", r#"{"time":0,"type":"viseme","value":"p"}"#, Content::Markers),
            ("a.json", r#"[{"FrameIndex":0,"BlendShapes":[[0.1]]}]"#, Content::Takes),
            ("a.tsv", "", Content::Markers),
            ("a.WAV", "", Content::Sound),
            ("a.mov", "", Content::Sound),
            ("a.pc2", "", Content::Frames),
            ("a.MDD", "", Content::Frames),
            ("a.npy", "", Content::Frames),
            ("a.npz", "", Content::Frames),
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
        assert_eq!(content_of(&folder.path().join("a.npz/vertices")), Content::Frames);
    }
}
