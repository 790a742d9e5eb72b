//! The input of the readers of capture files.

use std::path::Path;

/// A list of the formats that can be read, for the error about a text file in another format.
pub(super) const EXPECTED_FORMATS: &str = "Smirk reads Live Link Face CSV (columns Timecode, EyeBlinkLeft, …), Audio2Face CSV (timeCode, \
                                    blendShapes.…) and JSON (facsNames, weightMat), and MediaPipe JSON (a list of frames)";

/// The content of a capture file, and where it is.
pub(crate) struct CaptureFile<'a> {
    /// All of the file.
    pub bytes: &'a [u8],
    /// The name of the take.
    pub name: &'a str,
    pub path: &'a Path,
}
