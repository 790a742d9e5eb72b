//! A head's draws in one variant, with their indices on the GPU.

use glam::Vec3;

use crate::blend::Layout;
use crate::gpu::Gpu;
use crate::head::{Head, RigPose};
use crate::render::surface::{Alpha, AlphaPass, TextureAlphas};

use super::draws::{self, Draw};

/// What is drawn, and in which order.
#[derive(Debug)]
pub struct DrawList {
    variant: Option<usize>,
    /// Per mesh, whether its triangles are turned over.
    mirrored: Vec<bool>,
    /// The rig pose it was last recentred for mirrors others.
    is_turned_over: bool,
    draws: Vec<Draw>,
    indices: wgpu::Buffer,
    /// The blended draws back to front, and how far away each is (squared); kept between frames so that none is
    /// allocated.
    sorted: Vec<(usize, f32)>,
}

impl DrawList {
    /// The draws of a head in a variant, its nodes in a rig pose.
    pub fn new(
        gpu: &Gpu,
        head: &Head,
        layout: &Layout,
        rig_pose: &RigPose,
        variant: Option<usize>,
        alphas: &mut TextureAlphas,
    ) -> Self {
        let place_of = |mesh, vertex| layout.place_of(mesh, vertex) as u32;
        let (indices, draws) = draws::indices_and_draws(head, rig_pose, variant, alphas, place_of);
        Self {
            variant,
            mirrored: mirrored(head, rig_pose).collect(),
            is_turned_over: false,
            indices: gpu.filled_buffer("indices", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            sorted: (0..draws.len())
                .filter(|&index| draws[index].surface.alpha == Alpha::Blended)
                .map(|index| (index, 0.0))
                .collect(),
            draws,
        }
    }

    /// Whether it is what a head shows in a variant, and in the rig pose it was last recentred for.
    pub fn is_for(&self, variant: Option<usize>) -> bool {
        self.variant == variant && !self.is_turned_over
    }

    /// Moves what the order depends on to where a rig pose has it.
    pub fn recenter(&mut self, head: &Head, rig_pose: &RigPose) {
        self.is_turned_over = !self.mirrored.iter().copied().eq(mirrored(head, rig_pose));
        draws::recenter(&mut self.draws, head, rig_pose);
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

/// Per mesh, whether a rig pose mirrors it.
fn mirrored<'a>(head: &'a Head, rig_pose: &'a RigPose) -> impl Iterator<Item = bool> + 'a {
    head.meshes.iter().map(|mesh| rig_pose.is_mirrored(mesh))
}
