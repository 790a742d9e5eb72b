//! Names of numbered files: `face.####.png` is `face.0007.png` at frame 7.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file::PictureFormat;

/// The name of the files of a sequence. The last run of `#` in the name stands for the number of the frame, with as many digits at
/// least.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramePattern {
    path: PathBuf,
    /// The name before and after the number, and the number of digits; `None` if the name has none.
    parts: Option<(String, usize, String)>,
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
    #[error(
        "{}: {frames} frames need a number in their names: write # where the number of the frame goes, such as face.####.png",
        path.display()
    )]
    NoNumber {
        /// The name.
        path: PathBuf,
        /// The number of frames.
        frames: usize,
    },
}

impl FramePattern {
    /// The pattern of a path, for so many frames.
    pub fn new(path: &Path, frames: usize) -> Result<Self, PatternError> {
        let Some(format) = PictureFormat::of(path) else {
            return Err(PatternError::Extension { path: path.to_owned() });
        };
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let parts = name.rfind('#').map(|end| {
            let before = name[..=end].trim_end_matches('#');
            (before.to_owned(), end + 1 - before.len(), name[end + 1..].to_owned())
        });
        if parts.is_none() && frames > 1 {
            return Err(PatternError::NoNumber { path: path.to_owned(), frames });
        }
        Ok(Self { path: path.to_owned(), parts, format })
    }

    /// The file of a frame.
    pub fn path_of(&self, frame: i64) -> PathBuf {
        let Some((before, digits, after)) = &self.parts else { return self.path.clone() };
        self.path.with_file_name(OsString::from(format!("{before}{frame:0digits$}{after}")))
    }

    /// The format of the files.
    pub(super) fn format(&self) -> PictureFormat {
        self.format
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, frame: i64) -> Result<PathBuf, PatternError> {
        FramePattern::new(Path::new(path), 2).map(|pattern| pattern.path_of(frame))
    }

    #[test]
    fn the_number_takes_the_place_of_the_signs() {
        assert_eq!(of("out/face.####.png", 7), Ok("out/face.0007.png".into()));
        assert_eq!(of("face.####.png", 123_456), Ok("face.123456.png".into()));
        assert_eq!(of("a#b_##.exr", 5), Ok("a#b_05.exr".into()));
        assert_eq!(of("#.PNG", 12), Ok("12.PNG".into()));
        assert_eq!(of("shot#1/face_#.png", 3), Ok("shot#1/face_3.png".into()));
    }

    #[test]
    fn names_without_a_number_are_for_one_frame() {
        let alone = FramePattern::new(Path::new("face.png"), 1).unwrap();
        assert_eq!(alone.path_of(9), PathBuf::from("face.png"));
        assert!(matches!(of("face.png", 1), Err(PatternError::NoNumber { frames: 2, .. })));
        assert!(matches!(of("face.####.jpg", 1), Err(PatternError::Extension { .. })));
        assert!(matches!(of("####", 1), Err(PatternError::Extension { .. })));
    }
}
