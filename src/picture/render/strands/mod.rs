//! Hair as strands on the GPU: the points of all strands, the pipelines that draw them as ribbons, and how many of them a picture
//! is drawn with.

mod amount;
mod detail;
mod pipelines;
mod points;
mod strand_set;

use crate::scene::Scene;
use smirk_face::head::{GrownStrands, Head};
use smirk_graphics::gpu::Gpu;

use self::pipelines::StrandPipelines;
use self::strand_set::StrandSet;
#[cfg(test)]
pub(super) use self::strand_set::StrandUniforms;
use super::geometry::MeshTable;
use super::surface::Tier;

/// The largest number of strands of a head.
const MOST: usize = 60_000;

/// The strands of one head. They are grown when the head is uploaded, beside the window.
#[derive(Debug)]
pub(crate) struct StrandsOnGpu {
    sets: Vec<StrandSet>,
    pipelines: StrandPipelines,
    is_software: bool,
}

impl StrandsOnGpu {
    /// Grows the strands of a head; none if it has no guides.
    pub(super) fn new(gpu: &Gpu, head: &Head) -> Option<Self> {
        if head.meshes.iter().all(|mesh| mesh.strands.is_empty()) {
            return None;
        }
        let layout = strand_set::bind_group_layout(&gpu.device);
        let (mut sets, mut left) = (Vec::new(), MOST);
        for (index, mesh) in head.meshes.iter().enumerate() {
            for strands in &mesh.strands {
                let mut grown = GrownStrands::new(strands);
                grown.points.truncate(left * GrownStrands::POINTS);
                left -= grown.count();
                if grown.count() > 0 {
                    sets.push(StrandSet::new(gpu, &layout, index, strands.growth.width, &grown));
                }
            }
        }
        let pipelines = StrandPipelines::new(gpu, layout, !head.lights.is_empty());
        Some(Self { sets, pipelines, is_software: gpu.is_software() })
    }

    /// Chooses the strands of a picture.
    pub(super) fn choose(&mut self, scene: &Scene<'_>, tier: Tier) {
        for set in &mut self.sets {
            set.choose(scene, tier, self.is_software);
        }
    }

    /// Writes the uniforms for a viewport of `size` pixels and for the sample with a number.
    pub(super) fn write(&self, queue: &wgpu::Queue, size: [u32; 2], sample: u32) {
        self.sets.iter().for_each(|set| set.write(queue, size, sample));
    }

    /// Builds the pipelines of a tier that are missing.
    pub(super) fn build(&self, tier: Tier) {
        self.pipelines.build(tier);
    }

    /// Draws the strands, in a pass in which bind group 0 is set.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, tier: Tier, meshes: &MeshTable) {
        pass.set_pipeline(self.pipelines.of(tier));
        self.sets.iter().for_each(|set| set.draw(pass, meshes));
    }

    /// Draws the strands that cast shadows into a shadow map, in a pass in which bind group 0 is set.
    pub(super) fn cast_shadow(&self, pass: &mut wgpu::RenderPass<'_>, meshes: &MeshTable) {
        pass.set_pipeline(self.pipelines.shadow());
        self.sets.iter().for_each(|set| set.cast_shadow(pass, meshes));
    }
}
