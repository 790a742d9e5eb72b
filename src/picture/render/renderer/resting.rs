//! The resting tier: refines the picture that the moving tier has drawn.

use std::time::Instant;

use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::output::RenderOutput;
use crate::render::pace::Pace;
use crate::render::refinement::{Finisher, Step};
use crate::scene::Scene;
use smirk_graphics::blend::BlendMode;
use smirk_graphics::gpu::Gpu;

/// What a sample needs.
pub(super) struct Refiner<'a> {
    pub gpu: &'a Gpu,
    pub finisher: &'a Finisher,
    pub head: &'a mut HeadOnGpu,
    pub output: &'a mut RenderOutput,
    /// The picture of the moving tier turns into the refined one sample by sample.
    pub is_gradual: bool,
}

impl Refiner<'_> {
    /// So many passes are submitted before one waits for them, so that the queue of the driver does not grow without limit.
    const UNWAITED: usize = 64;

    /// Adds all samples to the picture of `scene`. When this returns, the adapter may still be drawing the last ones.
    pub(super) fn add_all(&mut self, scene: &Scene<'_>) {
        for pass in 1.. {
            if !self.output.wants_samples(scene) || self.submit(scene, None, None) == Step::Done {
                break;
            }
            if pass % Self::UNWAITED == 0 {
                self.gpu.wait();
            }
        }
    }

    /// Draws one pass of a sample, or a part of one, and waits for it: input that arrives meanwhile must not wait longer.
    pub(super) fn step(&mut self, scene: &Scene<'_>, until: Option<Instant>, pace: Option<&mut Pace>) -> Step {
        let began = Instant::now();
        let step = self.submit(scene, until, pace.as_ref().map(|pace| pace.triangles()));
        self.gpu.wait();
        if let Some(pace) = pace {
            pace.learn(began.elapsed());
        }
        step
    }

    /// Submits one pass of a sample, or a part of one of about so many triangles.
    fn submit(&mut self, scene: &Scene<'_>, until: Option<Instant>, triangles: Option<u32>) -> Step {
        let label = Some("sample");
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let mode = match scene.mode {
            // Every pass of every sample would sum the targets again.
            BlendMode::Vertex => BlendMode::Compute,
            mode => mode,
        };
        // A picture in between may have blended other weights; if there was none, nothing is done.
        self.head.blend(self.gpu, &mut encoder, scene, mode, None);
        let work = (until, triangles);
        let step = self.output.refine(self.gpu, &mut encoder, self.head, scene, self.finisher, work, self.is_gradual);
        self.gpu.queue.submit([encoder.finish()]);
        step
    }
}
