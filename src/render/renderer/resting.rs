//! The resting tier: refines the picture that the moving tier has drawn.

use std::time::{Duration, Instant};

use super::{Drawn, HeadNotUploaded, Renderer};
use crate::blend::BlendMode;
use crate::gpu::Gpu;
use crate::render::head_on_gpu::HeadOnGpu;
use crate::render::output::RenderOutput;
use crate::render::pace::Pace;
use crate::render::refinement::{Finisher, Step};
use crate::scene::Scene;

impl Renderer {
    /// Adds samples to the picture of `scene`, which the moving tier has drawn, for about `most` since `began`. Without `most`, all
    /// samples are added, and only their mean is shown.
    pub(super) fn refine(
        &mut self,
        scene: &Scene<'_>,
        began: Instant,
        most: Option<Duration>,
    ) -> Result<Drawn, HeadNotUploaded> {
        if !self.output.wants_samples(scene) {
            return Ok(Drawn::Nothing);
        }
        let mut head = self.take_head(scene)?;
        let finisher = self.finisher.get_or_insert_with(|| Finisher::new(&self.gpu.device));
        let until = most.map(|most| began + most);
        let mut refiner = Refiner { gpu: &self.gpu, finisher, head: &mut head, output: &mut self.output };
        let drawn = loop {
            let step = refiner.step(scene, until, self.pace.as_mut());
            if step == Step::Done {
                break Drawn::Finished;
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break Drawn::Unfinished;
            }
        };
        self.head = Some(head);
        Ok(drawn)
    }

    /// Whether the next call of [`Self::draw_for`] with the scene drawn last adds samples to its picture.
    pub(crate) fn is_refining(&self) -> bool {
        self.output.is_refining()
    }
}

/// What a sample needs.
pub(super) struct Refiner<'a> {
    pub gpu: &'a Gpu,
    pub finisher: &'a Finisher,
    pub head: &'a mut HeadOnGpu,
    pub output: &'a mut RenderOutput,
}

impl Refiner<'_> {
    /// Adds all samples to the picture of `scene`.
    pub(super) fn add_all(&mut self, scene: &Scene<'_>) {
        while self.output.wants_samples(scene) && self.step(scene, None, None) != Step::Done {}
    }

    /// Draws one pass of a sample, or a part of one, and waits for it: input that arrives meanwhile must not wait longer.
    fn step(&mut self, scene: &Scene<'_>, until: Option<Instant>, pace: Option<&mut Pace>) -> Step {
        let began = Instant::now();
        let label = Some("sample");
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let mode = match scene.mode {
            // Every pass of every sample would sum the targets again.
            BlendMode::Vertex => BlendMode::Compute,
            mode => mode,
        };
        // A picture in between may have blended other weights; if there was none, nothing is done.
        self.head.blender.blend(&mut encoder, scene.weights, mode, scene.look.normals, None);
        let triangles = pace.as_ref().map(|pace| pace.triangles());
        let step = self.output.refine(self.gpu, &mut encoder, self.head, scene, self.finisher, until, triangles);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait();
        if let Some(pace) = pace {
            pace.learn(began.elapsed());
        }
        step
    }
}
