//! Names of numbered pictures.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file::PictureFormat;
use crate::export::{NoNumber, NumberedPath};

/// The names of the pictures of a sequence, which say in which format they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramePattern {
    path: NumberedPath,
    format: PictureFormat,
}

/// Why a name is none of a sequence.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PatternError {
    /// The extension is none of those that are written.
    #[error("{}: the name must end in .png or .exr, which is what is written", path.display())]
    Extension {
        /// The name.
        path: PathBuf,
    },
    /// All frames would go to the same file.
    #[error(transparent)]
    NoNumber(#[from] NoNumber),
}

impl FramePattern {
    /// The pattern of a path, for so many frames.
    pub fn new(path: &Path, frames: usize) -> Result<Self, PatternError> {
        let Some(format) = PictureFormat::of(path) else {
            return Err(PatternError::Extension { path: path.to_owned() });
        };
        Ok(Self { path: NumberedPath::for_frames(path, frames)?, format })
    }

    /// The file of a frame.
    pub fn path_of(&self, frame: i64) -> PathBuf {
        self.path.of(frame)
    }

    /// The format of the files.
    pub(super) fn format(&self) -> PictureFormat {
        self.format
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_pictures_are_a_pattern() {
        let of = |path: &str| FramePattern::new(Path::new(path), 2);
        assert_eq!(of("out/face.####.EXR").map(|pattern| pattern.path_of(7)), Ok("out/face.0007.EXR".into()));
        assert!(matches!(of("face.png"), Err(PatternError::NoNumber(NoNumber { frames: 2, .. }))));
        assert!(matches!(of("face.####.jpg"), Err(PatternError::Extension { .. })));
        assert!(matches!(of("####"), Err(PatternError::Extension { .. })));
    }
}
