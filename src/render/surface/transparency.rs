//! Surfaces with alpha: which of them can be seen through at all, in which passes the others are drawn, and where they
//! are now, to be drawn back to front.
//!
//! Hair is cards: thousands of triangles of one part, one behind the other, in no order. What is nearly opaque of them
//! is drawn first and hides what is behind it, as solid things do; the thin rest is then laid over it, the sides that face
//! away before those that face the eye. Only where several thin edges meet does the order of triangles still show.

use std::collections::HashMap;

use crate::head::{AlphaMode, Head, Material, Mesh};

/// What alpha does, without its numbers. In drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Alpha {
    /// Nothing.
    Opaque,
    /// Drops fragments.
    Masked,
    /// Mixes with what is behind.
    Blended,
}

/// What a pass draws of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AlphaPass {
    /// All of one that is not blended.
    Opaque,
    /// The nearly opaque of a blended one; hides what is behind it.
    NearlyOpaque,
    /// The thin rest, sides that face away.
    ThinBack,
    /// The thin rest, sides that face the eye.
    ThinFront,
}

impl AlphaPass {
    /// Alpha from which on a blended surface hides what is behind it.
    const NEARLY_OPAQUE_ALPHA: f32 = 0.8;
    /// Below that nothing would be seen.
    const LEAST_ALPHA: f32 = 1.0 / 512.0;

    /// The alphas it draws: at least the first, below the second. What light goes through whole may still shine.
    pub fn alphas(self, is_transmissive: bool) -> [f32; 2] {
        match self {
            Self::Opaque => [0.0, 2.0],
            Self::NearlyOpaque => [Self::NEARLY_OPAQUE_ALPHA, 2.0],
            Self::ThinBack | Self::ThinFront if is_transmissive => [0.0, Self::NEARLY_OPAQUE_ALPHA],
            Self::ThinBack | Self::ThinFront => [Self::LEAST_ALPHA, Self::NEARLY_OPAQUE_ALPHA],
        }
    }
}

/// The least and the most alpha that a surface can have anywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaRange {
    pub least: f32,
    pub most: f32,
}

impl AlphaRange {
    /// Nothing is missing anywhere.
    const WHOLE: Self = Self { least: 1.0, most: 1.0 };

    fn times(self, other: Self) -> Self {
        Self { least: self.least * other.least, most: self.most * other.most }
    }

    fn of(values: impl Iterator<Item = f32>) -> Option<Self> {
        values.fold(None, |range: Option<Self>, value| {
            let range = range.unwrap_or(Self { least: value, most: value });
            Some(Self { least: range.least.min(value), most: range.most.max(value) })
        })
    }

    /// What alpha does to a surface of that range. Programs mark whole heads as blended that hide all behind them.
    pub fn alpha_of(self, material: &Material) -> Alpha {
        /// Half a step of eight bits.
        const OPAQUE: f32 = 1.0 - 0.5 / 255.0;
        match material.alpha {
            _ if material.transmission > 0.0 => Alpha::Blended,
            AlphaMode::Mask { .. } if self.is_cut(material) => Alpha::Masked,
            AlphaMode::Blend if self.least < OPAQUE => Alpha::Blended,
            AlphaMode::Opaque | AlphaMode::Mask { .. } | AlphaMode::Blend => Alpha::Opaque,
        }
    }

    /// Whether a surface of that range drops fragments.
    pub fn is_cut(self, material: &Material) -> bool {
        matches!(material.alpha, AlphaMode::Mask { cutoff } if self.least < cutoff)
    }

    /// The passes that draw anything of a surface of that range.
    pub fn passes(self, material: &Material) -> Vec<AlphaPass> {
        if self.alpha_of(material) != Alpha::Blended {
            return vec![AlphaPass::Opaque];
        }
        let hides = 1.0 - material.transmission.clamp(0.0, 1.0);
        let coverage = if material.alpha == AlphaMode::Blend { self } else { Self::WHOLE };
        let drawn = coverage.times(Self { least: hides, most: hides });
        let (has_core, has_thin) =
            (drawn.most >= AlphaPass::NEARLY_OPAQUE_ALPHA, drawn.least < AlphaPass::NEARLY_OPAQUE_ALPHA);
        let has_back = has_thin && material.double_sided;
        let passes =
            [(AlphaPass::NearlyOpaque, has_core), (AlphaPass::ThinBack, has_back), (AlphaPass::ThinFront, has_thin)];
        passes.into_iter().filter(|(_, is_drawn)| *is_drawn).map(|(pass, _)| pass).collect()
    }
}

/// The alphas of one head's textures, looked through once each.
#[derive(Debug, Default)]
pub struct TextureAlphas(HashMap<usize, AlphaRange>);

impl TextureAlphas {
    /// The range of triangles of `mesh`, one of that head's, with `material`, where its alpha means anything.
    pub fn range(&mut self, head: &Head, mesh: &Mesh, triangles: &[u32], material: &Material) -> AlphaRange {
        if material.alpha == AlphaMode::Opaque {
            return AlphaRange::WHOLE;
        }
        let factor = material.base_color[3];
        let colors = triangles.iter().filter_map(|&vertex| mesh.vertices.colors.get(vertex as usize));
        let is_repainted =
            mesh.targets.iter().flat_map(|target| &target.uv_color_deltas.colors).any(|color| color.w != 0.0);
        let painted = match AlphaRange::of(colors.map(|color| color[3])) {
            Some(_) if is_repainted => AlphaRange { least: 0.0, most: 1.0 },
            painted => painted.unwrap_or(AlphaRange::WHOLE),
        };
        let map = material.base_color_texture.filter(|map| !mesh.vertices.uv_set(map.uv_set).is_empty());
        let texture = map.map_or(AlphaRange::WHOLE, |map| self.of_texture(head, map.texture));
        painted.times(texture).times(AlphaRange { least: factor, most: factor })
    }

    fn of_texture(&mut self, head: &Head, index: usize) -> AlphaRange {
        let Some(texture) = head.textures.get(index) else { return AlphaRange::WHOLE };
        *self.0.entry(index).or_insert_with(|| {
            let alphas = texture.rgba.as_chunks::<4>().0.iter().map(|texel| f32::from(texel[3]) / 255.0);
            AlphaRange::of(alphas).unwrap_or(AlphaRange::WHOLE)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_all_behind_it_is_opaque_whatever_its_mode() {
        let of = |least, alpha| AlphaRange { least, most: 1.0 }.alpha_of(&Material { alpha, ..Material::default() });
        assert_eq!(of(1.0, AlphaMode::Blend), Alpha::Opaque);
        assert_eq!(of(0.99, AlphaMode::Blend), Alpha::Blended);
        assert_eq!(of(0.5, AlphaMode::Mask { cutoff: 0.5 }), Alpha::Opaque);
        assert_eq!(of(0.4, AlphaMode::Mask { cutoff: 0.5 }), Alpha::Masked);
        assert_eq!(of(0.0, AlphaMode::Opaque), Alpha::Opaque);
        let glass = Material { transmission: 0.5, ..Material::default() };
        assert_eq!(AlphaRange { least: 1.0, most: 1.0 }.alpha_of(&glass), Alpha::Blended);
    }

    #[test]
    fn passes_that_would_draw_nothing_are_left_out() {
        let hair = Material { alpha: AlphaMode::Blend, ..Material::default() };
        let passes = |least, most, material: &Material| AlphaRange { least, most }.passes(material);
        assert_eq!(passes(0.0, 1.0, &hair), [AlphaPass::NearlyOpaque, AlphaPass::ThinBack, AlphaPass::ThinFront]);
        assert_eq!(passes(0.0, 0.5, &Material { double_sided: false, ..hair.clone() }), [AlphaPass::ThinFront]);
        assert_eq!(passes(0.9, 0.9, &hair), [AlphaPass::NearlyOpaque]);
        let pane = Material { transmission: 0.1, ..Material::default() };
        assert_eq!(passes(0.0, 0.0, &pane), [AlphaPass::NearlyOpaque], "an alpha that means nothing");
        assert_eq!(
            passes(1.0, 1.0, &Material { transmission: 0.9, ..pane }),
            [AlphaPass::ThinBack, AlphaPass::ThinFront]
        );
    }
}
