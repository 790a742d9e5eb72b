//! A renderer for tests that draw one head after the other.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use image::RgbaImage;
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::{HeadOnGpu, Renderer};
use smirk_picture::scene::Scene;

/// Renderers of the shared device that no test uses at the moment. Making one takes longer than most pictures.
static IDLE: Mutex<Vec<Renderer>> = Mutex::new(Vec::new());

/// A [`Renderer`] that uploads the head of a scene before it draws the scene, and panics if that fails.
pub struct TestRenderer {
    gpu: Gpu,
    /// There until it is dropped.
    renderer: Option<Renderer>,
    is_shared: bool,
}

impl TestRenderer {
    /// A renderer without a head.
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), renderer: Some(Renderer::new(gpu)), is_shared: false }
    }

    /// A renderer on the device that all tests of the program share, which may have drawn for another test before.
    pub fn shared() -> Self {
        let gpu = crate::software_gpu();
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let renderer = Some(idle.unwrap_or_else(|| Renderer::new(&gpu)));
        Self { gpu, renderer, is_shared: true }
    }

    /// Like [`Renderer::draw`].
    pub fn draw(&mut self, scene: &Scene<'_>) -> bool {
        self.upload(scene);
        self.deref_mut().draw(scene).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`Renderer::picture`].
    pub fn picture(&mut self, scene: &Scene<'_>) -> RgbaImage {
        self.upload(scene);
        self.deref_mut().picture(scene).unwrap_or_else(|error| panic!("{error}"))
    }

    fn upload(&mut self, scene: &Scene<'_>) {
        if !self.head().is_some_and(|head| Arc::ptr_eq(head, scene.head)) {
            let layout = Arc::new(Layout::new(scene.head, Precision::default()));
            let head = HeadOnGpu::new(&self.gpu, scene.head.clone(), layout);
            self.set_head(head.unwrap_or_else(|error| panic!("{}: {error}", scene.head.name)));
        }
    }
}

impl Deref for TestRenderer {
    type Target = Renderer;

    fn deref(&self) -> &Renderer {
        self.renderer.as_ref().expect("it is not dropped")
    }
}

impl DerefMut for TestRenderer {
    fn deref_mut(&mut self) -> &mut Renderer {
        self.renderer.as_mut().expect("it is not dropped")
    }
}

impl Drop for TestRenderer {
    fn drop(&mut self) {
        if self.is_shared && !std::thread::panicking() {
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).extend(self.renderer.take());
        }
    }
}
