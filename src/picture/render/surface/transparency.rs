//! Transparency: which surfaces with alpha are transparent anywhere, and which passes draw them.
//!
//! Hair is modelled with hair cards: one part of a mesh with thousands of textured triangles that overlap and are not
//! sorted. Their nearly opaque fragments are drawn first, with depth writes, and hide what is behind them, as opaque
//! surfaces do. The other fragments are then blended over them, those of sides that face away before those that face
//! the eye. The order of the triangles is visible only where several fragments of low alpha overlap.

use smirk_face::head::{AlphaMode, Head, Material, Mesh};

/// The effect of alpha on a surface, in drawing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Alpha {
    Opaque,
    /// Fragments with an alpha below a cutoff are dropped.
    Masked,
    /// The surface is mixed with what is behind it.
    Blended,
}

/// The passes over the surfaces; each draws a part of the fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum AlphaPass {
    /// Draws all fragments of surfaces that are not blended.
    Opaque,
    /// Draws the nearly opaque fragments of blended surfaces, which hide what is behind them.
    NearlyOpaque,
    /// Draws the other fragments of blended surfaces, on sides that face away.
    ThinBack,
    /// Draws the other fragments of blended surfaces, on sides that face the eye.
    ThinFront,
    /// Draws all fragments of lash cards, on both sides. Their hairs are thinner than a pixel, so that no fragment
    /// hides what is behind it.
    Cards,
    /// Draws all fragments of a blended toon surface, in the order of its triangles, as its maker has seen it.
    Toon,
    /// Draws the hull of back faces around a toon surface.
    Outline,
}

impl AlphaPass {
    /// From this alpha on, a fragment of a blended surface hides what is behind it.
    const NEARLY_OPAQUE_ALPHA: f32 = 0.8;
    /// Fragments below this alpha would not be visible.
    const LEAST_ALPHA: f32 = 1.0 / 512.0;

    /// The alphas of the fragments that the pass draws: at least the first and below the second. A transmissive surface
    /// is drawn down to an alpha of 0, because it still has highlights there.
    pub(crate) fn alphas(self, is_transmissive: bool) -> [f32; 2] {
        match self {
            Self::Opaque => [0.0, 2.0],
            Self::NearlyOpaque => [Self::NEARLY_OPAQUE_ALPHA, 2.0],
            Self::ThinBack | Self::ThinFront if is_transmissive => [0.0, Self::NEARLY_OPAQUE_ALPHA],
            Self::ThinBack | Self::ThinFront => [Self::LEAST_ALPHA, Self::NEARLY_OPAQUE_ALPHA],
            Self::Cards | Self::Toon | Self::Outline => [Self::LEAST_ALPHA, 2.0],
        }
    }
}

/// The least and the most alpha that a surface can have anywhere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AlphaRange {
    pub least: f32,
    pub most: f32,
}

impl AlphaRange {
    /// Alpha is 1 everywhere.
    const WHOLE: Self = Self { least: 1.0, most: 1.0 };
    const ANY: Self = Self { least: 0.0, most: 1.0 };

    /// The range of alpha over triangles of a mesh of a head with `material`. It is 1 to 1 if the material ignores
    /// alpha.
    pub(crate) fn over(head: &Head, mesh: &Mesh, triangles: &[u32], material: &Material) -> Self {
        if material.alpha == AlphaMode::Opaque {
            return Self::WHOLE;
        }
        let factor = match (material.changed_by_expressions.alpha, material.base_color[3]) {
            (true, _) => Self::ANY,
            (false, alpha) => Self { least: alpha, most: alpha },
        };
        // MToon ignores the colours of vertices.
        let is_colored = material.toon.is_none();
        let colors = triangles.iter().filter_map(|&vertex| mesh.vertices.colors.get(vertex as usize));
        let colors = colors.filter(|_| is_colored);
        let is_morphed = is_colored
            && mesh.targets.iter().flat_map(|target| &target.uv_color_deltas.colors).any(|color| color.w != 0.0);
        let colored = match Self::around(colors.map(|color| color[3])) {
            Some(_) if is_morphed => Self::ANY,
            colored => colored.unwrap_or(Self::WHOLE),
        };
        let map = material.base_color_texture.filter(|map| !mesh.vertices.uv_set(map.uv_set).is_empty());
        let texture = map.and_then(|map| head.textures.get(map.texture)).map_or(Self::WHOLE, |texture| {
            let [least, most] = texture.image.alphas().map(|alpha| f32::from(alpha) / 255.0);
            Self { least, most }
        });
        colored.times(texture).times(factor)
    }

    fn times(self, other: Self) -> Self {
        Self { least: self.least * other.least, most: self.most * other.most }
    }

    fn around(values: impl Iterator<Item = f32>) -> Option<Self> {
        values.fold(None, |range: Option<Self>, value| {
            let range = range.unwrap_or(Self { least: value, most: value });
            Some(Self { least: range.least.min(value), most: range.most.max(value) })
        })
    }

    /// The effect of alpha on a surface with this range of alphas. A blended surface whose alpha is 1 everywhere counts
    /// as opaque: some programs mark whole heads as blended.
    pub(crate) fn alpha_of(self, material: &Material) -> Alpha {
        /// Half a step of eight bits.
        const OPAQUE: f32 = 1.0 - 0.5 / 255.0;
        match material.alpha {
            // The order in which toon surfaces are drawn is their maker's, whatever their alpha is.
            AlphaMode::Blend if material.toon.is_some() => Alpha::Blended,
            _ if material.transmission > 0.0 && material.toon.is_none() => Alpha::Blended,
            AlphaMode::Mask { .. } if self.is_alpha_tested(material) => Alpha::Masked,
            AlphaMode::Blend if self.least < OPAQUE => Alpha::Blended,
            AlphaMode::Opaque | AlphaMode::Mask { .. } | AlphaMode::Blend => Alpha::Opaque,
        }
    }

    /// Whether any fragment of a surface with this range of alphas is dropped.
    pub(crate) fn is_alpha_tested(self, material: &Material) -> bool {
        matches!(material.alpha, AlphaMode::Mask { cutoff } if self.least < cutoff)
    }

    /// The passes that draw any fragment of a surface with this range of alphas.
    pub(crate) fn passes(self, material: &Material) -> Vec<AlphaPass> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_surface_of_alpha_1_is_opaque_whatever_its_mode() {
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
        assert_eq!(passes(0.0, 0.0, &pane), [AlphaPass::NearlyOpaque], "alpha is ignored");
        assert_eq!(
            passes(1.0, 1.0, &Material { transmission: 0.9, ..pane }),
            [AlphaPass::ThinBack, AlphaPass::ThinFront]
        );
    }
}
