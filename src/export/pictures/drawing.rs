//! The picture of one moment.

use image::{Rgba, RgbaImage, imageops};

use super::exr::LightPicture;
use super::labels::LabelText;
use super::lettering::Lettering;
use super::settings::{PictureError, PictureSettings};
use super::style;
use crate::motion::FrameRate;
use crate::render::{HeadNotUploaded, PendingPicture, Pixels, Renderer};
use crate::scene::{Look, Scene};
use crate::session::Session;

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
pub(super) struct PendingFrame {
    /// One picture, or two side by side.
    parts: Vec<PendingPicture>,
    labels: Option<LabelText>,
}

impl PendingFrame {
    /// Waits for the picture.
    pub(super) fn finish(self, settings: &PictureSettings, pixels: Pixels, lettering: &mut Lettering) -> Picture {
        let [width, height] = settings.size;
        let paint = |image: &mut RgbaImage, lettering: &mut Lettering| {
            if let Some(labels) = &self.labels {
                labels.paint(image, lettering);
            }
        };
        match pixels {
            Pixels::Screen => {
                let mut parts: Vec<RgbaImage> = self.parts.into_iter().map(PendingPicture::into_image).collect();
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
                paint(&mut image, lettering);
                Picture::Screen(image)
            }
            Pixels::Light => {
                let mut light = LightPicture::new(settings.size);
                let (mut left, first) = (0, self.parts.first().map_or(0, |part| part.size()[0]));
                let is_compared = self.parts.len() > 1;
                for part in self.parts {
                    let size = part.size();
                    light.replace(left, size, &part.bytes());
                    left += size[0];
                }
                if is_compared || self.labels.is_some() {
                    let mut over = RgbaImage::new(width, height);
                    if is_compared {
                        draw_divider(&mut over, first);
                    }
                    paint(&mut over, lettering);
                    light.cover(&over);
                }
                Picture::Light(light)
            }
        }
    }
}

/// A line between two pictures.
fn draw_divider(image: &mut RgbaImage, at: u32) {
    let color = Rgba(style::LINE.to_array());
    for x in at.saturating_sub(1)..(at + 1).min(image.width()) {
        (0..image.height()).for_each(|y| image.put_pixel(x, y, color));
    }
}

/// Draws pictures of a session.
pub struct PictureDrawing {
    settings: PictureSettings,
    pixels: Pixels,
    lettering: Lettering,
}

impl PictureDrawing {
    /// Pictures with these settings, if there are such of a session.
    pub fn new(session: &Session, settings: PictureSettings, pixels: Pixels) -> Result<Self, PictureError> {
        settings.check(session)?;
        Ok(Self { settings, pixels, lettering: Lettering::default() })
    }

    /// The settings.
    pub fn settings(&self) -> &PictureSettings {
        &self.settings
    }

    /// Draws a session as it is now, waiting for the picture.
    pub fn picture(&mut self, renderer: &mut Renderer, session: &Session) -> Result<Picture, HeadNotUploaded> {
        let secs = f64::from(session.clock.timeline.time_secs);
        let pending = self.begin(renderer, session, session.edits.timeline.rate, secs)?;
        Ok(self.finish(pending))
    }

    /// Begins the picture of a session as it is now, at a time of the timeline.
    pub(super) fn begin(
        &self,
        renderer: &mut Renderer,
        session: &Session,
        rate: FrameRate,
        secs: f64,
    ) -> Result<PendingFrame, HeadNotUploaded> {
        let settings = &self.settings;
        let [width, height] = settings.size;
        let mut part = |session: &Session, width: u32| {
            let camera = settings.camera_at(secs);
            let look = Look { is_transparent: settings.is_transparent, ..session.edits.look };
            let scene = Scene {
                head: &session.head,
                weights: &session.weights(),
                world_from_nodes: &session.world_from_nodes(),
                mode: settings.mode,
                camera: &camera,
                look: &look,
                roles: &session.roles(),
                size: [width, height],
                quality: settings.quality(),
            };
            renderer.begin_picture(&scene, self.pixels)
        };
        let parts = if settings.is_compared {
            let first = part(session, width / 2)?;
            let second = session.with_b(|b| part(b, width - width / 2));
            [Some(first), second.transpose()?].into_iter().flatten().collect()
        } else {
            vec![part(session, width)?]
        };
        let labels = settings.labels.is_any().then(|| LabelText::of(session, settings, rate, secs));
        Ok(PendingFrame { parts, labels })
    }

    /// Waits for a picture.
    pub(super) fn finish(&mut self, pending: PendingFrame) -> Picture {
        pending.finish(&self.settings, self.pixels, &mut self.lettering)
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
