//! A picture to a PNG file: whole or not at all.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use image::RgbaImage;
use tempfile::NamedTempFile;
use thiserror::Error;

use crate::atomic_file;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PngError {
    /// The file cannot be written.
    #[error("cannot write {path}: {source}. Does the folder exist, and may it be written to?")]
    Write {
        /// Where it was to go.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The picture cannot be encoded.
    #[error("cannot encode a picture of {width}×{height} for {path}: {source}")]
    Encode {
        /// Where it was to go.
        path: PathBuf,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// What the encoder said.
        source: image::ImageError,
    },
}

/// Writes `picture` (sRGB, straight alpha) to `path`. A file already there is replaced at once when the new one is
/// whole, and kept when anything fails.
pub fn save_png(path: &Path, picture: &RgbaImage) -> Result<(), PngError> {
    let write_error = |source| PngError::Write { path: path.to_owned(), source };
    let file = temporary_beside(path)?;
    let mut writer = BufWriter::new(file);
    picture.write_to(&mut writer, image::ImageFormat::Png).map_err(|source| PngError::Encode {
        path: path.to_owned(),
        width: picture.width(),
        height: picture.height(),
        source,
    })?;
    let file = writer.into_inner().map_err(|error| write_error(error.into_error()))?;
    atomic_file::put_in_place(file, path).map_err(write_error)
}

/// Whether `path` can be written to, before work is spent on what is to be written. Leaves nothing behind.
pub fn check_place(path: &Path) -> Result<(), PngError> {
    temporary_beside(path).map(drop)
}

fn temporary_beside(path: &Path) -> Result<NamedTempFile, PngError> {
    atomic_file::temporary_beside(path).map_err(|source| PngError::Write { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_written_reads_back_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::write(&path, b"what was there before").unwrap();
        let picture = RgbaImage::from_fn(3, 2, |x, y| image::Rgba([x as u8 * 80, y as u8 * 200, 7, 255]));
        save_png(&path, &picture).unwrap();
        assert_eq!(image::open(&path).unwrap().into_rgba8(), picture);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("missing").join("a.png");
        for error in [save_png(&path, &RgbaImage::new(1, 1)).unwrap_err(), check_place(&path).unwrap_err()] {
            assert!(error.to_string().contains("missing"), "{error}");
        }
    }

    #[test]
    fn a_folder_in_the_way_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        fs::create_dir(&path).unwrap();
        assert!(save_png(&path, &RgbaImage::new(1, 1)).is_err() && check_place(&path).is_err());
        assert!(path.is_dir());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
