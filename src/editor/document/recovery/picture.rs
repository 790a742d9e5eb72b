//! The picture of unsaved work in the list: a small PNG that is stored in the record itself, so that it never gets separated.

use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, ImageReader, Limits, RgbaImage};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A small PNG. Clones share its bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct WorkPicture(Arc<[u8]>);

impl WorkPicture {
    /// Width and height, for high-resolution displays twice those in the list.
    pub const SIZE_PX: [u32; 2] = [192, 144];
    /// A larger picture was not made by Smirk.
    const MAX_SIDE_PX: u32 = 1024;

    /// Encodes a picture; `None` if it is empty.
    pub fn encode(picture: &RgbaImage) -> Option<Self> {
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png).ok()?;
        Some(Self(png.into_inner().into()))
    }

    /// The picture; `None` if it is damaged.
    pub fn decode(&self) -> Option<RgbaImage> {
        let mut reader = ImageReader::with_format(Cursor::new(&self.0), ImageFormat::Png);
        let mut limits = Limits::default();
        (limits.max_image_width, limits.max_image_height) = (Some(Self::MAX_SIDE_PX), Some(Self::MAX_SIDE_PX));
        reader.limits(limits);
        Some(reader.decode().ok()?.to_rgba8())
    }

    pub(super) fn from_text(text: &str) -> Option<Self> {
        Some(Self(STANDARD.decode(text).ok()?.into()))
    }
}

impl Serialize for WorkPicture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl<'de> Deserialize<'de> for WorkPicture {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(PictureVisitor)
    }
}

/// Refuses text that is not base64 while the text is read, so that the record is read without the picture.
struct PictureVisitor;

impl de::Visitor<'_> for PictureVisitor {
    type Value = WorkPicture;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a picture in base64")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<WorkPicture, E> {
        WorkPicture::from_text(text).ok_or_else(|| E::custom("is not a picture in base64"))
    }
}

impl fmt::Debug for WorkPicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WorkPicture({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_comes_back_and_a_damaged_one_is_none() {
        let picture = RgbaImage::from_fn(8, 6, |x, y| image::Rgba([x as u8 * 30, y as u8 * 40, 7, 255]));
        let stored = serde_json::to_string(&WorkPicture::encode(&picture).unwrap()).unwrap();
        let read: WorkPicture = serde_json::from_str(&stored).unwrap();
        assert_eq!(read.decode().unwrap(), picture);
        assert_eq!(WorkPicture(read.0[..40].into()).decode(), None);
        let wide = WorkPicture::encode(&RgbaImage::new(WorkPicture::MAX_SIDE_PX + 1, 1)).unwrap();
        assert_eq!(wide.decode(), None, "too large");
    }
}
