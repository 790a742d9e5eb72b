//! The role that a material itself tells: its colour, and the extensions of glTF that it uses.

use super::Role;
use crate::head::{AlphaMode, Material, Texture};

/// How many texels of a texture are looked at.
const TEXELS: usize = 1024;

/// Whether light goes through most of a material, as through the layers before an iris.
pub(super) fn is_clear(material: &Material) -> bool {
    let is_thin =
        material.alpha == AlphaMode::Blend && material.base_color[3] < 0.5 && material.base_color_texture.is_none();
    is_thin || material.transmission > 0.5
}

/// The role of a material, if it tells. Only cloth has a sheen (KHR_materials_sheen) and no other sign of what it is; a warm, light
/// colour is that of skin.
pub(super) fn role_of(material: &Material, textures: &[Texture], is_of_face: bool) -> Option<Role> {
    if material.sheen_color != [0.0; 3] {
        return Some(Role::Cloth);
    }
    let is_lit = !material.unlit && material.metallic < 0.5;
    (is_of_face && is_lit && is_skin(mean_color(material, textures)?)).then_some(Role::Skin)
}

/// Whether a linear colour is one that skin has: red is strongest and blue weakest, from very light to very dark people.
fn is_skin([red, green, blue]: [f32; 3]) -> bool {
    let (of_green, of_blue) = (green / red.max(1e-4), blue / red.max(1e-4));
    red > 0.03 && (0.35..0.9).contains(&of_green) && (0.2..0.8).contains(&of_blue) && of_blue < of_green
}

/// The mean of the linear colour, as far as it can be told.
fn mean_color(material: &Material, textures: &[Texture]) -> Option<[f32; 3]> {
    let [red, green, blue, _] = material.base_color;
    let Some(map) = material.base_color_texture else { return Some([red, green, blue]) };
    let rgba = textures.get(map.texture)?.image.rgba();
    let texels = rgba.as_chunks::<4>().0;
    let step = (texels.len() / TEXELS).max(1);
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for texel in texels.iter().step_by(step).filter(|texel| texel[3] > 127) {
        // The square is close enough to sRGB's curve.
        sum = std::array::from_fn(|part| sum[part] + (f32::from(texel[part]) / 255.0).powi(2));
        count += 1.0;
    }
    (count > 0.0).then(|| [red * sum[0] / count, green * sum[1] / count, blue * sum[2] / count])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skin_is_warm_and_neither_grey_nor_red() {
        for skin in [[0.8, 0.58, 0.47], [0.78, 0.57, 0.46], [0.1, 0.05, 0.03], [0.35, 0.2, 0.13]] {
            assert!(is_skin(skin), "{skin:?}");
        }
        for other in [
            [0.8, 0.8, 0.8],
            [0.9, 0.1, 0.1],
            [0.92, 0.92, 0.94],
            [0.1, 0.3, 0.55],
            [0.01, 0.01, 0.01],
            [0.93, 0.9, 0.8],
        ] {
            assert!(!is_skin(other), "{other:?}");
        }
    }

    #[test]
    fn sheen_tells_cloth_and_a_thin_blend_is_clear() {
        let cloth = Material { sheen_color: [0.5; 3], ..Material::default() };
        assert_eq!(role_of(&cloth, &[], false), Some(Role::Cloth));
        assert_eq!(role_of(&Material::default(), &[], true), None);
        let skin = Material { base_color: [0.8, 0.58, 0.47, 1.0], ..Material::default() };
        assert_eq!(role_of(&skin, &[], true), Some(Role::Skin));
        assert_eq!(role_of(&skin, &[], false), None, "a wooden box");
        let film = Material { alpha: AlphaMode::Blend, base_color: [1.0, 1.0, 1.0, 0.1], ..Material::default() };
        assert!(is_clear(&film) && !is_clear(&skin));
    }
}
