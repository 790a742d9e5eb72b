//! Surfaces with alpha: which of them can be seen through at all, in which passes the others are drawn, and where they
//! are now, to be drawn back to front.
//!
//! Hair is cards: thousands of triangles of one part, one behind the other, in no order. What is nearly opaque of them
//! is drawn first and hides what is behind it, as solid things do; the thin rest is then laid over it, the sides that face
//! away before those that face the eye. Only where several thin edges meet does the order of triangles still show.

use std::collections::HashMap;

use glam::{Mat4, Vec3};

use crate::head::{AlphaMode, Head, Material, Mesh, Posture};

use super::draws::Alpha;

/// What a pass draws of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// All of one that is not blended.
    Solid,
    /// The nearly opaque of a blended one; hides what is behind it.
    Core,
    /// The thin rest, sides that face away.
    Back,
    /// The thin rest, sides that face the eye.
    Front,
}

impl Layer {
    /// Alpha from which on a blended surface hides what is behind it.
    const CORE_ALPHA: f32 = 0.8;
    /// Below that nothing would be seen.
    const LEAST_ALPHA: f32 = 1.0 / 512.0;

    /// The alphas it draws: at least the first, below the second. What light goes through whole may still shine.
    pub fn alphas(self, is_transmissive: bool) -> [f32; 2] {
        match self {
            Self::Solid => [0.0, 2.0],
            Self::Core => [Self::CORE_ALPHA, 2.0],
            Self::Back | Self::Front if is_transmissive => [0.0, Self::CORE_ALPHA],
            Self::Back | Self::Front => [Self::LEAST_ALPHA, Self::CORE_ALPHA],
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
    pub fn layers(self, material: &Material) -> Vec<Layer> {
        if self.alpha_of(material) != Alpha::Blended {
            return vec![Layer::Solid];
        }
        let hides = 1.0 - material.transmission.clamp(0.0, 1.0);
        let coverage = if material.alpha == AlphaMode::Blend { self } else { Self::WHOLE };
        let drawn = coverage.times(Self { least: hides, most: hides });
        let (has_core, has_thin) = (drawn.most >= Layer::CORE_ALPHA, drawn.least < Layer::CORE_ALPHA);
        let has_back = has_thin && material.double_sided;
        let layers = [(Layer::Core, has_core), (Layer::Back, has_back), (Layer::Front, has_thin)];
        layers.into_iter().filter(|(_, is_drawn)| *is_drawn).map(|(layer, _)| layer).collect()
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
        let is_repainted = mesh.targets.iter().flat_map(|target| &target.paint.colors).any(|color| color.w != 0.0);
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

/// The middle of a part's triangles, which nodes and targets move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Center {
    /// Unmorphed.
    in_world: Vec3,
    /// What puts its vertices into the world; of those that hang on joints, the first.
    world_from_mesh: Mat4,
    /// What weight 1 of a target adds, in mesh space; targets by their head-wide index.
    drift: Vec<(usize, Vec3)>,
}

impl Center {
    /// Of some triangles of a mesh, in a posture.
    pub fn of(mesh: &Mesh, triangles: &[u32], posture: &Posture) -> Self {
        let mut uses = vec![0.0_f32; mesh.vertices.len()];
        for &vertex in triangles {
            if let Some(uses) = uses.get_mut(vertex as usize) {
                *uses += 1.0;
            }
        }
        let share = 1.0 / triangles.len().max(1) as f32;
        let drift = mesh.targets.iter().enumerate().map(|(index, target)| {
            let rows = target.rows.iter().zip(&target.positions);
            let sum: Vec3 = rows.map(|(&row, &delta)| delta * uses.get(row as usize).copied().unwrap_or(0.0)).sum();
            (mesh.first_target + index, sum * share)
        });
        let drift = drift.filter(|(_, drift)| *drift != Vec3::ZERO).collect();
        let mut center = Self { in_world: Vec3::ZERO, world_from_mesh: Mat4::IDENTITY, drift };
        center.place(mesh, triangles, posture);
        center
    }

    /// Moves it to where another posture has the same triangles.
    pub fn place(&mut self, mesh: &Mesh, triangles: &[u32], posture: &Posture) {
        let in_world = |&vertex: &u32| {
            let point = mesh.vertices.positions.get(vertex as usize)?;
            Some(posture.world_from_vertex(mesh, vertex as usize).transform_point3(*point))
        };
        self.in_world = triangles.iter().filter_map(in_world).sum::<Vec3>() / triangles.len().max(1) as f32;
        self.world_from_mesh = match triangles.first() {
            Some(&vertex) if (vertex as usize) < mesh.vertices.len() => {
                posture.world_from_vertex(mesh, vertex as usize)
            }
            _ => posture.world_from_mesh(mesh),
        };
    }

    /// In the world, at the head's weights.
    pub fn under(&self, weights: &[f32]) -> Vec3 {
        let moved = |&(target, drift): &(usize, Vec3)| drift * weights.get(target).copied().unwrap_or(0.0);
        self.in_world + self.world_from_mesh.transform_vector3(self.drift.iter().map(moved).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Target, Vertices};

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
        let layers = |least, most, material: &Material| AlphaRange { least, most }.layers(material);
        assert_eq!(layers(0.0, 1.0, &hair), [Layer::Core, Layer::Back, Layer::Front]);
        assert_eq!(layers(0.0, 0.5, &Material { double_sided: false, ..hair.clone() }), [Layer::Front]);
        assert_eq!(layers(0.9, 0.9, &hair), [Layer::Core]);
        let pane = Material { transmission: 0.1, ..Material::default() };
        assert_eq!(layers(0.0, 0.0, &pane), [Layer::Core], "an alpha that means nothing");
        assert_eq!(layers(1.0, 1.0, &Material { transmission: 0.9, ..pane }), [Layer::Back, Layer::Front]);
    }

    #[test]
    fn the_middle_follows_the_targets() {
        let positions = vec![Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 3.0, Vec3::splat(90.0)];
        let target = |rows: Vec<u32>| Target { positions: vec![Vec3::Z * 3.0; rows.len()], rows, ..Target::default() };
        let mesh = Mesh {
            vertices: Vertices { positions, ..Vertices::default() },
            targets: vec![target(vec![3]), target(vec![0, 2])],
            first_target: 5,
            world_from_mesh: Mat4::from_scale(Vec3::splat(2.0)),
            ..Mesh::default()
        };
        let center = Center::of(&mesh, &[0, 1, 2], &Posture::default());
        assert!(center.under(&[]).distance(Vec3::new(2.0, 2.0, 0.0)) < 1e-6);
        let mut weights = [9.0; 7];
        weights[6] = 0.5;
        assert!(center.under(&weights).distance(Vec3::splat(2.0)) < 1e-6, "the target that moves others counted");
    }
}
