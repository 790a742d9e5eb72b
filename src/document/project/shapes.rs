//! Shapes that were added to a project's head, by file: the head is put together again when the project opens.

use serde::{Deserialize, Serialize};

use super::{FileRef, Project};
use crate::head::{Head, Kind, Matching, Note, ShapeFile, Subject};
use crate::import::{self, ImportError, Progress};
use crate::session::Source;

/// A file whose shape is on the head.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShapeRecord {
    /// Where it is.
    pub file: FileRef,
    /// How it is matched.
    pub matching: Matching,
}

impl ShapeRecord {
    pub(super) fn of(shape: &ShapeFile) -> Self {
        Self { file: FileRef::new(&shape.path), matching: shape.matching }
    }
}

impl Project {
    /// The head with its shapes. Those that are gone are told; what was done with them is kept by their names.
    pub fn open_head(&self, progress: &Progress<'_>) -> Result<(Head, Vec<Note>), ImportError> {
        let head = match self.head.source() {
            Source::Embedded => import::embedded()?,
            Source::File(path) => import::open_with(&path, progress)?,
        };
        if self.shapes.is_empty() {
            return Ok((head, Vec::new()));
        }
        let (head, report) = import::add_shapes(&head, &self.shape_files(), progress)?;
        let gone =
            |refused: import::RefusedShape| Note::warning(Subject::named(Kind::Shape, refused.file), refused.problem);
        Ok((head, report.refused.into_iter().map(gone).collect()))
    }

    /// The files of its shapes.
    pub fn shape_files(&self) -> Vec<ShapeFile> {
        let file = |record: &ShapeRecord| ShapeFile { path: record.file.path(), matching: record.matching };
        self.shapes.iter().map(file).collect()
    }
}
