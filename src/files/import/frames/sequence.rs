//! Numbered OBJ files, one per frame. The first one has the faces of all; of the others, only the positions are read.

use std::path::{Path, PathBuf};

use glam::Vec3;

use super::MOST_FRAMES;
use crate::import::error::Fault;
use crate::import::file::{MAX_FILE_BYTES, read_file};
use crate::import::obj;
use smirk_base::file_kind;
use smirk_base::names::natural_order;
use smirk_base::progress::Progress;
use smirk_base::regular_file::folder_of;

/// The files of a sequence. Its points are the `v` statements.
#[derive(Debug)]
pub(super) struct ObjSequence {
    pub files: Vec<PathBuf>,
    /// The number of `v` statements of the first file.
    pub points: usize,
}

/// The OBJ files that a path names: all of a folder, those of a pattern with `#` in place of the number, or one.
pub(super) fn files_of(path: &Path) -> Result<Vec<PathBuf>, Fault> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (folder, pattern) = match name.rfind('#') {
        _ if path.is_dir() => (path, None),
        Some(end) if !path.exists() => {
            let before = name[..=end].trim_end_matches('#').to_owned();
            (folder_of(path), Some((before, name[end + 1..].to_owned())))
        }
        _ => return Ok(vec![path.to_owned()]),
    };
    let fits = |file: &Path| {
        let Some((before, after)) = &pattern else { return file_kind::OBJ.matches(file) };
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let number = name.strip_prefix(before.as_str()).and_then(|rest| rest.strip_suffix(after.as_str()));
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit()))
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)?.flatten() {
        let file = entry.path();
        if fits(&file) {
            files.push(file);
        }
        if files.len() > MOST_FRAMES {
            return Err(Fault::Unfit(format!("has more than {MOST_FRAMES} frames; solve them in parts")));
        }
    }
    if files.is_empty() {
        let none = match pattern {
            Some(_) => "is the name of no file: # stands for the number of a frame",
            None => "is a folder without .obj files; choose one with the frames of a face",
        };
        return Err(Fault::Unfit(none.into()));
    }
    let name = |file: &PathBuf| file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    files.sort_by(|a, b| natural_order(&name(a), &name(b)));
    Ok(files)
}

impl ObjSequence {
    pub(super) fn new(files: Vec<PathBuf>) -> Result<Self, Fault> {
        let bytes = read_file(&files[0], MAX_FILE_BYTES, "an .obj file", Progress::NONE)?;
        Ok(Self { points: obj::positions(&bytes)?.len(), files })
    }

    pub(super) fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), String> {
        let read = || {
            let bytes = read_file(&self.files[frame], MAX_FILE_BYTES, "an .obj file", Progress::NONE)?;
            obj::positions(&bytes)
        };
        let found = read().map_err(|fault: Fault| fault.to_string())?;
        if found.len() != self.points {
            return Err(format!("has {} vertices, and the first frame {}", found.len(), self.points));
        }
        positions.extend(found);
        Ok(())
    }
}
