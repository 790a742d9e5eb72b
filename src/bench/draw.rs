//! Evaluations in the vertex stage: a draw of the whole head, small, so that vertices and not pixels are what is timed.
//! What the blend costs is what it takes longer than the same draw at rest.

use std::sync::Arc;
use std::time::Instant;

use super::{NORMALS, sampler};
use crate::blend::BlendMode;
use crate::gpu::Gpu;
use crate::head::Head;
use crate::render::{HeadNotUploaded, Renderer};
use crate::scene::{Camera, Look, Quality, Scene, View};

const SIZE: [u32; 2] = [64, 64];

/// A renderer and what to point it at.
#[derive(Debug)]
pub struct Draw {
    gpu: Gpu,
    head: Arc<Head>,
    camera: Camera,
    look: Look,
}

impl Draw {
    /// Of a head seen from the front.
    pub fn new(gpu: &Gpu, head: &Arc<Head>) -> Self {
        let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
        let look = Look { normals: NORMALS, ..Look::default() };
        Self { gpu: gpu.clone(), head: head.clone(), camera, look }
    }

    /// Draws the head with these weights; milliseconds, on the GPU's clock unless it is a software adapter's.
    pub fn evaluate(&mut self, renderer: &mut Renderer, weights: &[f32]) -> Result<f64, HeadNotUploaded> {
        // Something has to differ for a head at rest to be drawn at all.
        self.look.exposure = if self.look.exposure == 0.0 { 1e-3 } else { 0.0 };
        let began = Instant::now();
        renderer.draw(&Scene {
            head: &self.head,
            weights,
            world_from_nodes: &[],
            mode: BlendMode::Vertex,
            camera: &self.camera,
            look: &self.look,
            size: SIZE,
            // One sample leaves the shadow as it is: the head is drawn once.
            quality: Quality { samples: 1, scale: 1.0 },
        })?;
        self.gpu.wait();
        let elapsed_ms = sampler::ms_since(began);
        let on_gpu = renderer.timing().draw_ms.filter(|_| !self.gpu.is_software());
        Ok(on_gpu.map_or(elapsed_ms, f64::from))
    }
}
