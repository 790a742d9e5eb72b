//! The head of a project, with the shapes that were imported onto it.

use super::format::{Project, ShapeRecord};
use crate::session::HeadSource;
use smirk_base::progress::Progress;
use smirk_face::head::{Head, Kind, Note, ShapeFile, Subject};
use smirk_files::import::{self, ImportError, RefusedShape};

impl Project {
    /// Opens the head and imports its shapes. Returns a note on each shape that could not be imported; poses and keys keep the
    /// names of their channels.
    pub fn open_head(&self, progress: Progress<'_>) -> Result<(Head, Vec<Note>), ImportError> {
        let head = match self.head.source() {
            HeadSource::Embedded => import::embedded()?,
            HeadSource::File(path) => import::open_with(&path, progress)?,
        };
        if self.shapes.is_empty() {
            return Ok((head, Vec::new()));
        }
        let (head, report) = import::add_shapes(&head, &self.shape_files(), progress)?;
        let note = |refused: RefusedShape| Note::warning(Subject::named(Kind::Shape, refused.file), refused.problem);
        Ok((head, report.refused.into_iter().map(note).collect()))
    }

    /// The files of the imported shapes.
    pub fn shape_files(&self) -> Vec<ShapeFile> {
        let file = |record: &ShapeRecord| ShapeFile { path: record.file.path(), matching: record.matching };
        self.shapes.iter().map(file).collect()
    }
}
