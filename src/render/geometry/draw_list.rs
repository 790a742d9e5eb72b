//! A head's draws in one variant, with their indices on the GPU.

use glam::Vec3;

use crate::blend::Layout;
use crate::gpu::Gpu;
use crate::head::{Head, Posture};
use crate::render::surface::{Alpha, AlphaPass, TextureAlphas};

use super::draws::{self, Draw};

/// What is drawn, and in which order.
#[derive(Debug)]
pub struct DrawList {
    variant: Option<usize>,
    /// Per mesh, whether its triangles are turned over.
    mirrored: Vec<bool>,
    /// The posture it was last recentred for mirrors others.
    is_turned_over: bool,
    draws: Vec<Draw>,
    indices: wgpu::Buffer,
    /// The blended draws back to front, and how far away each is (squared); kept between frames so that none is
    /// allocated.
    sorted: Vec<(usize, f32)>,
}

impl DrawList {
    /// The draws of a head in a variant, its nodes in a posture.
    pub fn new(
        gpu: &Gpu,
        head: &Head,
        layout: &Layout,
        posture: &Posture,
        variant: Option<usize>,
        alphas: &mut TextureAlphas,
    ) -> Self {
        let place_of = |mesh, vertex| layout.place_of(mesh, vertex) as u32;
        let (indices, draws) = draws::indices_and_draws(head, posture, variant, alphas, place_of);
        Self {
            variant,
            mirrored: mirrored(head, posture).collect(),
            is_turned_over: false,
            indices: gpu.filled_buffer("indices", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            sorted: (0..draws.len())
                .filter(|&index| draws[index].surface.alpha == Alpha::Blended)
                .map(|index| (index, 0.0))
                .collect(),
            draws,
        }
    }

    /// Whether it is what a head shows in a variant, and in the posture it was last recentred for.
    pub fn is_for(&self, variant: Option<usize>) -> bool {
        self.variant == variant && !self.is_turned_over
    }

    /// Moves what the order depends on to where a posture has it.
    pub fn recenter(&mut self, head: &Head, posture: &Posture) {
        self.is_turned_over = !self.mirrored.iter().copied().eq(mirrored(head, posture));
        draws::recenter(&mut self.draws, head, posture);
    }

    /// Sorts what is transparent back to front, by where it is at those weights.
    pub fn sort_from(&mut self, eye_in_world: Vec3, weights: &[f32]) {
        for (index, distance) in &mut self.sorted {
            *distance = self.draws[*index].center.under(weights).distance_squared(eye_in_world);
        }
        self.sorted.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    }

    /// Binds the indices; false if there is nothing to draw.
    pub fn bind(&self, pass: &mut wgpu::RenderPass<'_>) -> bool {
        if !self.draws.is_empty() {
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        }
        !self.draws.is_empty()
    }

    /// What hides what is behind it.
    pub fn solid(&self) -> impl Iterator<Item = &Draw> {
        self.draws.iter().filter(|draw| draw.surface.alpha != Alpha::Blended)
    }

    /// What lets it shine through: first what is nearly opaque of it, then the thin rest in the order of
    /// [`Self::sort_from`], far sides before near ones.
    pub fn blended(&self) -> impl Iterator<Item = (&Draw, AlphaPass)> {
        let of = |passes: &'static [AlphaPass]| {
            let sorted = self.sorted.iter().map(|&(index, _)| &self.draws[index]);
            let in_passes = sorted.flat_map(move |draw| passes.iter().map(move |&pass| (draw, pass)));
            in_passes.filter(|(draw, pass)| draw.passes.contains(pass))
        };
        of(&[AlphaPass::NearlyOpaque]).chain(of(&[AlphaPass::ThinBack, AlphaPass::ThinFront]))
    }
}

/// Per mesh, whether a posture mirrors it.
fn mirrored<'a>(head: &'a Head, posture: &'a Posture) -> impl Iterator<Item = bool> + 'a {
    head.meshes.iter().map(|mesh| posture.is_mirrored(mesh))
}
