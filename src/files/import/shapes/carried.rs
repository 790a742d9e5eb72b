//! All shapes of another head, whatever its topology, carried over by the features of both faces.

use thiserror::Error;

use super::report::{AddedShape, CarriedShapes, RefusedShape};
use crate::import::{ImportError, embedded, names_of, open_with};
use smirk_analysis::transfer::{Face, Settings, Source, TransferError, Transferred, transfer};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Corrective, Head, HeadSource, Kind, Note, ShapeFile, Subject, Target};

/// Shapes that were carried over to a head.
pub(super) struct CarriedOver {
    pub shapes: CarriedShapes,
    pub added: Vec<AddedShape>,
    /// Their targets with the indices of the meshes.
    pub targets: Vec<(usize, Target)>,
    pub correctives: Vec<Corrective>,
    /// What is to be known of single shapes, and of all.
    pub notes: Vec<Note>,
}

#[derive(Debug, Error)]
pub(super) enum NotCarried {
    #[error("{}", .0.problem)]
    Refused(RefusedShape),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Carries the shapes that a head lacks over from another one.
pub(super) fn carry(head: &Head, file: &ShapeFile, progress: Progress<'_>) -> Result<CarriedOver, NotCarried> {
    let name = match &file.source {
        HeadSource::Embedded => "the bundled head".into(),
        HeadSource::File(path) => names_of(path).0,
    };
    let refused = |problem: String| NotCarried::Refused(RefusedShape { file: name.clone(), problem });
    let read = progress.part(0.0..0.3);
    let other = file.file().map_or_else(embedded, |path| open_with(path, read)).map_err(|error| match error {
        ImportError::Cancelled(cancelled) => cancelled.into(),
        error => refused(error.to_string()),
    })?;
    // A point of a triangle that the head has lost since is found again like the others.
    let points = file.points.iter().filter_map(|(&it, point)| Some((it, point.on(head)?.at_rest(head).as_dvec3())));
    let points = points.collect();
    progress.report("looking for the features of both faces", 0.3)?;
    let (source, target) = rayon::join(|| Source::new(&other), || Face::new(head, &points));
    let source = source.map_err(|problem| refused(format!("{name} has no shapes to carry over: {problem}")))?;
    let done = target.and_then(|target| transfer(&source, &target, &Settings::default(), progress.part(0.4..1.0)));
    let done = done.map_err(|error| match error {
        TransferError::Cancelled(cancelled) => cancelled.into(),
        problem => refused(format!("no shapes of {name} can be carried over to {}: {problem}", head.name)),
    })?;
    let notes = notes(&done, &name);
    let failed = done.checks.iter().filter(|check| !check.is_passed()).map(|check| check.in_words());
    let warnings = done.warnings.iter().cloned().chain(failed).collect();
    let added = done.targets.iter().map(|(mesh, target)| AddedShape {
        name: target.name.clone(),
        path: file.file().map(Into::into),
        file: name.clone(),
        mesh: head.meshes[*mesh].name.clone(),
        moved: target.rows.len(),
        ..AddedShape::default()
    });
    let added = added.collect();
    let shapes = CarriedShapes { file: name, count: done.shapes.len(), warnings };
    Ok(CarriedOver { shapes, added, targets: done.targets, correctives: done.correctives, notes })
}

/// A note on each shape, with the checks that it is a part of, and one on each warning about all.
fn notes(done: &Transferred, source: &str) -> Vec<Note> {
    let of_all = Subject::NamedFile(source.to_owned());
    let mut notes: Vec<Note> =
        done.warnings.iter().map(|warning| Note::warning(of_all.clone(), warning.clone())).collect();
    for shape in &done.shapes {
        let checks = done.checks.iter().filter(|check| check.shapes.contains(&shape.name));
        let (mut lines, mut is_good) = (Vec::new(), true);
        for check in checks {
            is_good &= check.is_passed();
            lines.push(check.in_words());
        }
        let mut text = format!(
            "carried over from {source}; moves {:.1} mm at most, {:.2} % of the face inside out",
            shape.largest_mm,
            shape.flipped * 100.0
        );
        lines.iter().for_each(|line| text += &format!("; {line}"));
        let subject = Subject::named(Kind::Shape, &shape.name);
        notes.push(if is_good { Note::info(subject, text) } else { Note::warning(subject, text) });
    }
    notes
}
