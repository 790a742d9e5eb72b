//! All shapes of another head, whatever its topology, carried over by the features of both faces.

use super::report::{AddedShape, CarriedShapes, RefusedShape};
use crate::import::{ImportError, embedded, names_of, open_with};
use smirk_analysis::transfer::{Settings, Source, TransferError, transfer};
use smirk_base::progress::Progress;
use smirk_face::head::{Head, Note, ShapeFile, Subject, Target};

/// Targets with the indices of their meshes.
type OfMeshes = Vec<(usize, Target)>;

/// Carries the shapes that a head lacks over from another one.
pub(super) fn carry(
    head: &Head,
    file: &ShapeFile,
    progress: Progress<'_>,
) -> Result<Result<(CarriedShapes, OfMeshes), RefusedShape>, ImportError> {
    let name = file.file().map_or_else(|| "the bundled head".into(), |path| names_of(path).0);
    let refused = |problem: String| Ok(Err(RefusedShape { file: name.clone(), problem }));
    let read = progress.part(0.0..0.3);
    let other = match file.file().map_or_else(embedded, |path| open_with(path, read)) {
        Ok(other) => other,
        Err(ImportError::Cancelled(cancelled)) => return Err(cancelled.into()),
        Err(error) => return refused(error.to_string()),
    };
    let source = match Source::new(&other) {
        Ok(source) => source,
        Err(problem) => return refused(format!("{name} has no shapes to carry over: {problem}")),
    };
    match transfer(&source, head, &Settings::default(), progress.part(0.3..1.0)) {
        Ok(done) => {
            let failed = done.checks.iter().filter(|check| !check.is_passed()).map(|check| check.in_words());
            let warnings = done.warnings.iter().cloned().chain(failed).collect();
            Ok(Ok((CarriedShapes { file: name, count: done.shapes.len(), warnings }, done.targets)))
        }
        Err(TransferError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(problem) => refused(format!("no shapes of {name} can be carried over to {}: {problem}", head.name)),
    }
}

impl CarriedShapes {
    pub(super) fn added(&self, head: &Head, file: &ShapeFile, of_meshes: &OfMeshes) -> Vec<AddedShape> {
        let added = of_meshes.iter().map(|(mesh, target)| AddedShape {
            name: target.name.clone(),
            path: file.path.clone(),
            file: self.file.clone(),
            mesh: head.meshes[*mesh].name.clone(),
            moved: target.rows.len(),
            ..AddedShape::default()
        });
        added.collect()
    }

    pub(super) fn notes(&self) -> Vec<Note> {
        let subject = Subject::NamedFile(self.file.clone());
        self.warnings.iter().map(|warning| Note::warning(&subject, warning.clone())).collect()
    }
}
