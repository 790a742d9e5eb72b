//! Copies of all textures that egui has uploaded. After a device loss they are uploaded to the new device, because egui itself only
//! sends changes.

use std::collections::HashMap;
use std::sync::Arc;

use egui::epaint::{ImageData, ImageDelta};
use egui::{ColorImage, TextureId};

/// The complete image of every texture in use.
#[derive(Default)]
pub(super) struct EguiTextures(HashMap<TextureId, ImageDelta>);

impl EguiTextures {
    /// Applies the creation or a partial change of a texture.
    pub(super) fn update(&mut self, id: TextureId, delta: &ImageDelta) {
        let Some(corner) = delta.pos else {
            self.0.insert(id, delta.clone());
            return;
        };
        // A change to a texture that was freed already is ignored.
        let Some(whole) = self.0.get_mut(&id) else { return };
        let (ImageData::Color(whole), ImageData::Color(patch)) = (&mut whole.image, &delta.image);
        paste(Arc::make_mut(whole), patch, corner);
    }

    /// Removes a texture that is no longer in use.
    pub(super) fn remove(&mut self, id: TextureId) {
        self.0.remove(&id);
    }

    /// Every texture with its complete image.
    pub(super) fn all(&self) -> impl Iterator<Item = (TextureId, &ImageDelta)> {
        self.0.iter().map(|(&id, texture)| (id, texture))
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
        assert_eq!(whole.pos, None, "the complete image");
        let ImageData::Color(image) = &whole.image;
        image.pixels.iter().map(|color| color.r()).collect()
    }

    fn delta(size: [usize; 2], gray: &[u8], pos: Option<[usize; 2]>) -> ImageDelta {
        ImageDelta { image: ColorImage::from_gray(size, gray).into(), options: TextureOptions::LINEAR, pos }
    }

    #[test]
    fn a_patch_changes_its_own_texels_and_no_others() {
        let (font, face) = (TextureId::Managed(0), TextureId::Managed(1));
        let mut textures = EguiTextures::default();
        textures.update(font, &delta([3, 3], &[1; 9], None));
        textures.update(face, &delta([1, 1], &[7], None));
        textures.update(font, &delta([2, 2], &[2, 3, 4, 5], Some([1, 1])));
        assert_eq!(texels(&textures, font), [1, 1, 1, 1, 2, 3, 1, 4, 5]);
        assert_eq!(texels(&textures, face), [7]);
        textures.update(font, &delta([2, 1], &[8, 9], None));
        assert_eq!(texels(&textures, font), [8, 9], "a texture of another size replaces the old one");
        textures.remove(face);
        textures.update(face, &delta([1, 1], &[7], Some([0, 0])));
        assert_eq!(textures.all().count(), 1);
    }
}
