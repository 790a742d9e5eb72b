//! Derives the names of shapes from the names of their files, and finds the file of the face at rest.

use std::path::{Path, PathBuf};

const AT_REST: [&str; 10] =
    ["neutral", "base", "basis", "rest", "restpose", "bindpose", "default", "mean", "bind", "basemesh"];

/// One name per file: its name without the extension, and without the neutral's name as a prefix if all files have it
/// (`ada_jawOpen`, `ada_smile` for `ada` or `ada_neutral`).
pub(crate) fn shape_names(neutral: &str, files: &[PathBuf]) -> Vec<String> {
    let stems: Vec<String> = files.iter().map(|file| stem_of(file)).collect();
    let words: Vec<&str> = neutral.split(is_separator).collect();
    let length_before_word = words
        .iter()
        .position(|word| AT_REST.contains(&word.to_lowercase().as_str()))
        .map(|at| words[..at].join("_").len());
    let prefixes = [Some(neutral.len()), length_before_word].into_iter().flatten().filter(|&length| length > 0);
    for prefix in prefixes.filter_map(|length| neutral.get(..length)) {
        if let Some(names) = stems
            .iter()
            .map(|stem| {
                let rest = stem.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix));
                let name = rest.and_then(|_| stem[prefix.len()..].strip_prefix(is_separator))?;
                // A name that is only a side, such as `L`, is not accepted.
                (!["", "l", "r", "left", "right"].contains(&name.to_lowercase().as_str())).then(|| name.to_owned())
            })
            .collect()
        {
            return names;
        }
    }
    stems
}

/// The index of the file whose name contains a word for the face at rest.
pub fn neutral_by_name(files: &[PathBuf]) -> Option<usize> {
    files.iter().position(|file| {
        let stem = stem_of(file).to_lowercase();
        stem.split(is_separator).any(|word| AT_REST.contains(&word))
    })
}

/// The index of the file with the shortest name, the first of several: `ada.obj` of `ada.obj` and `ada_jawOpen.obj`.
pub fn shortest_name(files: &[PathBuf]) -> Option<usize> {
    (0..files.len()).min_by_key(|&index| stem_of(&files[index]).chars().count())
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '_' | '-' | '.' | ' ')
}

fn stem_of(file: &Path) -> String {
    file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(|name| PathBuf::from(format!("shapes/{name}.obj"))).collect()
    }

    #[test]
    fn common_prefixes_are_left_out_of_names() {
        for (neutral, given, expected) in [
            ("ada", &["ada_jawOpen", "ada_smile"][..], &["jawOpen", "smile"][..]),
            ("Ada_Neutral", &["ada_jawOpen", "ada-smile"], &["jawOpen", "smile"]),
            ("ada", &["ada_jawOpen", "smile"], &["ada_jawOpen", "smile"]),
            ("smile", &["smile_L", "smile_R"], &["smile_L", "smile_R"]),
            ("generic_neutral_mesh", &["browInnerUp_L", "jawOpen"], &["browInnerUp_L", "jawOpen"]),
            ("é", &["a", "b"], &["a", "b"]),
            ("", &["a"], &["a"]),
        ] {
            assert_eq!(shape_names(neutral, &files(given)), expected, "{neutral}");
        }
    }

    #[test]
    fn the_face_at_rest_is_found_by_its_name() {
        assert_eq!(neutral_by_name(&files(&["jawOpen", "generic_neutral_mesh"])), Some(1));
        assert_eq!(neutral_by_name(&files(&["ada.Rest", "smile"])), Some(0));
        assert_eq!(neutral_by_name(&files(&["arrested", "smile"])), None);
        assert_eq!(shortest_name(&files(&["ada_smile", "ada", "bob"])), Some(1));
    }
}
