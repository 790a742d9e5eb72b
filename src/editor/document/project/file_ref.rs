//! References to files that a project names. They are found again when the project moves, with the files or without them.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::session::HeadSource;
use smirk_base::json::PathText;

/// The head of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadRef {
    /// The head inside the program.
    #[default]
    Embedded,
    /// The head in a file.
    File(FileRef),
}

impl HeadRef {
    /// The reference to a head.
    pub fn of(source: &HeadSource) -> Self {
        match source {
            HeadSource::Embedded => Self::Embedded,
            HeadSource::File(path) => Self::File(FileRef::new(path)),
        }
    }

    /// Where to load it from.
    pub fn source(&self) -> HeadSource {
        match self {
            Self::Embedded => HeadSource::Embedded,
            Self::File(file) => HeadSource::File(file.path()),
        }
    }
}

/// The path of a file: absolute, and relative to the folder of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileRef {
    /// The absolute path.
    path: PathText,
    /// The path from the project's folder, with `/` between its parts on every system. Only set in project files.
    #[serde(skip_serializing_if = "Option::is_none")]
    relative: Option<PathText>,
}

impl FileRef {
    /// A reference to a file.
    pub fn new(path: &Path) -> Self {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { path: PathText(path), relative: None }
    }

    /// The absolute path.
    pub fn path(&self) -> PathBuf {
        self.path.0.clone()
    }

    /// The same reference in a project that is written to `folder`.
    pub(super) fn relative_to(&self, folder: &Path) -> Self {
        Self { path: self.path.clone(), relative: relative_path(folder, &self.path.0).map(PathText) }
    }

    /// Finds the file for a project that was read from `folder`: by its relative path, since both may have moved together; by its
    /// absolute path; or beside the project. If it is in none of these places, the absolute path stays.
    pub(super) fn resolved_from(&self, folder: &Path) -> Self {
        // A folder that is named from the current one would lose its `..` below.
        let folder =
            std::path::absolute(folder).or_else(|_| std::env::current_dir()).unwrap_or_else(|_| folder.to_owned());
        let relative = self.relative.as_ref().map(|relative| folder.join(&relative.0));
        let beside = self.path.0.file_name().map(|name| folder.join(name));
        let places = relative.into_iter().chain([self.path()]).chain(beside);
        let found = places.into_iter().find(|place| place.is_file());
        found.map_or_else(|| Self { relative: None, ..self.clone() }, |found| Self::new(&normalized(&found)))
    }
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

        assert_eq!(stored.resolved_from(&moved).path(), stored.path(), "not found: the old path stays");
        let beside = at("moved/projects/ada.glb");
        assert_eq!(stored.resolved_from(&moved).path(), beside);
        let stayed = at("work/heads/ada.glb");
        assert_eq!(stored.resolved_from(&moved).path(), stayed);
        let along = at("moved/heads/ada.glb");
        assert_eq!(stored.resolved_from(&moved).path(), along);
    }
}
