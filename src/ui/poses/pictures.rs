//! Pictures of poses as textures: made when a card first shows one, dropped when it is stale.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use egui::{ColorImage, TextureHandle, TextureId, TextureOptions};
use image::RgbaImage;

use crate::motion::PoseId;
use crate::ui::Thumbnails;

/// The textures there are.
#[derive(Default)]
pub struct PosePictures(HashMap<PoseId, (Arc<RgbaImage>, TextureHandle)>);

impl PosePictures {
    /// Drops the textures of pictures that are gone or were replaced.
    pub fn follow(&mut self, thumbnails: &Thumbnails) {
        let is_current = |id, held: &Arc<_>| thumbnails.get(id).is_some_and(|picture| Arc::ptr_eq(picture, held));
        self.0.retain(|&id, (held, _)| is_current(id, held));
    }

    /// The texture of a pose's picture, if it is drawn yet.
    pub fn texture(&mut self, ctx: &egui::Context, id: PoseId, thumbnails: &Thumbnails) -> Option<TextureId> {
        let picture = thumbnails.get(id)?;
        let (_, texture) = self.0.entry(id).or_insert_with(|| {
            let size = [picture.width() as usize, picture.height() as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, picture.as_raw());
            (picture.clone(), ctx.load_texture(format!("pose {}", id.0), pixels, TextureOptions::LINEAR))
        });
        Some(texture.id())
    }
}

impl fmt::Debug for PosePictures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}
