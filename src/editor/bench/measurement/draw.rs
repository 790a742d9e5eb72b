//! Evaluations in vertex mode: draws of the whole head at a small size, so that the time depends on the vertices, not on the
//! pixels. The time of the blend is the difference to the same draw at rest.

use std::sync::Arc;
use std::time::Instant;

use super::sampler;
use crate::bench::NORMALS;
use smirk_face::head::Head;
use smirk_graphics::blend::BlendMode;
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::{HeadNotUploaded, Renderer};
use smirk_picture::scene::{Camera, Look, Quality, Scene, View};

const SIZE: [u32; 2] = [64, 64];

/// The scene that is drawn for a measurement.
#[derive(Debug)]
pub(super) struct Draw {
    gpu: Gpu,
    head: Arc<Head>,
    camera: Camera,
    look: Look,
}

impl Draw {
    /// A scene that shows the head from the front.
    pub(super) fn new(gpu: &Gpu, head: &Arc<Head>) -> Self {
        let camera = Camera::framing(head.focus, head.bounds, View::Front, 1.0);
        let look = Look { normals: NORMALS, ..Look::default() };
        Self { gpu: gpu.clone(), head: head.clone(), camera, look }
    }

    /// Draws the head with these weights, and returns the time in milliseconds: by GPU timestamps, except on a software adapter.
    pub(super) fn evaluate(&mut self, renderer: &mut Renderer, weights: &[f32]) -> Result<f64, HeadNotUploaded> {
        // The renderer draws nothing unless something has changed since the last draw.
        self.look.exposure = if self.look.exposure == 0.0 { 1e-3 } else { 0.0 };
        let began = Instant::now();
        renderer.draw(&Scene {
            head: &self.head,
            weights,
            world_from_nodes: &[],
            mode: BlendMode::Vertex,
            camera: &self.camera,
            roles: &[],
            look: &self.look,
            intersections: None,
            compared: None,
            size: SIZE,
            // With one sample, the shadow is not drawn again, so that the head is drawn once.
            quality: Quality { samples: 1, scale: 1.0, refinement: 0 },
        })?;
        self.gpu.wait();
        let elapsed_ms = sampler::ms_since(began);
        let on_gpu = renderer.timing().draw_ms.filter(|_| !self.gpu.is_software());
        Ok(on_gpu.map_or(elapsed_ms, f64::from))
    }
}
