//! A renderer for tests that draw one head after the other.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex, PoisonError};

use image::RgbaImage;
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::{HeadOnGpu, Renderer};
use smirk_scene::Scene;

/// Renderers of the shared device that no test uses at the moment. Making one takes longer than most pictures.
static IDLE: Mutex<Vec<Renderer>> = Mutex::new(Vec::new());

/// A [`Renderer`] that uploads the head of a scene before it draws the scene, and panics if that fails.
pub struct TestRenderer {
    gpu: Gpu,
    /// A shared one is there from the first picture on.
    renderer: Option<Renderer>,
    is_shared: bool,
}

impl TestRenderer {
    /// A renderer without a head.
    pub fn new(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), renderer: Some(Renderer::new(gpu)), is_shared: false }
    }

    /// A renderer on the device that all tests of the program share, which may have drawn for another test before, the same picture too.
    pub fn shared() -> Self {
        Self { gpu: crate::software_gpu(), renderer: None, is_shared: true }
    }

    /// Like [`Renderer::draw`].
    pub fn draw(&mut self, scene: &Scene) -> bool {
        self.upload(scene);
        self.deref_mut().draw(scene).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`Renderer::picture`].
    pub fn picture(&mut self, scene: &Scene) -> RgbaImage {
        self.upload(scene);
        self.deref_mut().picture(scene).unwrap_or_else(|error| panic!("{error}"))
    }

    fn upload(&mut self, scene: &Scene) {
        let has_head = |renderer: &Renderer| renderer.head().is_some_and(|head| Arc::ptr_eq(head, &scene.head));
        if self.renderer.is_none() {
            let mut idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner);
            let at = idle.iter().position(has_head).or_else(|| idle.len().checked_sub(1));
            self.renderer = at.map(|at| idle.swap_remove(at));
        }
        if !has_head(self.renderer.get_or_insert_with(|| Renderer::new(&self.gpu))) {
            let layout = Arc::new(Layout::new(&scene.head, Precision::default()));
            let head = HeadOnGpu::new(&self.gpu, scene.head.clone(), layout);
            self.set_head(head.unwrap_or_else(|error| panic!("{}: {error}", scene.head.name)));
        }
    }
}

impl Deref for TestRenderer {
    type Target = Renderer;

    fn deref(&self) -> &Renderer {
        self.renderer.as_ref().expect("it has drawn a picture")
    }
}

impl DerefMut for TestRenderer {
    fn deref_mut(&mut self) -> &mut Renderer {
        self.renderer.as_mut().expect("it has drawn a picture")
    }
}

impl Drop for TestRenderer {
    fn drop(&mut self) {
        if self.is_shared && !std::thread::panicking() {
            IDLE.lock().unwrap_or_else(PoisonError::into_inner).extend(self.renderer.take());
        }
    }
}
