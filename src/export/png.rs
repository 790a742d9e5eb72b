//! Images as PNG files.

use std::io::Cursor;

use image::RgbaImage;

use crate::atomic_file::{OutputPath, WriteError};

/// Writes `picture` (sRGB, straight alpha).
pub fn save_png(output: &OutputPath, picture: &RgbaImage) -> Result<(), WriteError> {
    let mut bytes = Vec::new();
    picture.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).map_err(|error| {
        let (width, height) = picture.dimensions();
        WriteError::of_content(output.path(), format!("a picture of {width}×{height} cannot be encoded: {error}"))
    })?;
    output.write(&bytes)
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
        save_png(&OutputPath::new(&path), &picture).unwrap();
        assert_eq!(image::open(&path).unwrap().into_rgba8(), picture);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
