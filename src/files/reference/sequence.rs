//! One image, or the numbered images of a folder in the order of their numbers.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use thiserror::Error;

use smirk_base::names::printable;

/// Why a reference does not open.
#[derive(Debug, Error)]
pub enum ReferenceError {
    /// The folder cannot be listed.
    #[error("{}: the folder cannot be read: {source}; open an image elsewhere", shown(path))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder holds no image.
    #[error("{}: the folder holds no PNG, JPEG or WebP images; write the frames of a video as numbered images", shown(.0))]
    NoImages(PathBuf),
    /// There are more images of that name than can be followed.
    #[error("{}: more than {MOST_FRAMES} images are numbered like it; move those of one shot into a folder of their own", shown(.0))]
    TooMany(PathBuf),
}

/// The most frames of a sequence: an hour at 30 frames per second.
const MOST_FRAMES: usize = 108_000;

/// The images of a reference, in the order in which they are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSequence {
    /// At least one.
    files: Vec<PathBuf>,
    /// The index of the image that was opened.
    opened: usize,
}

impl ImageSequence {
    /// What the names of images end with.
    pub const EXTENSIONS: [&str; 4] = ["png", "jpg", "jpeg", "webp"];

    /// Opens an image; with it all images of its folder whose names differ from its own only in their last number. Of a folder, the
    /// sequence of its first image. The images are not read yet.
    pub fn open(path: &Path) -> Result<Self, ReferenceError> {
        let image = if path.is_dir() { first_image(path)? } else { path.to_owned() };
        let Some((prefix, _, suffix)) = numbered(&image) else { return Ok(Self { files: vec![image], opened: 0 }) };
        let mut found = Vec::new();
        for file in files_of(image.parent().unwrap_or(Path::new("")))? {
            if let Some((other_prefix, number, other_suffix)) = numbered(&file)
                && (&other_prefix, &other_suffix) == (&prefix, &suffix)
            {
                found.push((number, file));
                if found.len() > MOST_FRAMES {
                    return Err(ReferenceError::TooMany(image));
                }
            }
        }
        found.sort();
        let mut files: Vec<PathBuf> = found.into_iter().map(|(_, file)| file).collect();
        let opened = files.iter().position(|file| file.file_name() == image.file_name());
        // An image that is gone keeps its place in the project: its picture is one line that says so.
        let opened = opened.unwrap_or_else(|| {
            files.insert(0, image);
            0
        });
        Ok(Self { files, opened })
    }

    /// The index of the image that was opened.
    pub fn opened(&self) -> usize {
        self.opened
    }

    /// The images, in the order in which they are shown.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Whether a file, which need not exist, is one of the images.
    pub fn holds(&self, file: &Path) -> bool {
        let folder = |path: &Path| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            std::fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()
        };
        self.files.iter().any(|image| image.file_name() == file.file_name()) && folder(file) == folder(&self.files[0])
    }

    /// Whether a file is an image by its name.
    pub fn is_image(path: &Path) -> bool {
        let extension = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
        extension.is_some_and(|extension| Self::EXTENSIONS.contains(&extension.as_str()))
    }

    /// How many frames there are, at least one.
    #[allow(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// The file of a frame. A frame before the first or after the last one is that one.
    pub fn file(&self, frame: usize) -> &Path {
        &self.files[frame.min(self.files.len() - 1)]
    }
}

/// The parts of the name of an image around its last number: `shot2_0007_left.png` is `shot2_`, 7 and `_left.png`.
fn numbered(path: &Path) -> Option<(String, u64, String)> {
    if !ImageSequence::is_image(path) {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let stem_end = name.rfind('.').unwrap_or(name.len());
    let end = name[..stem_end].rfind(|letter: char| letter.is_ascii_digit())? + 1;
    let start = name[..end]
        .rfind(|letter: char| !letter.is_ascii_digit())
        .map_or(0, |at| at + name[at..].chars().next().map_or(1, char::len_utf8));
    Some((name[..start].to_owned(), name[start..end].parse().ok()?, name[end..].to_owned()))
}

fn files_of(folder: &Path) -> Result<impl Iterator<Item = PathBuf> + use<>, ReferenceError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).map_err(|source| ReferenceError::Folder { path: folder.into(), source })?;
    Ok(entries.flatten().map(|entry| entry.path()))
}

/// The image of a folder that comes first: by the name around its number, then by the number.
fn first_image(folder: &Path) -> Result<PathBuf, ReferenceError> {
    let images = files_of(folder)?.filter(|path| ImageSequence::is_image(path));
    images.min_by_key(|path| (numbered(path), path.clone())).ok_or_else(|| ReferenceError::NoImages(folder.to_owned()))
}

fn shown(path: &Path) -> String {
    printable(&path.display().to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        names.iter().for_each(|name| std::fs::write(folder.path().join(name), b"").unwrap());
        folder
    }

    fn names(sequence: &ImageSequence) -> Vec<String> {
        sequence.files.iter().map(|file| file.file_name().unwrap().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn one_image_of_a_numbered_sequence_stands_for_all_of_it_and_no_others() {
        let folder =
            folder(&["a2_10.png", "a2_9.png", "a2_0011.png", "a3_1.png", "a2_12.jpg", "a2_.png", "notes1.txt"]);
        let sequence = ImageSequence::open(&folder.path().join("a2_10.png")).unwrap();
        assert_eq!(names(&sequence), ["a2_9.png", "a2_10.png", "a2_0011.png"]);
        assert_eq!(sequence.opened(), 1);
        let alone = ImageSequence::open(&folder.path().join("a2_.png"));
        assert_eq!(alone.unwrap().len(), 1, "the 2 is of another image's name");
        assert_eq!(ImageSequence::open(folder.path()).unwrap().len(), 1, "a2_ comes before a2_9");
    }

    #[test]
    fn an_image_that_is_gone_is_still_the_one_that_was_opened() {
        let folder = folder(&["a_2.png", "a_3.png"]);
        let sequence = ImageSequence::open(&folder.path().join("a_1.png")).unwrap();
        assert_eq!((names(&sequence).len(), sequence.opened()), (3, 0));
        assert_eq!(sequence.file(0), folder.path().join("a_1.png"));
    }

    #[test]
    fn a_sequence_holds_its_images_however_they_are_named() {
        let folder = folder(&["a_2.png", "a_3.png", "b.png"]);
        let sequence = ImageSequence::open(&folder.path().join("a_2.png")).unwrap();
        assert!(sequence.holds(&folder.path().join("./a_3.png")));
        for other in ["a_4.png", "b.png"] {
            assert!(!sequence.holds(&folder.path().join(other)), "{other}");
        }
        assert!(!sequence.holds(Path::new("/a_3.png")));
    }

    #[test]
    fn a_folder_without_images_and_one_that_is_gone_are_errors_of_one_line() {
        let folder = folder(&["readme.txt"]);
        let error = ImageSequence::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains("holds no PNG") && error.lines().count() == 1, "{error}");
        let gone = folder.path().join("gone/frame_1.png");
        let error = ImageSequence::open(&gone).unwrap_err().to_string();
        assert!(error.contains("cannot be read") && error.contains("gone"), "{error}");
    }

    #[test]
    fn a_frame_after_the_last_is_the_last() {
        let folder = folder(&["f1.png", "f2.png"]);
        let sequence = ImageSequence::open(folder.path()).unwrap();
        assert_eq!(sequence.file(99), folder.path().join("f2.png"));
    }
}
