//! What is drawn in batches between the frames of the window, so that no frame is delayed by more than one batch: the
//! picture of a scene that owns its data, and the queue of thumbnails.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use image::RgbaImage;

use smirk_face::head::Head;
use smirk_graphics::gpu::DeviceError;
use smirk_picture::render::{DrawError, PendingPicture, Pixels, Renderer};
use smirk_scene::{Scene, Unseen};

#[derive(Default)]
pub struct ThumbnailQueue {
    waiting: VecDeque<(u64, Scene)>,
    drawing: Option<(u64, PictureWork)>,
    finished: Vec<(u64, RgbaImage)>,
}

impl ThumbnailQueue {
    /// Requests a thumbnail. [`Self::take_finished`] returns it with its `key`. An earlier request with the same key
    /// that has not been drawn yet is replaced.
    pub fn request(&mut self, key: u64, scene: Scene) {
        self.drawing.take_if(|(other, _)| *other == key);
        match self.waiting.iter_mut().find(|(other, _)| *other == key) {
            Some((_, waiting)) => *waiting = scene,
            None => self.waiting.push_back((key, scene)),
        }
    }

    /// The thumbnails finished since the last call, oldest first.
    pub fn take_finished(&mut self) -> Vec<(u64, RgbaImage)> {
        std::mem::take(&mut self.finished)
    }

    /// Begins the thumbnail in progress anew, since it was drawn on a device that is lost.
    pub fn begin_anew(&mut self) {
        if let Some((key, work)) = self.drawing.take() {
            self.waiting.push_front((key, work.into_scene()));
        }
    }

    pub fn is_busy(&self) -> bool {
        !self.waiting.is_empty() || self.drawing.is_some()
    }

    fn next(&mut self, renderer: &Renderer) -> Option<(u64, PictureWork)> {
        self.drawing.take().or_else(|| {
            let (key, scene) = self.waiting.pop_front()?;
            Some((key, PictureWork::new(renderer, scene, Pixels::Screen)))
        })
    }

    /// Draws a thumbnail for about so long, at least one batch of it. The next call goes on with it. Requests for a
    /// head that is no longer on the GPU are dropped.
    pub fn step_for(&mut self, renderer: &mut Renderer, most: Duration) {
        let until = Instant::now().checked_add(most);
        while let Some((key, mut work)) = self.next(renderer) {
            match work.draw(renderer, until) {
                Ok(true) => match work.picture.into_image() {
                    Ok(image) => self.finished.push((key, image)),
                    Err(error) => self.left_undrawn(key, work.scene, &error),
                },
                Ok(false) => self.drawing = Some((key, work)),
                Err(DrawError::HeadNotUploaded { .. }) => continue,
                Err(DrawError::Device(error)) => self.left_undrawn(key, work.scene, &error),
            }
            return;
        }
    }

    fn left_undrawn(&mut self, key: u64, scene: Scene, error: &DeviceError) {
        match error {
            // It is drawn by the next device.
            DeviceError::Lost { .. } => self.waiting.push_front((key, scene)),
            _ => log::warn!("a thumbnail is left out: {error}"),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UnseenPictures {
    count: usize,
    first: Option<Unseen>,
}

impl UnseenPictures {
    pub(super) fn add(&mut self, unseen: Option<Unseen>) {
        self.count += usize::from(unseen.is_some());
        self.first = self.first.or(unseen);
    }

    /// How many of `total` pictures these are, and why; none if there are none.
    pub fn in_words(self, total: usize) -> Option<String> {
        let first = self.first?;
        Some(match total {
            1 => format!("{} in the picture: {first}", first.subject()),
            _ => {
                format!("{} in {} of {total} pictures; in the first of them, {first}", first.subject(), self.count)
            }
        })
    }
}

pub type Drawing<'a> = &'a mut dyn FnMut(&mut Renderer) -> Result<(), DrawError>;

#[derive(Debug)]
pub(super) struct PictureWork {
    scene: Scene,
    picture: PendingPicture,
}

impl PictureWork {
    pub(super) fn new(renderer: &Renderer, scene: Scene, pixels: Pixels) -> Self {
        Self { picture: renderer.new_picture(&scene, pixels), scene }
    }

    /// Draws at least one batch, and more until a time; without it all that is left. Returns whether all is drawn.
    pub(super) fn draw(&mut self, renderer: &mut Renderer, until: Option<Instant>) -> Result<bool, DrawError> {
        renderer.draw_picture(&mut self.picture, &self.scene, until)
    }

    pub(super) fn head(&self) -> &Arc<Head> {
        &self.scene.head
    }

    pub(super) fn picture(&self) -> &PendingPicture {
        &self.picture
    }

    pub(super) fn into_scene(self) -> Scene {
        self.scene
    }

    pub(super) fn into_picture(self) -> PendingPicture {
        self.picture
    }
}

#[derive(Debug)]
pub struct Renderers<'a> {
    pub head: &'a mut Renderer,
    pub version: Option<&'a mut Renderer>,
}

impl<'a> From<&'a mut Renderer> for Renderers<'a> {
    fn from(head: &'a mut Renderer) -> Self {
        Self { head, version: None }
    }
}

impl Renderers<'_> {
    /// The renderer that has a head.
    pub fn renderer_for(&mut self, head: &Arc<Head>) -> Result<&mut Renderer, DrawError> {
        match &mut self.version {
            Some(version) if has(version, head) => Ok(version),
            _ if has(self.head, head) => Ok(self.head),
            _ => Err(DrawError::HeadNotUploaded { head: head.name.clone() }),
        }
    }
}

fn has(renderer: &Renderer, head: &Arc<Head>) -> bool {
    renderer.head().is_some_and(|other| Arc::ptr_eq(other, head))
}
