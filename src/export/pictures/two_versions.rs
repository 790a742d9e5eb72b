//! The picture of two versions of a head: side by side, or one over the other.

use std::sync::{Arc, PoisonError};

use image::{RgbaImage, imageops};

use super::drawing::{Picture, PictureDrawing, draw_divider};
use super::labels::LabelText;
use super::settings::PictureSettings;
use crate::export::Drawing;
use crate::head::Head;
use crate::render::Pixels;
use crate::session::Session;

/// How two versions of a head are on one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TwoVersions {
    /// Side by side.
    Beside,
    /// The other version over the head, with an opacity from 0 to 1.
    Over(f32),
}

impl PictureDrawing {
    /// Draws a session as it is now and the version that it is compared with ([`Session::version`]), through the session's camera, and waits
    /// for both. `draw_with` does a drawing with a renderer of a head. Without a version, it is the picture of the session.
    pub fn two_versions<E>(
        &self,
        session: &Session,
        layout: TwoVersions,
        mut draw_with: impl FnMut(&Arc<Head>, Drawing<'_>) -> Result<(), E>,
    ) -> Result<Picture, E> {
        let [width, height] = self.settings.size;
        let secs = f64::from(session.clock.timeline.time_secs);
        let faces = [Some(session.shown_face()), session.face_of_b()];
        let mut pictures: Vec<RgbaImage> = Vec::new();
        for face in faces.into_iter().flatten() {
            let width = match (layout, pictures.len()) {
                (TwoVersions::Over(_), _) => width,
                (TwoVersions::Beside, 0) => width / 2,
                (TwoVersions::Beside, _) => width - width / 2,
            };
            let camera = face.camera;
            let scene = self.scene_of(face, session, camera, width);
            draw_with(&scene.head.clone(), &mut |renderer| {
                pictures.push(renderer.begin_picture(&scene.scene(), Pixels::Screen)?.into_image());
                Ok(())
            })?;
        }
        let mut image = RgbaImage::new(width, height);
        for (index, picture) in pictures.iter().enumerate() {
            match layout {
                TwoVersions::Beside => {
                    let left = if index == 0 { 0 } else { i64::from(width / 2) };
                    imageops::replace(&mut image, picture, left, 0);
                }
                TwoVersions::Over(opacity) => mix(&mut image, picture, if index == 0 { 1.0 } else { opacity }),
            }
        }
        if layout == TwoVersions::Beside {
            draw_divider(&mut image, width / 2);
        }
        if self.settings.labels.is_any() {
            let settings = PictureSettings { is_compared: true, ..self.settings };
            let text = LabelText::of(session, &settings, session.edits.timeline.rate, secs);
            text.paint(&mut image, &mut self.lettering.lock().unwrap_or_else(PoisonError::into_inner));
        }
        Ok(Picture::Screen(image))
    }
}

/// Draws a picture of the same size over another, with an opacity from 0 to 1.
fn mix(image: &mut RgbaImage, over: &RgbaImage, opacity: f32) {
    for (below, above) in image.as_flat_samples_mut().as_mut_slice().iter_mut().zip(over.as_raw()) {
        let mixed = f32::from(*below) + (f32::from(*above) - f32::from(*below)) * opacity;
        *below = (mixed + 0.5) as u8;
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;

    #[test]
    fn a_half_transparent_picture_shows_both() {
        let picture = |value: u8| RgbaImage::from_pixel(2, 1, Rgba([value, 0, 255 - value, 255]));
        let mut image = RgbaImage::new(2, 1);
        mix(&mut image, &picture(200), 1.0);
        assert_eq!(image, picture(200));
        mix(&mut image, &picture(100), 0.25);
        assert_eq!(image.get_pixel(1, 0).0, [175, 0, 80, 255]);
    }
}
