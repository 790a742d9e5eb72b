//! Images as PNG files. A file is written completely or not at all.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::RgbaImage;
use thiserror::Error;

use crate::atomic_file;

/// Why an image was not saved.
#[derive(Debug, Error)]
pub enum PngError {
    /// The file cannot be written.
    #[error("cannot write {path}: {source}. Does the folder exist, and may it be written to?")]
    Write {
        /// The file that was to be written.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The image cannot be encoded.
    #[error("cannot encode a picture of {width}×{height} for {path}: {source}")]
    Encode {
        /// The file that was to be written.
        path: PathBuf,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The encoder's error.
        source: image::ImageError,
    },
}

/// Writes `picture` (sRGB, straight alpha) to `path`. An existing file is replaced once the new one is complete, and is
/// not changed if anything fails.
pub fn save_png(path: &Path, picture: &RgbaImage) -> Result<(), PngError> {
    let write_error = |source| PngError::Write { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    picture.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).map_err(|source| PngError::Encode {
        path: path.to_owned(),
        width: picture.width(),
        height: picture.height(),
        source,
    })?;
    atomic_file::write(path, &bytes).map_err(write_error)
}

/// Returns an error if `path` cannot be written, so that it is reported before an image is drawn. Leaves no file
/// behind.
pub(crate) fn check_writable(path: &Path) -> Result<(), PngError> {
    atomic_file::temporary_beside(path).map(drop).map_err(|source| PngError::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_saved_image_reads_back_and_leaves_no_other_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::write(&path, b"an older file").unwrap();
        let picture = RgbaImage::from_fn(3, 2, |x, y| image::Rgba([x as u8 * 80, y as u8 * 200, 7, 255]));
        save_png(&path, &picture).unwrap();
        assert_eq!(image::open(&path).unwrap().into_rgba8(), picture);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn the_error_names_a_missing_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("a.png");
        for error in [save_png(&path, &RgbaImage::new(1, 1)).unwrap_err(), check_writable(&path).unwrap_err()] {
            assert!(error.to_string().contains("missing"), "{error}");
        }
    }

    #[test]
    fn a_folder_of_the_same_name_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::create_dir(&path).unwrap();
        assert!(save_png(&path, &RgbaImage::new(1, 1)).is_err() && check_writable(&path).is_err());
        assert!(path.is_dir());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
