//! Evaluations in compute passes, nothing drawn.

use std::time::Instant;

use super::pass_timer::PassTimer;
use super::{NORMALS, sampler};
use crate::blend::{BlendMode, Blender};
use crate::gpu::Gpu;

/// Submits a blend and waits for it.
#[derive(Debug)]
pub struct Passes {
    gpu: Gpu,
    clock: Option<PassTimer>,
    /// What a submit of nothing takes.
    submit_ms: f64,
}

impl Passes {
    /// On an adapter whose empty submit takes that long.
    pub fn new(gpu: &Gpu, submit_ms: f64) -> Self {
        Self { gpu: gpu.clone(), clock: PassTimer::new(gpu), submit_ms }
    }

    /// Whether times are the GPU's: then the lists' way to it is not in them.
    pub fn is_on_gpu_clock(&self) -> bool {
        self.clock.is_some()
    }

    /// Brings the blender's vertices up to the weights; milliseconds.
    pub fn evaluate(&self, blender: &mut Blender, mode: BlendMode, weights: &[f32]) -> f64 {
        let began = Instant::now();
        let label = Some("measured blend");
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label });
        let writes = self.clock.as_ref().map(PassTimer::writes);
        blender.blend(&mut encoder, weights, mode, NORMALS, writes);
        // Queries that no pass has written must not be waited for.
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
