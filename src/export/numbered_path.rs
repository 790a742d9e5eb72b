//! Names of numbered files: `face.####.png` is `face.0007.png` at frame 7.

use std::path::{Path, PathBuf};

use super::ExportError;

/// The name of a file for each frame. The last run of `#` in the file name stands for the number of the frame, with as
/// many digits at least; folders may have any names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedPath {
    path: PathBuf,
    /// The name before and after the number, and the number of digits; `None` if the name has no number.
    parts: Option<(String, usize, String)>,
}

impl NumberedPath {
    /// The names that a path stands for, whether or not it has a number.
    pub fn new(path: &Path) -> Self {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let parts = name.rfind('#').map(|end| {
            let before = name[..=end].trim_end_matches('#');
            (before.to_owned(), end + 1 - before.len(), name[end + 1..].to_owned())
        });
        Self { path: path.to_owned(), parts }
    }

    /// The names for so many frames: of several, each has its own.
    pub fn for_frames(path: &Path, frames: usize) -> Result<Self, ExportError> {
        let numbered = Self::new(path);
        if frames > 1 && !numbered.has_number() {
            return Err(usage!(
                "{}: {frames} frames need a number in their names: write # where the number of the frame goes, such as face.####.{}",
                path.display(),
                path.extension().unwrap_or_default().display()
            ));
        }
        Ok(numbered)
    }

    pub fn has_number(&self) -> bool {
        self.parts.is_some()
    }

    /// The file of a frame. Without a number, it is the same for all.
    pub fn path_at(&self, frame: i64) -> PathBuf {
        let Some((before, digits, after)) = &self.parts else { return self.path.clone() };
        self.path.with_file_name(format!("{before}{frame:0digits$}{after}"))
    }

    /// A path with a place for a number in its name: `face.png` becomes `face.####.png`.
    pub(super) fn with_place(path: &Path) -> PathBuf {
        let name = path.file_name().and_then(|name| name.to_str()).filter(|name| !name.contains('#'));
        match name.map(|name| name.rsplit_once('.').ok_or(name)) {
            Some(Ok((stem, extension))) => path.with_file_name(format!("{stem}.####.{extension}")),
            Some(Err(name)) => path.with_file_name(format!("{name}.####")),
            None => path.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_takes_the_place_of_the_signs() {
        let of = |path: &str, frame| NumberedPath::new(Path::new(path)).path_at(frame);
        assert_eq!(of("out/face.####.png", 7), PathBuf::from("out/face.0007.png"));
        assert_eq!(of("face.####.png", 123_456), PathBuf::from("face.123456.png"));
        assert_eq!(of("a#b_##.exr", 5), PathBuf::from("a#b_05.exr"));
        assert_eq!(of("#.PNG", 12), PathBuf::from("12.PNG"));
        assert_eq!(of("shot#1/face_#.obj", 3), PathBuf::from("shot#1/face_3.obj"));
        assert_eq!(of("shot#1/face.obj", 3), PathBuf::from("shot#1/face.obj"));
    }

    #[test]
    fn several_frames_need_a_number() {
        let frames = |path: &str, frames| NumberedPath::for_frames(Path::new(path), frames);
        assert_eq!(frames("face.png", 1).unwrap().path_at(9), Path::new("face.png"));
        assert!(frames("a/#.obj", 2).is_ok_and(|path| path.has_number()));
        let refused = frames("#/a.obj", 2).unwrap_err();
        assert!(
            refused.to_string().contains("2 frames need a number") && refused.to_string().ends_with("face.####.obj")
        );
    }

    #[test]
    fn a_sequence_gets_the_place_of_its_number() {
        let of = |path: &str| NumberedPath::with_place(Path::new(path)).display().to_string();
        assert_eq!(of("a.b/face v1.2.png"), "a.b/face v1.2.####.png");
        assert_eq!([of("face.##.png"), of("face"), of("#/face.png")], ["face.##.png", "face.####", "#/face.####.png"]);
    }
}
