//! Thumbnails as egui textures. They are created when a card is first shown and removed when the thumbnail is replaced.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use egui::{Color32, ColorImage, Rect, TextureHandle, TextureId, TextureOptions, pos2};
use image::RgbaImage;

use crate::{PictureOf, Thumbnails, theme};

/// A texture for each thumbnail that was shown, with the image it was made from.
#[derive(Default)]
pub(crate) struct PictureTextures(HashMap<PictureOf, (Arc<RgbaImage>, TextureHandle)>);

impl PictureTextures {
    /// Removes the textures of thumbnails that were removed or replaced.
    pub(crate) fn remove_outdated(&mut self, thumbnails: &Thumbnails) {
        let is_current =
            |of: &PictureOf, shown: &Arc<_>| thumbnails.get(of).is_some_and(|picture| Arc::ptr_eq(picture, shown));
        self.0.retain(|of, (shown, _)| is_current(of, shown));
    }

    /// The texture of a thumbnail, if that was rendered already.
    pub(crate) fn texture(
        &mut self,
        ctx: &egui::Context,
        of: impl Into<PictureOf>,
        thumbnails: &Thumbnails,
    ) -> Option<TextureId> {
        let of = of.into();
        let picture = thumbnails.get(&of)?;
        let name = format!("{of:?}");
        let (_, texture) = self.0.entry(of).or_insert_with(|| {
            let size = [picture.width() as usize, picture.height() as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, picture.as_raw());
            (picture.clone(), ctx.load_texture(name, pixels, TextureOptions::LINEAR))
        });
        Some(texture.id())
    }
}

impl fmt::Debug for PictureTextures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

/// Paints a thumbnail with rounded corners.
pub(crate) fn paint_picture(painter: &egui::Painter, rect: Rect, texture: TextureId, opacity: f32) {
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    let tint = Color32::WHITE.gamma_multiply(opacity);
    painter.add(egui::epaint::RectShape::filled(rect, theme::ROUNDING, tint).with_texture(texture, whole));
}
