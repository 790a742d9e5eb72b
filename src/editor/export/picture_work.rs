//! A picture of a scene that is drawn in pieces, between the frames of the window.

use std::sync::Arc;
use std::time::Instant;

use super::owned_scene::OwnedScene;
use smirk_face::head::Head;
use smirk_picture::render::{HeadNotUploaded, PendingPicture, Pixels, Renderer};

/// What is drawn with a renderer.
pub type Drawing<'a> = &'a mut dyn FnMut(&mut Renderer) -> Result<(), HeadNotUploaded>;

/// A picture while it is drawn.
#[derive(Debug)]
pub(super) struct PictureWork {
    scene: OwnedScene,
    picture: PendingPicture,
}

impl PictureWork {
    /// A picture of which nothing is drawn.
    pub(super) fn new(renderer: &Renderer, scene: OwnedScene, pixels: Pixels) -> Self {
        Self { picture: renderer.new_picture(&scene.scene(), pixels), scene }
    }

    /// Draws at least one piece, and more until a time; without it all that is left. Returns whether all is drawn.
    pub(super) fn draw(&mut self, renderer: &mut Renderer, until: Option<Instant>) -> Result<bool, HeadNotUploaded> {
        renderer.draw_picture(&mut self.picture, &self.scene.scene(), until)
    }

    /// The head.
    pub(super) fn head(&self) -> &Arc<Head> {
        &self.scene.head
    }

    /// The picture.
    pub(super) fn picture(&self) -> &PendingPicture {
        &self.picture
    }

    /// The scene, to begin the picture anew.
    pub(super) fn into_scene(self) -> OwnedScene {
        self.scene
    }

    /// The picture, without its scene.
    pub(super) fn into_picture(self) -> PendingPicture {
        self.picture
    }
}

/// The renderers of the heads on a picture: that of the head, and that of another version of it, if both are on the picture.
#[derive(Debug)]
pub struct Renderers<'a> {
    /// Draws the head.
    pub head: &'a mut Renderer,
    /// Draws the other version.
    pub version: Option<&'a mut Renderer>,
}

impl<'a> From<&'a mut Renderer> for Renderers<'a> {
    fn from(head: &'a mut Renderer) -> Self {
        Self { head, version: None }
    }
}

impl Renderers<'_> {
    /// The renderer of a head.
    pub(super) fn of(&mut self, head: &Arc<Head>) -> Result<&mut Renderer, HeadNotUploaded> {
        let has = |renderer: &Renderer| renderer.head().is_some_and(|other| Arc::ptr_eq(other, head));
        match &mut self.version {
            Some(version) if has(version) => Ok(version),
            _ if has(self.head) => Ok(self.head),
            _ => Err(HeadNotUploaded { head: head.name.clone() }),
        }
    }
}
