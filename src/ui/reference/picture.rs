//! The picture of the reference as an egui texture, and where it is drawn.

use std::fmt;
use std::sync::Arc;

use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions, Vec2, pos2, vec2};
use image::RgbaImage;

use super::ReferenceView;
use crate::widgets::PanelSize;
use smirk_editor::session::Placement;

/// How the pane shows the reference.
#[derive(Default)]
pub(crate) struct ReferencePane {
    texture: Option<(Arc<RgbaImage>, TextureHandle)>,
    /// How the picture lies in the pane.
    pub(super) placement: Placement,
    pub(super) size: PanelSize,
}

impl ReferencePane {
    /// The texture of the shown image. There is one texture, which is replaced with the image.
    pub(super) fn texture(&mut self, ctx: &egui::Context, view: &ReferenceView<'_>) -> Option<&TextureHandle> {
        let Some(image) = view.image else {
            self.free();
            return None;
        };
        let is_current = self.texture.as_ref().is_some_and(|(shown, _)| Arc::ptr_eq(shown, image));
        if !is_current {
            let size = [image.width() as usize, image.height() as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, image.as_raw());
            match &mut self.texture {
                Some((shown, texture)) => {
                    *shown = image.clone();
                    texture.set(pixels, TextureOptions::LINEAR);
                }
                None => {
                    let texture = ctx.load_texture("reference", pixels, TextureOptions::LINEAR);
                    self.texture = Some((image.clone(), texture));
                }
            }
        }
        self.texture.as_ref().map(|(_, texture)| texture)
    }

    /// Frees the texture.
    pub(super) fn free(&mut self) {
        self.texture = None;
    }
}

impl fmt::Debug for ReferencePane {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ReferencePane").field("placement", &self.placement).finish_non_exhaustive()
    }
}

/// Where a picture of this size is drawn within a rectangle.
pub(super) fn placed(placement: Placement, within: Rect, size: Vec2) -> Rect {
    let [min, max] = placement.corners_in([within.min.into(), within.max.into()], size.into());
    Rect::from_min_max(min.into(), max.into())
}

/// Draws the whole texture.
pub(super) fn paint(painter: &egui::Painter, texture: &TextureHandle, rect: Rect, opacity: f32) {
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    painter.image(texture.id(), rect, whole, Color32::WHITE.gamma_multiply(opacity));
}

/// The size of a texture in points, if each of its texels were one.
pub(super) fn size_of(texture: &TextureHandle) -> Vec2 {
    let [width, height] = texture.size();
    vec2(width as f32, height as f32)
}
