//! The picture of one moment.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use image::{Rgba, RgbaImage, imageops};

use super::exr::LightPicture;
use super::labels::LabelText;
use super::lettering::Lettering;
use super::settings::{PictureError, PictureSettings};
use super::style;
use crate::export::OwnedScene;
use crate::export::picture_work::PictureWork;
use crate::motion::FrameRate;
use crate::render::{HeadNotUploaded, PendingPicture, Pixels, Renderer};
use crate::scene::{Camera, Look};
use crate::session::{Session, ShownFace};

/// A picture that is read back.
#[derive(Clone, Debug, PartialEq)]
pub enum Picture {
    /// As a screen shows it.
    Screen(RgbaImage),
    /// Linear light.
    Light(LightPicture),
}

/// A picture that the adapter draws while the program goes on.
#[derive(Debug)]
pub(in crate::export) struct PendingFrame {
    /// One picture, or two side by side.
    parts: Vec<PictureWork>,
    labels: Option<LabelText>,
}

impl PendingFrame {
    /// Draws at least one piece, and more until a time; without it all that is left. Returns whether all is drawn.
    pub(super) fn draw(&mut self, renderer: &mut Renderer, until: Option<Instant>) -> Result<bool, HeadNotUploaded> {
        for part in &mut self.parts {
            if !part.draw(renderer, until)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the picture can be read without waiting.
    pub(super) fn is_there(&self) -> bool {
        self.parts.iter().all(|part| part.picture().is_there())
    }

    /// Waits until the picture can be read.
    pub(super) fn wait(&self) {
        self.parts.iter().for_each(|part| part.picture().wait());
    }

    /// Reads the picture.
    fn finish(self, settings: &PictureSettings, pixels: Pixels, lettering: &Mutex<Lettering>) -> Picture {
        let [width, height] = settings.size;
        let paint = |image: &mut RgbaImage| {
            if let Some(labels) = &self.labels {
                labels.paint(image, &mut lettering.lock().unwrap_or_else(PoisonError::into_inner));
            }
        };
        let parts = self.parts.into_iter().map(PictureWork::into_picture);
        match pixels {
            Pixels::Screen => {
                let mut parts: Vec<RgbaImage> = parts.map(PendingPicture::into_image).collect();
                let mut image = match parts.len() {
                    1 => parts.remove(0),
                    _ => RgbaImage::new(width, height),
                };
                let mut left = 0;
                for part in &parts {
                    imageops::replace(&mut image, part, i64::from(left), 0);
                    left += part.width();
                }
                if let [first, _] = &parts[..] {
                    draw_divider(&mut image, first.width());
                }
                paint(&mut image);
                Picture::Screen(image)
            }
            Pixels::Light => {
                let mut light = LightPicture::new(settings.size);
                let parts: Vec<PendingPicture> = parts.collect();
                let (mut left, first) = (0, parts.first().map_or(0, |part| part.size()[0]));
                let is_compared = parts.len() > 1;
                for part in parts {
                    let size = part.size();
                    light.replace(left, size, &part.bytes());
                    left += size[0];
                }
                if is_compared || self.labels.is_some() {
                    let mut over = RgbaImage::new(width, height);
                    if is_compared {
                        draw_divider(&mut over, first);
                    }
                    paint(&mut over);
                    light.cover(&over);
                }
                Picture::Light(light)
            }
        }
    }
}

/// A line between two pictures.
pub(super) fn draw_divider(image: &mut RgbaImage, at: u32) {
    let color = Rgba(style::LINE.to_array());
    for x in at.saturating_sub(1)..(at + 1).min(image.width()) {
        (0..image.height()).for_each(|y| image.put_pixel(x, y, color));
    }
}

/// Draws pictures of a session.
pub struct PictureDrawing {
    pub(super) settings: PictureSettings,
    pixels: Pixels,
    /// Text is painted on several threads.
    pub(super) lettering: Mutex<Lettering>,
}

impl PictureDrawing {
    /// Pictures with these settings, if there are such of a session.
    pub fn new(session: &Session, settings: PictureSettings, pixels: Pixels) -> Result<Self, PictureError> {
        settings.check(session)?;
        Ok(Self { settings, pixels, lettering: Mutex::default() })
    }

    /// Draws a session as it is now, waiting for the picture.
    pub fn picture(&self, renderer: &mut Renderer, session: &Session) -> Result<Picture, HeadNotUploaded> {
        let secs = f64::from(session.clock.timeline.time_secs);
        let mut pending = self.begin(renderer, session, session.edits.timeline.rate, secs);
        pending.draw(renderer, None)?;
        Ok(self.finish(pending))
    }

    /// The picture of a session as it is now, at a time of the timeline. Nothing of it is drawn yet.
    pub(super) fn begin(&self, renderer: &Renderer, session: &Session, rate: FrameRate, secs: f64) -> PendingFrame {
        let settings = &self.settings;
        let width = settings.size[0];
        let part = |face: ShownFace, width: u32| {
            let scene = self.scene_of(face, session, settings.camera_at(secs), width);
            PictureWork::new(renderer, scene, self.pixels)
        };
        let parts = if settings.is_compared {
            let first = part(session.shown_face(), width / 2);
            let second = session.face_of_b().map(|face| part(face, width - width / 2));
            [Some(first), second].into_iter().flatten().collect()
        } else {
            vec![part(session.shown_face(), width)]
        };
        let labels = settings.labels.is_any().then(|| LabelText::of(session, settings, rate, secs));
        PendingFrame { parts, labels }
    }

    /// The scene of a face of a session, so many pixels wide.
    pub(super) fn scene_of(&self, face: ShownFace, session: &Session, camera: Camera, width: u32) -> OwnedScene {
        let compared = face.look.shows_comparison().then(|| session.compared()).flatten();
        OwnedScene {
            head: face.head,
            weights: face.weights.to_vec(),
            world_from_nodes: face.world_from_nodes,
            mode: self.settings.mode,
            camera,
            look: Look { is_transparent: self.settings.is_transparent, ..face.look },
            roles: face.roles,
            crossings: None,
            compared,
            size: [width, self.settings.size[1]],
            quality: self.settings.quality(),
        }
    }

    /// Reads a picture that is drawn, waiting for it, and labels it. It may be called on any thread.
    pub(in crate::export) fn finish(&self, pending: PendingFrame) -> Picture {
        pending.finish(&self.settings, self.pixels, &self.lettering)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divider_is_between_the_halves() {
        let mut image = RgbaImage::new(10, 2);
        draw_divider(&mut image, 5);
        let drawn: Vec<u32> = (0..10).filter(|&x| image.get_pixel(x, 1).0[3] > 0).collect();
        assert_eq!(drawn, [4, 5]);
    }
}
