//! Separate meshes: which is the face at rest, and what becomes of the others.

use std::path::PathBuf;

use super::load_error::LoadError;
use crate::head::{Head, Matching, ShapeFile};
use crate::import::{self, Progress, ShapesReport};

/// What files that were dropped together are.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Set {
    /// Shapes of the head that is open.
    OfOpen(Vec<ShapeFile>),
    /// A head and its shapes.
    New {
        /// The face at rest.
        neutral: PathBuf,
        /// The others.
        shapes: Vec<ShapeFile>,
    },
}

/// The file that says by its name that it is the face at rest is the head. Without one, all are shapes of the head that is open
/// if they fit it; else the file of the shortest name is the head.
pub(super) fn sort_out(open: &Head, files: Vec<PathBuf>) -> Set {
    let mut files: Vec<PathBuf> = files.into_iter().map(|file| std::path::absolute(&file).unwrap_or(file)).collect();
    let shape = |path: PathBuf| ShapeFile { path, matching: Matching::Auto };
    let named = import::neutral_by_name(&files);
    let fits_open = || files.first().is_some_and(|file| import::fits(open, file));
    match named.or_else(|| if fits_open() { None } else { import::shortest_name(&files) }) {
        None => Set::OfOpen(files.into_iter().map(shape).collect()),
        Some(index) => {
            let neutral = files.remove(index);
            Set::New { neutral, shapes: files.into_iter().map(shape).collect() }
        }
    }
}

/// The head with shapes, and those of the files that are in. An error if none is.
pub(super) fn add(
    head: &Head,
    files: Vec<ShapeFile>,
    progress: &Progress<'_>,
) -> Result<(Head, Vec<ShapeFile>, ShapesReport), LoadError> {
    let early = |stage: &str, part: f32| progress(stage, 0.9 * part);
    let (head, report) = import::add_shapes(head, &files, &early)?;
    if report.added.is_empty() && !report.refused.is_empty() {
        let problems = report.refused.iter().map(|refused| refused.problem.as_str()).collect::<Vec<_>>().join("\n");
        return Err(LoadError::Other(problems));
    }
    let is_in = |file: &ShapeFile| report.added.iter().any(|added| added.path == file.path);
    let added = files.into_iter().filter(is_in).collect();
    Ok((head, added, report))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

    #[test]
    fn of_two_files_of_one_name_the_refused_one_is_not_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let shape = |name: &str, text: &str| {
            let path = folder.path().join(name).join("smile.obj");
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(&path, text).unwrap();
            ShapeFile { path, matching: Matching::Auto }
        };
        let files = vec![shape("a", "broken"), shape("b", TRIANGLE)];
        let head = import::open_bytes(TRIANGLE.as_bytes(), "ada.obj").unwrap();
        let go_on = |_: &str, _: f32| std::ops::ControlFlow::Continue(());
        let (_, added, report) = add(&head, files.clone(), &go_on).unwrap();
        assert_eq!((added, report.refused.len()), (files[1..].to_vec(), 1));
    }

    #[test]
    fn the_face_at_rest_is_named_or_open_or_has_the_shortest_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, TRIANGLE).unwrap();
            path
        };
        let (long, short, rest) = (file("ada_smile.obj"), file("ada.obj"), file("ada_neutral.obj"));
        let shape = |path: &PathBuf| ShapeFile { path: path.clone(), matching: Matching::Auto };
        let other = import::open_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3 4\n", "other.obj").unwrap();
        let same = import::open_bytes(TRIANGLE.as_bytes(), "same.obj").unwrap();
        let set = |neutral: &PathBuf| Set::New { neutral: neutral.clone(), shapes: vec![shape(&long)] };
        assert_eq!(sort_out(&same, vec![long.clone(), rest.clone()]), set(&rest));
        assert_eq!(sort_out(&other, vec![long.clone(), short.clone()]), set(&short));
        assert_eq!(sort_out(&same, vec![long.clone(), short.clone()]), Set::OfOpen(vec![shape(&long), shape(&short)]));
    }
}
