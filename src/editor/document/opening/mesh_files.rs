//! Mesh files that were dropped together: which is the neutral face, and which are shapes of it.

use std::path::PathBuf;

use super::load_error::LoadError;
use smirk_base::progress::Progress;
use smirk_face::head::{Head, Matching, ShapeFile};
use smirk_files::import::{self, ShapesReport};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum MeshFiles {
    ShapesOfOpenHead(Vec<ShapeFile>),
    HeadWithShapes { neutral: PathBuf, shapes: Vec<ShapeFile> },
}

/// Decides by name and size: a file with `neutral` or the like in its name is the head. Without one, all are shapes of
/// the head that is open, if they fit it; else the file with the shortest name is the head.
pub(super) fn classify(open: &Head, files: Vec<PathBuf>) -> MeshFiles {
    let mut files: Vec<PathBuf> = files.into_iter().map(|file| std::path::absolute(&file).unwrap_or(file)).collect();
    let named = import::neutral_by_name(&files);
    let neutral = named.or_else(|| {
        let fits_open = files.first().is_some_and(|file| import::fits(open, file));
        if fits_open { None } else { import::shortest_name(&files) }
    });
    let neutral = neutral.map(|index| files.remove(index));
    let shapes = files.into_iter().map(|path| ShapeFile::new(path, Matching::Auto)).collect();
    match neutral {
        None => MeshFiles::ShapesOfOpenHead(shapes),
        Some(neutral) => MeshFiles::HeadWithShapes { neutral, shapes },
    }
}

/// Adds shapes to a head. Returns also the files that were used; an error if none was.
pub(super) fn add_shapes(
    head: &Head,
    files: Vec<ShapeFile>,
    progress: Progress<'_>,
) -> Result<(Head, Vec<ShapeFile>, ShapesReport), LoadError> {
    // The rest of the progress is the upload to the GPU.
    let (head, report) = import::add_shapes(head, &files, progress.part(0.0..0.9))?;
    if report.added.is_empty() && !report.refused.is_empty() {
        let problems = report.refused.iter().map(|refused| refused.problem.as_str()).collect::<Vec<_>>().join("\n");
        return Err(LoadError::Other(problems));
    }
    let added = files.into_iter().filter(|file| report.added.iter().any(|added| added.path.as_deref() == file.file()));
    Ok((head, added.collect(), report))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

    #[test]
    fn of_two_files_of_one_name_only_the_accepted_one_is_recorded() {
        let folder = tempfile::tempdir().unwrap();
        let shape = |name: &str, text: &str| {
            let path = folder.path().join(name).join("smile.obj");
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(&path, text).unwrap();
            ShapeFile::new(path, Matching::Auto)
        };
        let files = vec![shape("a", "broken"), shape("b", TRIANGLE)];
        let head = import::open_bytes(TRIANGLE.as_bytes(), "ada.obj").unwrap();
        let (_, added, report) = add_shapes(&head, files.clone(), Progress::NONE).unwrap();
        assert_eq!((added, report.refused.len()), (files[1..].to_vec(), 1));
    }

    #[test]
    fn the_head_is_the_file_called_neutral_or_the_open_one_or_the_one_with_the_shortest_name() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, TRIANGLE).unwrap();
            path
        };
        let (long, short, rest) = (file("ada_smile.obj"), file("ada.obj"), file("ada_neutral.obj"));
        let shape = |path: &PathBuf| ShapeFile::new(path.clone(), Matching::Auto);
        let other = import::open_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3 4\n", "other.obj").unwrap();
        let same = import::open_bytes(TRIANGLE.as_bytes(), "same.obj").unwrap();
        let set =
            |neutral: &PathBuf| MeshFiles::HeadWithShapes { neutral: neutral.clone(), shapes: vec![shape(&long)] };
        assert_eq!(classify(&same, vec![long.clone(), rest.clone()]), set(&rest));
        assert_eq!(classify(&other, vec![long.clone(), short.clone()]), set(&short));
        assert_eq!(
            classify(&same, vec![long.clone(), short.clone()]),
            MeshFiles::ShapesOfOpenHead(vec![shape(&long), shape(&short)])
        );
    }
}
