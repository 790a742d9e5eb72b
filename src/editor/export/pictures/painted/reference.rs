//! The reference on a picture: the frame at the play head, fitted as the window fits it.

use std::sync::{Arc, Mutex, PoisonError};

use egui::Color32;
use image::{RgbaImage, imageops};

use super::lettering::cover;
use super::style;
use crate::export::pictures::parts::Parts;
use crate::export::pictures::settings::PictureError;
use crate::session::{Placement, Reference, ReferencePlace, Session};
use smirk_files::reference::{ImageSequence, decode_frame};

/// Draws the reference of a session.
pub(in crate::export::pictures) struct ReferenceDrawing {
    reference: Reference,
    sequence: ImageSequence,
    /// The frame that was drawn last: an image that stays is read once.
    last: Mutex<Option<(usize, Arc<ReferenceFrame>)>>,
}

/// A frame at about the size at which it is drawn.
struct ReferenceFrame {
    /// Width and height of the file's image in pixels, of which at most 2048 a side are kept.
    size: [f32; 2],
    /// The image, not larger than it is drawn; multiplied by its alpha.
    image: RgbaImage,
}

impl ReferenceDrawing {
    /// Draws these images of a reference.
    pub(in crate::export::pictures) fn new(reference: Reference, sequence: ImageSequence) -> Self {
        Self { reference, sequence, last: Mutex::default() }
    }

    /// The frame that is shown while a session is at a moment.
    pub(in crate::export::pictures) fn frame_of(&self, session: &Session) -> usize {
        let time_secs = session.clock.timeline.time_secs;
        self.reference.frame_at(time_secs, self.sequence.opened(), self.sequence.len())
    }

    /// Draws a frame onto a picture, whose parts are given.
    pub(in crate::export::pictures) fn paint(
        &self,
        frame: usize,
        picture: &mut RgbaImage,
        parts: &Parts,
        is_transparent: bool,
    ) -> Result<(), PictureError> {
        if let (ReferencePlace::Beside, Some(part)) = (self.reference.place, parts.reference) {
            if !is_transparent {
                let columns = part[0]..part[0] + part[1];
                let backdrop = image::Rgba(style::BACKDROP.to_array());
                columns.for_each(|x| (0..picture.height()).for_each(|y| picture.put_pixel(x, y, backdrop)));
            }
            return self.paint_in(part, frame, picture, Placement::default(), 1.0);
        }
        let mut faces = parts.faces.clone();
        faces.dedup();
        let (placement, opacity) = (self.reference.placement, self.reference.opacity);
        faces.into_iter().try_for_each(|part| self.paint_in(part, frame, picture, placement, opacity))
    }

    /// Draws a frame into columns of a picture.
    fn paint_in(
        &self,
        [left, width]: [u32; 2],
        frame: usize,
        picture: &mut RgbaImage,
        placement: Placement,
        opacity: f32,
    ) -> Result<(), PictureError> {
        let within = [[left as f32, 0.0], [(left + width) as f32, picture.height() as f32]];
        let fitted = self.frame(frame, |size| placement.corners_in(within, size))?;
        let [min, max] = placement.corners_in(within, fitted.size);
        let columns = pixels(min[0], max[0], left, left + width);
        for y in pixels(min[1], max[1], 0, picture.height()) {
            let down = (y as f32 + 0.5 - min[1]) / (max[1] - min[1]);
            for x in columns.clone() {
                let across = (x as f32 + 0.5 - min[0]) / (max[0] - min[0]);
                let ink = sampled(&fitted.image, [across, down]);
                cover(picture, [i64::from(x), i64::from(y)], ink.gamma_multiply(opacity));
            }
        }
        Ok(())
    }

    /// A frame, made smaller if it is drawn smaller. `corners` has the corners between which an image of a size is drawn.
    fn frame(
        &self,
        frame: usize,
        corners: impl Fn([f32; 2]) -> [[f32; 2]; 2],
    ) -> Result<Arc<ReferenceFrame>, PictureError> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, kept)) = &*last()
            && *at == frame
        {
            return Ok(kept.clone());
        }
        let image = decode_frame(self.sequence.file(frame)).map_err(PictureError::Reference)?;
        let size = [image.width() as f32, image.height() as f32];
        let [min, max] = corners(size);
        let multiplied = multiplied(&image);
        let side = |axis: usize| ((max[axis] - min[axis]).ceil().clamp(1.0, size[axis].max(1.0))) as u32;
        let smaller = [side(0), side(1)];
        let image = match [multiplied.width(), multiplied.height()] {
            own if own == smaller => multiplied,
            _ => imageops::resize(&multiplied, smaller[0], smaller[1], imageops::FilterType::Triangle),
        };
        let kept = Arc::new(ReferenceFrame { size, image });
        *last() = Some((frame, kept.clone()));
        Ok(kept)
    }
}

/// The pixels whose middles are between two edges, within limits.
fn pixels(from: f32, to: f32, least: u32, most: u32) -> std::ops::Range<u32> {
    let first = (from - 0.5).ceil().clamp(least as f32, most as f32) as u32;
    let end = (to - 0.5).ceil().clamp(least as f32, most as f32) as u32;
    first..end.max(first)
}

/// An image whose colours are multiplied by their alpha, so that what is transparent has no colour that could be mixed in.
fn multiplied(image: &RgbaImage) -> RgbaImage {
    let mut multiplied = image.clone();
    for pixel in multiplied.pixels_mut() {
        let [red, green, blue, alpha] = pixel.0;
        pixel.0 = Color32::from_rgba_unmultiplied(red, green, blue, alpha).to_array();
    }
    multiplied
}

/// The colour at a place from 0 to 1 along both sides of an image, linear between its pixels.
fn sampled(image: &RgbaImage, place: [f32; 2]) -> Color32 {
    let sides = [image.width(), image.height()];
    let axis = |axis: usize| {
        let at = (place[axis] * sides[axis] as f32 - 0.5).clamp(0.0, (sides[axis] - 1) as f32);
        let first = at as u32;
        (first, (first + 1).min(sides[axis] - 1), at - first as f32)
    };
    let ((left, right, across), (top, bottom, down)) = (axis(0), axis(1));
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)].map(|(x, y)| image.get_pixel(x, y).0);
    let between = |channel: usize| {
        let [a, b, c, d] = corners.map(|corner| f32::from(corner[channel]));
        let [top, bottom] = [a + (b - a) * across, c + (d - c) * across];
        (top + (bottom - top) * down + 0.5) as u8
    };
    Color32::from_rgba_premultiplied(between(0), between(1), between(2), between(3))
}
