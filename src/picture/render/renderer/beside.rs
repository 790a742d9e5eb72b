//! A second picture of the head, which is shown beside the first.

use std::time::Duration;

use super::{Drawn, HeadNotUploaded, Renderer};
use crate::render::output::RenderOutput;
use crate::scene::Scene;

impl Renderer {
    /// [`Self::draw_for`] for another scene of the same head, into [`Self::image_beside`]. Nothing is drawn while the other image
    /// is unfinished, since both are drawn from one blend.
    pub fn draw_beside_for(&mut self, scene: &Scene<'_>, most: Duration) -> Result<Drawn, HeadNotUploaded> {
        if self.output.is_unfinished() {
            return Ok(Drawn::Nothing);
        }
        let beside = self.beside.take().unwrap_or_else(|| RenderOutput::new(&self.gpu.device));
        self.beside = Some(std::mem::replace(&mut self.output, beside));
        let drawn = self.draw_for(scene, most);
        self.beside.iter_mut().for_each(|beside| std::mem::swap(&mut self.output, beside));
        drawn
    }

    /// Drops the second picture.
    pub fn draw_alone(&mut self) {
        self.beside = None;
    }

    /// Whether [`Self::image_beside`] shows `scene`, at any quality.
    pub fn shows_beside(&self, scene: &Scene<'_>) -> bool {
        self.beside.as_ref().and_then(RenderOutput::drawn).is_some_and(|drawn| drawn.shows(scene))
    }

    /// The image that [`Self::draw_beside_for`] has drawn last.
    pub fn image_beside(&self) -> Option<&wgpu::TextureView> {
        self.beside.as_ref().and_then(RenderOutput::image).map(|target| &target.shown)
    }
}
