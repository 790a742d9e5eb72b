//! The textures that egui has uploaded, whole, so that another adapter can be given them: egui itself sends only changes.

use std::collections::HashMap;
use std::sync::Arc;

use egui::epaint::{ImageData, ImageDelta};
use egui::{ColorImage, TextureId};

/// One image for every texture in use.
#[derive(Default)]
pub(super) struct EguiTextures(HashMap<TextureId, ImageDelta>);

impl EguiTextures {
    /// Follows a texture that is made or changed.
    pub(super) fn note(&mut self, id: TextureId, delta: &ImageDelta) {
        let Some(corner) = delta.pos else {
            self.0.insert(id, delta.clone());
            return;
        };
        // Of a texture there is no more, a patch is nothing.
        let Some(whole) = self.0.get_mut(&id) else { return };
        let (ImageData::Color(whole), ImageData::Color(patch)) = (&mut whole.image, &delta.image);
        paste(Arc::make_mut(whole), patch, corner);
    }

    /// A texture is no longer in use.
    pub(super) fn forget(&mut self, id: TextureId) {
        self.0.remove(&id);
    }

    /// Every texture, as it is.
    pub(super) fn all(&self) -> impl Iterator<Item = (TextureId, &ImageDelta)> {
        self.0.iter().map(|(&id, whole)| (id, whole))
    }
}

fn paste(whole: &mut ColorImage, patch: &ColorImage, [left, top]: [usize; 2]) {
    let ([width, _], [patch_width, _]) = (whole.size, patch.size);
    for (row, texels) in patch.pixels.chunks_exact(patch_width.max(1)).enumerate() {
        let first = (top + row) * width + left;
        whole.pixels[first..first + patch_width].copy_from_slice(texels);
    }
}

#[cfg(test)]
mod tests {
    use egui::TextureOptions;

    use super::*;

    fn texels(textures: &EguiTextures, id: TextureId) -> Vec<u8> {
        let (_, whole) = textures.all().find(|(other, _)| *other == id).unwrap();
        assert_eq!(whole.pos, None, "all of it");
        let ImageData::Color(image) = &whole.image;
        image.pixels.iter().map(|color| color.r()).collect()
    }

    fn delta(size: [usize; 2], gray: &[u8], pos: Option<[usize; 2]>) -> ImageDelta {
        ImageDelta { image: ColorImage::from_gray(size, gray).into(), options: TextureOptions::LINEAR, pos }
    }

    #[test]
    fn a_patch_changes_the_whole_and_nothing_beside_it() {
        let (font, face) = (TextureId::Managed(0), TextureId::Managed(1));
        let mut textures = EguiTextures::default();
        textures.note(font, &delta([3, 3], &[1; 9], None));
        textures.note(face, &delta([1, 1], &[7], None));
        textures.note(font, &delta([2, 2], &[2, 3, 4, 5], Some([1, 1])));
        assert_eq!(texels(&textures, font), [1, 1, 1, 1, 2, 3, 1, 4, 5]);
        assert_eq!(texels(&textures, face), [7]);
        textures.note(font, &delta([2, 1], &[8, 9], None));
        assert_eq!(texels(&textures, font), [8, 9], "a larger atlas is another one");
        textures.forget(face);
        textures.note(face, &delta([1, 1], &[7], Some([0, 0])));
        assert_eq!(textures.all().count(), 1);
    }
}
