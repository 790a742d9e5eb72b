//! The picture of one moment.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use image::{RgbaImage, imageops};

use super::exr::LightPicture;
use super::painted::{LabelText, Lettering, ReferenceDrawing};
use super::parts::{Parts, mix};
use super::settings::{PictureSettings, TwoFaces};
use crate::drawn::{PictureWork, UnseenPictures};
use crate::{ExportError, Renderers};
use smirk_face::motion::FrameRate;
use smirk_picture::render::{DrawError, Pixels};
use smirk_scene::{Look, Scene, Unseen};
use smirk_session::Session;

#[derive(Clone, Debug, PartialEq)]
pub enum FinishedPicture {
    Screen(RgbaImage),
    Light(LightPicture),
}

/// A picture that the adapter draws while the program goes on.
#[derive(Debug)]
pub(crate) struct PendingFrame {
    faces: Vec<PictureWork>,
    parts: Parts,
    reference: Option<usize>,
    labels: Option<LabelText>,
}

impl PendingFrame {
    /// Draws at least one batch, and more until a time; without it all that is left. Returns whether all is drawn.
    pub(super) fn draw(&mut self, renderers: &mut Renderers<'_>, until: Option<Instant>) -> Result<bool, DrawError> {
        for face in &mut self.faces {
            if !face.draw(renderers.renderer_for(face.head())?, until)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Why nothing of any head is seen, once all is drawn; none if something may be seen.
    pub(crate) fn unseen(&self) -> Option<Unseen> {
        let unseen: Option<Vec<Unseen>> = self.faces.iter().map(|face| face.picture().unseen()).collect();
        unseen?.first().copied()
    }

    pub(super) fn is_there(&self) -> bool {
        self.faces.iter().all(|face| face.picture().is_there())
    }

    pub(super) fn wait(&self) {
        self.faces.iter().for_each(|face| face.picture().wait());
    }
}

pub struct PictureDrawing {
    settings: PictureSettings,
    pixels: Pixels,
    reference: Option<ReferenceDrawing>,
    /// Text is painted on several threads.
    lettering: Mutex<Lettering>,
}

impl PictureDrawing {
    pub fn new(session: &Session, settings: PictureSettings, pixels: Pixels) -> Result<Self, ExportError> {
        settings.check(session)?;
        Self::of_checked(session, settings, pixels)
    }

    pub(crate) fn of_checked(
        session: &Session,
        settings: PictureSettings,
        pixels: Pixels,
    ) -> Result<Self, ExportError> {
        let images = settings.reference_images(session)?;
        let reference = session.edits.reference.clone().zip(images);
        let reference = reference.map(|(reference, images)| ReferenceDrawing::new(reference, images));
        Ok(Self { settings, pixels, reference, lettering: Mutex::default() })
    }

    pub(crate) fn settings(&self) -> &PictureSettings {
        &self.settings
    }

    /// Whether the pictures show this file, as a part of the reference.
    pub(super) fn reads(&self, path: &Path) -> bool {
        self.reference.as_ref().is_some_and(|reference| reference.reads(path))
    }

    /// Draws a session as it is now, waiting for the picture. Says too if nothing of the head is seen in it.
    pub fn picture<'a>(
        &self,
        renderers: impl Into<Renderers<'a>>,
        session: &Session,
    ) -> Result<(FinishedPicture, UnseenPictures), ExportError> {
        let (mut renderers, mut session) = (renderers.into(), session.clone());
        let secs = f64::from(session.clock.timeline.time_secs);
        let rate = session.edits.timeline.rate;
        let mut pending = self.begin(&mut renderers, &mut session, rate, secs)?;
        pending.draw(&mut renderers, None)?;
        let mut unseen = UnseenPictures::default();
        unseen.add(pending.unseen());
        Ok((self.finish(pending)?, unseen))
    }

    /// The picture of a session as it is now, at a time of the timeline. Nothing of it is drawn yet. The session is
    /// seen through the camera of the settings from now on.
    pub(super) fn begin(
        &self,
        renderers: &mut Renderers<'_>,
        session: &mut Session,
        rate: FrameRate,
        secs: f64,
    ) -> Result<PendingFrame, DrawError> {
        let settings = &self.settings;
        session.camera = settings.camera_at(secs);
        let count = PictureSettings::parts(session, settings.compared, settings.with_reference);
        let parts = Parts::new(settings, count);
        let mut faces = Vec::new();
        for (index, &[_, width]) in parts.faces.iter().enumerate() {
            let size = [width, settings.size[1]];
            let scene = if index == 0 { Some(session.scene(size)) } else { session.b().scene(size) };
            let Some(scene) = scene else { continue };
            let scene = Scene {
                mode: settings.mode,
                look: Look { is_transparent: settings.is_transparent, ..scene.look },
                quality: settings.quality(),
                ..scene
            };
            faces.push(PictureWork::new(renderers.renderer_for(&scene.head)?, scene, self.pixels));
        }
        let labels = settings.labels.is_any().then(|| LabelText::from_session(session, settings, rate, secs));
        let reference = self.reference.as_ref().map(|reference| reference.frame_of(session));
        Ok(PendingFrame { faces, parts, reference, labels })
    }

    /// Reads a picture that is drawn, waiting for it, and adds the reference and the labels. It may be called on any
    /// thread.
    pub(crate) fn finish(&self, pending: PendingFrame) -> Result<FinishedPicture, ExportError> {
        match self.pixels {
            Pixels::Screen => Ok(FinishedPicture::Screen(self.finish_screen(pending)?)),
            Pixels::Light => Ok(FinishedPicture::Light(self.finish_light(pending)?)),
        }
    }

    pub(crate) fn finish_screen(&self, pending: PendingFrame) -> Result<RgbaImage, ExportError> {
        debug_assert_eq!(self.pixels, Pixels::Screen);
        let PendingFrame { faces, parts, reference, labels } = pending;
        let [width, height] = self.settings.size;
        let mut image = RgbaImage::new(width, height);
        for (index, (face, [left, _])) in faces.into_iter().zip(&parts.faces).enumerate() {
            let face = face.into_picture().into_image().map_err(DrawError::from)?;
            match self.opacity_of(index) {
                opacity if opacity < 1.0 => mix(&mut image, *left, &face, opacity),
                _ if face.width() == width => image = face,
                _ => imageops::replace(&mut image, &face, i64::from(*left), 0),
            }
        }
        self.paint_over(&mut image, &parts, reference, labels.as_ref())?;
        Ok(image)
    }

    fn finish_light(&self, pending: PendingFrame) -> Result<LightPicture, ExportError> {
        debug_assert_eq!(self.pixels, Pixels::Light);
        let PendingFrame { faces, parts, reference, labels } = pending;
        let [width, height] = self.settings.size;
        let mut light = LightPicture::new(self.settings.size);
        for (index, (face, [left, _])) in faces.into_iter().zip(&parts.faces).enumerate() {
            let face = face.into_picture();
            let size = face.size();
            light.mix(*left, size, &face.bytes().map_err(DrawError::from)?, self.opacity_of(index));
        }
        if parts.faces.len() > 1 || reference.is_some() || labels.is_some() {
            let mut over = RgbaImage::new(width, height);
            self.paint_over(&mut over, &parts, reference, labels.as_ref())?;
            light.cover(&over);
        }
        Ok(light)
    }

    /// The opacity of a face: the second may be over the first.
    fn opacity_of(&self, face: usize) -> f32 {
        match self.settings.compared {
            Some(TwoFaces::Over(opacity)) if face == 1 => opacity,
            Some(TwoFaces::Over(_) | TwoFaces::Beside) | None => 1.0,
        }
    }

    /// Paints what is drawn by the processor: the reference, the lines between parts, and the labels.
    fn paint_over(
        &self,
        image: &mut RgbaImage,
        parts: &Parts,
        reference: Option<usize>,
        labels: Option<&LabelText>,
    ) -> Result<(), ExportError> {
        if let (Some(drawing), Some(frame)) = (&self.reference, reference) {
            drawing.paint(frame, image, parts, self.settings.is_transparent)?;
        }
        parts.draw_dividers(image);
        if let Some(labels) = labels {
            labels.paint(image, parts.left(), &mut self.lettering.lock().unwrap_or_else(PoisonError::into_inner));
        }
        Ok(())
    }
}
