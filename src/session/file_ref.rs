//! References to files. Those of a project are found again when it moves, with the files or without them.

use std::ops::Deref;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use smirk_base::json::PathText;

/// The path of a file; in a project file absolute, and relative to the folder of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileRef {
    path: PathText,
    /// The path from the project's folder, with `/` between its parts on every system. Only set in project files.
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<PathText>,
}

impl FileRef {
    pub fn new(path: &Path) -> Self {
        Self { path: PathText(path.to_owned()), relative: None }
    }

    /// The same reference by an absolute path.
    pub fn absolute(&self) -> Self {
        std::path::absolute(&self.path.0).map_or_else(|_| self.clone(), |path| Self::new(&path))
    }

    /// The same reference in a project that is written to `folder`.
    pub fn relative_to(&self, folder: &Path) -> Self {
        Self { path: self.path.clone(), relative: relative_path(folder, &self.path.0).map(PathText) }
    }

    /// Finds the file for a project that was read from `folder`: by its relative path, since both may have moved
    /// together; by its absolute path; or beside the project. If it is in none of these places, the absolute path
    /// stays.
    pub fn resolved_from(&self, folder: &Path) -> Self {
        // A folder that is named from the current one would lose its `..` below.
        let folder =
            std::path::absolute(folder).or_else(|_| std::env::current_dir()).unwrap_or_else(|_| folder.to_owned());
        let relative = self.relative.iter().flat_map(|relative| readings_of(&relative.0));
        let relative = relative.map(|relative| folder.join(relative));
        let beside = readings_of(&self.path.0).filter_map(|path| Some(folder.join(path.file_name()?)));
        let mut places = relative.chain([self.path.0.clone()]).chain(beside);
        // An array is named below the file that holds it.
        let found = places.find(|place| place.is_file() || place.parent().is_some_and(Path::is_file));
        found.map_or_else(|| Self { relative: None, ..self.clone() }, |found| Self::new(&normalized(&found)))
    }
}

impl Deref for FileRef {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path.0
    }
}

/// A path as it is, and one of Windows with the separators of other systems.
fn readings_of(path: &Path) -> impl Iterator<Item = PathBuf> {
    let of_windows =
        path.to_str().filter(|text| text.contains('\\')).map(|text| PathBuf::from(text.replace('\\', "/")));
    std::iter::once(path.to_owned()).chain(of_windows)
}

/// The path from a folder to a file. None if they have no common root.
fn relative_path(folder: &Path, path: &Path) -> Option<PathBuf> {
    let folder = std::path::absolute(folder).ok()?;
    let (folder, path): (Vec<_>, Vec<_>) = (folder.components().collect(), path.components().collect());
    let shared = folder.iter().zip(&path).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return None;
    }
    let up = folder[shared..].iter().map(|_| "..".as_ref());
    let down = path[shared..].iter().map(|part| part.as_os_str());
    // The separator of this system would not be understood by others.
    Some(up.chain(down).collect::<Vec<_>>().join("/".as_ref()).into())
}

/// The path without `..` and `.`; links are not followed.
fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_again_wherever_it_went_with_or_without_the_project() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "head").unwrap();
            path
        };
        let (old, moved) = (root.path().join("work/projects"), root.path().join("moved/projects"));
        let stored = FileRef::new(&root.path().join("work/heads/ada.glb")).relative_to(&old);
        assert_eq!(stored.relative, Some(PathText("../heads/ada.glb".into())));

        assert_eq!(*stored.resolved_from(&moved), *stored, "not found: the old path stays");
        let beside = at("moved/projects/ada.glb");
        assert_eq!(*stored.resolved_from(&moved), *beside);
        let stayed = at("work/heads/ada.glb");
        assert_eq!(*stored.resolved_from(&moved), *stayed);
        let along = at("moved/heads/ada.glb");
        assert_eq!(*stored.resolved_from(&moved), *along);
    }
    #[test]
    fn a_project_of_windows_finds_its_files_on_other_systems() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, "head").unwrap();
            path
        };
        let text = r#"{"path": "C:\\work\\heads\\ada.glb", "relative": "..\\heads\\ada.glb"}"#;
        let stored: FileRef = serde_json::from_str(text).unwrap();
        let folder = root.path().join("moved/projects");
        assert_eq!(*stored.resolved_from(&folder), *stored);
        let beside = at("moved/projects/ada.glb");
        assert_eq!(*stored.resolved_from(&folder), *beside);
        let along = at("moved/heads/ada.glb");
        assert_eq!(*stored.resolved_from(&folder), *along);
    }
}
