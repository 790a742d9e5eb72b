//! The head is drawn: as well as there is time for, and where there is room.

use std::fmt::Display;
use std::time::Duration;

use super::governor::Motion;
use super::viewer::Viewer;
use crate::document::Notice;
use crate::gpu::Trouble;
use crate::render::PixelRect;
use crate::scene::{Quality, Scene};

impl Viewer {
    /// Draws the head if anything about it changed; whether something moves it.
    pub(super) fn draw(&mut self, elapsed: Duration, in_full: bool) -> bool {
        let size = self.state.viewport_size_px.map(|side| side.max(1));
        if std::mem::take(&mut self.wants_framing) {
            self.document.session.camera.frame(self.document.session.head.focus, size[0] as f32 / size[1] as f32);
        }
        let (weights, world_from_nodes) = (self.document.session.weights(), self.document.session.world_from_nodes());
        let scene = Scene {
            head: &self.document.session.head,
            weights: &weights,
            world_from_nodes: &world_from_nodes,
            mode: self.document.session.mode,
            camera: &self.document.session.camera,
            look: &self.document.session.edits.look,
            size,
            quality: self.quality,
        };
        let moves = !self.renderer.shows(&scene);
        let motion = match (moves, self.state.is_interacting) {
            (true, _) => Motion::Moving,
            (false, true) => Motion::Held,
            (false, false) => Motion::Still,
        };
        let affordable = self.governor.next(motion, elapsed.as_secs_f32(), self.drew);
        self.quality = if in_full { Quality::FULL } else { affordable };
        match self.gpu.attempt(|| self.renderer.draw(&Scene { quality: self.quality, ..scene })) {
            Ok(Ok(drew)) => {
                self.drew = drew;
                self.picture_is_broken &= !drew;
            }
            Ok(Err(missing)) => {
                self.picture_is_broken = true;
                self.tell_of_picture(&missing);
            }
            Err(trouble) => {
                self.picture_is_broken = true;
                if !matches!(trouble, Trouble::Lost { .. }) {
                    self.tell_of_picture(&trouble);
                }
            }
        }
        // In place of a broken one the window keeps the one before.
        if let (false, Some(picture)) = (self.picture_is_broken, self.renderer.image()) {
            self.shell.show_picture(&self.gpu, picture, PixelRect { min: self.state.viewport_min_px, size });
        }
        moves
    }

    /// Something about the picture did not work. One mishap makes others: the first is what they come from.
    pub(super) fn tell_of_picture(&mut self, trouble: &impl Display) {
        if !matches!(self.notice, Some(Notice::Failed { .. })) {
            self.tell("Rendering failed", trouble.to_string());
        }
    }
}
