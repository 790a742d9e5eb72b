//! The files of pictures: PNG and OpenEXR.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::drawing::FinishedPicture;
use super::exr;
use crate::png::png_bytes;
use smirk_base::atomic_file::{OutputPath, WriteError};
use smirk_base::file_kind::{self, FileKind};
use smirk_base::regular_file;
use smirk_picture::render::Pixels;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "lowercase")]
pub enum PictureFormat {
    /// What a screen shows, 8 bits a channel.
    #[default]
    Png,
    /// Linear light, 16-bit floats.
    Exr,
}

impl PictureFormat {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Exr => "OpenEXR",
        }
    }

    pub fn file_kind(self) -> &'static FileKind {
        match self {
            Self::Png => &file_kind::PNG,
            Self::Exr => &file_kind::EXR,
        }
    }

    pub(super) fn from_path(path: &Path) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.file_kind().matches(path))
    }

    pub(super) fn pixels(self) -> Pixels {
        match self {
            Self::Png => Pixels::Screen,
            Self::Exr => Pixels::Light,
        }
    }

    /// About how many bytes a pixel takes in the file: of heads before the studio's background, which has a fine grain.
    pub(super) fn bytes_per_pixel(self) -> f64 {
        match self {
            Self::Png => 1.15,
            Self::Exr => 2.9,
        }
    }
}

/// Writes a picture. Without `has_alpha` the picture is opaque, and the file has no alpha.
pub fn save_picture(output: &OutputPath, picture: &FinishedPicture, has_alpha: bool) -> Result<(), WriteError> {
    let bytes = match picture {
        FinishedPicture::Screen(image) => {
            png_bytes(image, has_alpha).map_err(|error| WriteError::of_content(output.path(), error))
        }
        FinishedPicture::Light(light) => {
            exr::exr_bytes(light, has_alpha).map_err(|error| WriteError::of_content(output.path(), error))
        }
    };
    output.write(&bytes?)
}

/// Whether a whole picture of this size is in a file: its beginning is that of a picture of this size, and its end is
/// the end of one.
pub(super) fn is_whole(path: &Path, format: PictureFormat, size: [u32; 2]) -> bool {
    holds_whole(path, format, size).unwrap_or(false)
}

fn holds_whole(path: &Path, format: PictureFormat, size: [u32; 2]) -> io::Result<bool> {
    let mut file = regular_file::open_output(path)?;
    match format {
        PictureFormat::Png => {
            let (mut start, mut end) = ([0; 24], [0; 12]);
            file.read_exact(&mut start)?;
            file.seek(SeekFrom::End(-12))?;
            file.read_exact(&mut end)?;
            let sides =
                [16, 20].map(|at: usize| u32::from_be_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]]));
            Ok(start.starts_with(b"\x89PNG\r\n\x1a\n") && sides == size && end[4..8] == *b"IEND")
        }
        PictureFormat::Exr => Ok(exr::is_whole(io::BufReader::new(file), size).unwrap_or(false)),
    }
}

#[cfg(test)]
mod tests {
    use image::RgbaImage;

    use super::super::exr::LightPicture;
    use super::*;

    #[test]
    fn only_a_whole_file_of_the_same_size_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let size = [40, 37];
        for (name, picture) in [
            ("a.png", FinishedPicture::Screen(RgbaImage::new(size[0], size[1]))),
            ("a.exr", FinishedPicture::Light(LightPicture::new(size))),
        ] {
            let path = folder.path().join(name);
            let format = PictureFormat::from_path(&path).unwrap();
            assert!(!is_whole(&path, format, size), "there is no file");
            for has_alpha in [false, true] {
                save_picture(&OutputPath::new(&path), &picture, has_alpha).unwrap();
                let bytes = std::fs::read(&path).unwrap();
                assert!(is_whole(&path, format, size) && !is_whole(&path, format, [size[1], size[0]]), "{name}");
                for length in [0, 3, 30, bytes.len() / 2, bytes.len() - 1] {
                    std::fs::write(&path, &bytes[..length]).unwrap();
                    assert!(!is_whole(&path, format, size), "{name} cut to {length} bytes");
                }
            }
        }
    }
}
