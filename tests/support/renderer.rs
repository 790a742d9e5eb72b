//! A renderer for tests that draw one head after the other.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use image::RgbaImage;
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::{HeadOnGpu, Renderer};
use smirk_picture::scene::Scene;

/// A [`Renderer`] that uploads the head of a scene before it draws the scene, and panics if that fails.
pub struct TestRenderer {
    gpu: Gpu,
    renderer: Renderer,
}

impl TestRenderer {
    /// A renderer without a head.
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), renderer: Renderer::new(gpu) }
    }

    /// Like [`Renderer::draw`].
    pub fn draw(&mut self, scene: &Scene<'_>) -> bool {
        self.upload(scene);
        self.renderer.draw(scene).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`Renderer::picture`].
    pub fn picture(&mut self, scene: &Scene<'_>) -> RgbaImage {
        self.upload(scene);
        self.renderer.picture(scene).unwrap_or_else(|error| panic!("{error}"))
    }

    fn upload(&mut self, scene: &Scene<'_>) {
        if !self.renderer.head().is_some_and(|head| Arc::ptr_eq(head, scene.head)) {
            let layout = Arc::new(Layout::new(scene.head, Precision::default()));
            let head = HeadOnGpu::new(&self.gpu, scene.head.clone(), layout);
            self.renderer.set_head(head.unwrap_or_else(|error| panic!("{}: {error}", scene.head.name)));
        }
    }
}

impl Deref for TestRenderer {
    type Target = Renderer;

    fn deref(&self) -> &Renderer {
        &self.renderer
    }
}

impl DerefMut for TestRenderer {
    fn deref_mut(&mut self) -> &mut Renderer {
        &mut self.renderer
    }
}
