//! Evaluations in compute passes, without drawing.

use std::time::Instant;

use super::pass_timer::PassTimer;
use super::sampler;
use crate::bench::NORMALS;
use smirk_graphics::blend::{BlendMode, Blender};
use smirk_graphics::gpu::Gpu;

/// Measures the blends of modes that run as compute passes: submits a blend and waits for it.
#[derive(Debug)]
pub(super) struct Passes {
    gpu: Gpu,
    clock: Option<PassTimer>,
    /// The time of an empty submit.
    submit_ms: f64,
}

impl Passes {
    /// For an adapter on which an empty submit takes `submit_ms`.
    pub(super) fn new(gpu: &Gpu, submit_ms: f64) -> Self {
        Self { gpu: gpu.clone(), clock: PassTimer::new(gpu), submit_ms }
    }

    /// Whether times are measured with GPU timestamps. Then they do not include the upload of the lists of active targets.
    pub(super) fn has_gpu_timestamps(&self) -> bool {
        self.clock.is_some()
    }

    /// Blends with these weights, and returns the time in milliseconds.
    pub(super) fn evaluate(&self, blender: &mut Blender, mode: BlendMode, weights: &[f32]) -> f64 {
        let began = Instant::now();
        let label = Some("measured blend");
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let writes = self.clock.as_ref().map(PassTimer::writes);
        blender.blend(&mut encoder, weights, mode, NORMALS, writes);
        // Timestamps that no pass has written must not be read.
        let clock = self.clock.as_ref().filter(|_| blender.did_work());
        if let Some(clock) = clock {
            clock.resolve(&mut encoder);
        }
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait();
        let elapsed_ms = (sampler::ms_since(began) - self.submit_ms).max(0.0);
        clock.map_or(elapsed_ms, |clock| clock.read_ms(&self.gpu))
    }
}
