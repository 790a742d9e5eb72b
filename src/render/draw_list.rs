//! A head's draws in one variant, with their indices on the GPU.

use glam::Vec3;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::blend::Layout;
use crate::gpu::Gpu;
use crate::head::Head;

use super::draws::{self, Alpha, Draw};

/// What is drawn, and in which order.
#[derive(Debug)]
pub struct DrawList {
    variant: Option<usize>,
    draws: Vec<Draw>,
    indices: wgpu::Buffer,
    /// The blended draws back to front; kept between frames so that none is allocated.
    sorted: Vec<usize>,
}

impl DrawList {
    /// The draws of a head in a variant.
    pub fn new(gpu: &Gpu, head: &Head, layout: &Layout, variant: Option<usize>) -> Self {
        let place_of = |mesh, vertex| layout.place_of(mesh, vertex) as u32;
        let (indices, draws) = draws::indices_and_draws(head, variant, place_of);
        Self {
            variant,
            indices: gpu.device.create_buffer_init(&BufferInitDescriptor {
                label: Some("indices"),
                contents: bytemuck::cast_slice(&indices),
                usage: wgpu::BufferUsages::INDEX,
            }),
            sorted: (0..draws.len()).filter(|&index| draws[index].surface.alpha == Alpha::Blended).collect(),
            draws,
        }
    }

    /// Which variant's.
    pub fn variant(&self) -> Option<usize> {
        self.variant
    }

    /// Sorts what is transparent back to front.
    pub fn sort_from(&mut self, eye_in_world: Vec3) {
        let draws = &self.draws;
        let distance = |index: usize| draws[index].center_in_world.distance_squared(eye_in_world);
        self.sorted.sort_by(|&a, &b| distance(b).total_cmp(&distance(a)));
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

    /// What lets it shine through, in the order of [`Self::sort_from`].
    pub fn blended(&self) -> impl Iterator<Item = &Draw> {
        self.sorted.iter().map(|&index| &self.draws[index])
    }
}
