//! The deltas of the head that a renderer draws: when they are uploaded, what blends them, in which modes, in how much memory.

use crate::render::head_on_gpu::HeadOnGpu;
use crate::scene::Scene;
use smirk_graphics::blend::{BlendMode, Blender, Memory};

use super::Renderer;

impl Renderer {
    /// Why `mode` cannot be used with the head on the GPU; `None` if it can be used, or if there is no head.
    pub fn unavailable(&self, mode: BlendMode) -> Option<String> {
        self.head.as_ref().and_then(|head| head.blender.unavailable(mode)).map(str::to_owned)
    }

    /// The memory that blending the head on the GPU takes; zero without a head.
    pub fn memory(&self) -> Memory {
        self.head.as_ref().map(|head| head.blender.memory()).unwrap_or_default()
    }

    /// [`HeadOnGpu::work_ahead`] of the head of which there is a picture.
    pub fn work_ahead(&self) -> Option<impl FnOnce() + Send + use<>> {
        self.head.as_ref().filter(|_| self.has_picture())?.work_ahead()
    }

    /// Whether a scene with the head can only be drawn once [`Self::work_ahead`] is done.
    pub fn needs_work(&self, scene: &Scene<'_>) -> bool {
        self.head.as_ref().is_some_and(|head| head.blender.needs_work(scene.weights, scene.look.normals))
    }

    /// Whether the head can be blended without further work.
    pub fn has_deltas(&self) -> bool {
        self.head.as_ref().is_some_and(HeadOnGpu::has_deltas)
    }

    /// Takes the deltas of the head that [`Self::work_ahead`] has uploaded.
    pub fn take_deltas(&mut self) {
        self.head.as_mut().into_iter().for_each(HeadOnGpu::take_deltas);
    }

    /// The blender of the head on the GPU. It is made if there is none yet.
    pub fn blender_mut(&mut self) -> Option<&mut Blender> {
        self.take_deltas();
        self.head.as_mut().map(|head| head.blender.made())
    }
}
