//! Thumbnails of poses as egui textures. They are created when a card is first shown and removed when the thumbnail is
//! replaced.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use egui::{ColorImage, TextureHandle, TextureId, TextureOptions};
use image::RgbaImage;

use crate::motion::PoseId;
use crate::ui::Thumbnails;

/// A texture for each thumbnail that was shown, with the image it was made from.
#[derive(Default)]
pub(crate) struct PosePictures(HashMap<PoseId, (Arc<RgbaImage>, TextureHandle)>);

impl PosePictures {
    /// Removes the textures of thumbnails that were removed or replaced.
    pub(crate) fn remove_outdated(&mut self, thumbnails: &Thumbnails) {
        let is_current = |id, shown: &Arc<_>| thumbnails.get(id).is_some_and(|picture| Arc::ptr_eq(picture, shown));
        self.0.retain(|&id, (shown, _)| is_current(id, shown));
    }

    /// The texture of a pose's thumbnail, if that was rendered already.
    pub(crate) fn texture(&mut self, ctx: &egui::Context, id: PoseId, thumbnails: &Thumbnails) -> Option<TextureId> {
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
