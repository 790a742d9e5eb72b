//! The pictures of unsaved work as egui textures. They are decoded when their row is first shown.

use std::collections::HashMap;
use std::fmt;

use egui::{ColorImage, TextureHandle, TextureId, TextureOptions};

use smirk_editor::document::UnsavedWork;
use smirk_editor::session::WorkId;

/// A texture for each picture that was shown; none for one that is damaged.
#[derive(Default)]
pub(super) struct WorkPictures(HashMap<WorkId, Option<TextureHandle>>);

impl WorkPictures {
    /// The texture of a work's picture.
    pub(super) fn texture(&mut self, ctx: &egui::Context, work: &UnsavedWork) -> Option<TextureId> {
        let texture = self.0.entry(work.id).or_insert_with(|| {
            let picture = work.picture.as_ref()?.decode()?;
            let size = [picture.width() as usize, picture.height() as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, picture.as_raw());
            Some(ctx.load_texture(format!("unsaved work {}", work.id.0), pixels, TextureOptions::LINEAR))
        });
        texture.as_ref().map(TextureHandle::id)
    }
}

impl fmt::Debug for WorkPictures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}
