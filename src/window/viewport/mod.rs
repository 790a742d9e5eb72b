//! The viewport: the graphics device, the renderer of the head, and the quality of its picture.

mod blend_mode;
mod device_loss;
mod governor;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use glam::Mat4;

use super::event::EventSender;
use super::jobs::Jobs;
use super::notices::Notices;
use super::settings::Settings;
use crate::blend::{self, BlendMode, Layout};
use crate::gpu::{DeviceError, Gpu};
use crate::head::Role;
use crate::judge::FaceCrossings;
use crate::render::{Drawn, HeadNotUploaded, HeadOnGpu, PixelRect, Renderer};
use crate::scene::{Look, Quality, Scene, ViewMode};
use crate::session::Session;
use crate::ui::{ErrorReading, UiState};
use crate::window::egui_window::EguiWindow;
use device_loss::{DeviceLoss, WORK_IS_SAFE};
use governor::{Activity, Governor};

pub(crate) use governor::FULL_QUALITY_DELAY;

/// How long each frame draws at a picture that takes long.
const PORTIONS: Duration = Duration::from_millis(25);
/// The samples of a picture that takes long.
const SAMPLES_OF_SLOW_HEADS: u32 = 8;
/// How long each frame adds samples to a picture that rests, and then to one that is exported. A hand that begins to move meanwhile waits no longer than this.
pub(in crate::window) const SAMPLES: Duration = Duration::from_millis(45);

/// The picture of the head, and the device it is drawn on.
pub(super) struct Viewport {
    /// The device that draws the head and the window.
    pub gpu: Gpu,
    /// Draws the head.
    pub renderer: Renderer,
    /// The device losses that were reported.
    pub losses: DeviceLoss,
    /// The blend mode that the project was saved with, until the artist chooses another.
    pub project_mode: Option<BlendMode>,
    /// The last comparison of the blend mode with the reference.
    pub error: Option<ErrorReading>,
    /// Whether the camera is to frame the head, once the size of the picture is known.
    pub needs_framing: bool,
    /// The quality of the last picture.
    pub quality: Quality,
    governor: Governor,
    /// Whether the last frame drew the head, rather than showing the picture from before.
    has_drawn: bool,
    /// The last picture failed, so that the one before stays on screen.
    is_broken: bool,
}

impl Viewport {
    /// A viewport without a head.
    pub(super) fn new(gpu: Gpu) -> Self {
        Self {
            renderer: Renderer::new(&gpu),
            governor: Governor::new(gpu.is_software()),
            gpu,
            losses: DeviceLoss::default(),
            project_mode: None,
            error: None,
            needs_framing: true,
            quality: Quality::FULL,
            has_drawn: false,
            is_broken: false,
        }
    }

    /// Shows another head.
    pub(super) fn set_head(&mut self, head: HeadOnGpu) {
        self.renderer.set_head(head);
        self.error = None;
    }

    /// The first blend mode that can blend the head, of the one the project was saved with, the one the artist chose, and the
    /// one that suits the adapter. A head can be too large for some modes; the processor can always blend it.
    pub(super) fn preferred_mode(&self, settings: &Settings) -> BlendMode {
        let mut usable = blend_mode::candidates(self.project_mode, settings, &self.gpu)
            .filter(|&mode| self.renderer.unavailable(mode).is_none());
        usable.next().unwrap_or(BlendMode::Cpu)
    }

    /// Draws the head if anything about it changed. Returns whether it did. `in_full` draws at full quality.
    pub(super) fn draw(
        &mut self,
        session: &mut Session,
        ui: &UiState,
        elapsed: Duration,
        in_full: bool,
        notices: &mut Notices,
        jobs: &mut Jobs,
    ) -> bool {
        let size = size_px(ui);
        if std::mem::take(&mut self.needs_framing) {
            session.camera.frame(session.head.focus, size[0] as f32 / size[1] as f32);
        }
        let a = Shown::of(session);
        let of_b = if ui.shows_b || ui.beside_min_px.is_some() { session.with_b(Shown::of) } else { None };
        let (shown, beside) = match (of_b, ui.beside_min_px) {
            (Some(b), Some(_)) => (a, Some(b)),
            (b, _) => (b.unwrap_or(a), None),
        };
        if beside.is_none() {
            self.renderer.draw_alone();
        }
        let faces = [Some(&shown), beside.as_ref()].into_iter().flatten();
        let colors_crossings = faces.clone().any(|shown| shown.look.view == ViewMode::Crossings);
        let searched: Vec<_> = faces.filter(|_| colors_crossings).map(|shown| shown.weights.clone()).collect();
        jobs.crossings.follow(&session.head, &searched, jobs.events.job_notifier());
        let scene = shown.scene(session, jobs.crossings.shown(0), size, self.quality);
        let beside = beside.as_ref().map(|shown| shown.scene(session, jobs.crossings.shown(1), size, self.quality));
        let is_changing =
            !self.renderer.shows(&scene) || beside.as_ref().is_some_and(|scene| !self.renderer.shows_beside(scene));
        let activity = match (is_changing, ui.is_interacting) {
            (true, _) => Activity::Changing,
            (false, true) => Activity::Interacting,
            (false, false) => Activity::Idle,
        };
        let affordable = self.governor.next(activity, elapsed.as_secs_f32(), self.has_drawn);
        self.quality = match activity {
            _ if in_full => self.governor.resting(),
            // How long a frame takes says nothing about a picture that is drawn in portions.
            Activity::Changing if self.renderer.is_slow() => Governor::COARSEST,
            // Each of its samples takes as long as the picture, and is drawn in portions as well.
            _ if self.renderer.is_slow() => {
                Quality { refinement: affordable.refinement.min(SAMPLES_OF_SLOW_HEADS), ..affordable }
            }
            _ => affordable,
        };
        let most = match activity {
            _ if in_full => Duration::MAX,
            // All samples at once: a picture that changes is not refined gradually.
            Activity::Changing if self.quality.refinement > 0 => Duration::MAX,
            Activity::Changing => PORTIONS,
            Activity::Interacting | Activity::Idle => SAMPLES,
        };
        let drawn = self.gpu.attempt(|| {
            let drawn = self.renderer.draw_for(&Scene { quality: self.quality, ..scene }, most)?;
            let Some(scene) = beside else { return Ok(drawn) };
            let drawn_beside = self.renderer.draw_beside_for(&Scene { quality: self.quality, ..scene }, most)?;
            Ok::<_, HeadNotUploaded>(if drawn_beside == Drawn::Nothing { drawn } else { drawn_beside })
        });
        match drawn {
            Ok(Ok(drawn)) => {
                self.has_drawn = drawn == Drawn::Finished;
                self.is_broken &= !self.has_drawn;
            }
            Ok(Err(error)) => {
                self.is_broken = true;
                notices.fail_to_draw(&error);
            }
            Err(error) => {
                self.is_broken = true;
                // A lost device is reported by an event, and opened again.
                if !matches!(error, DeviceError::Lost { .. }) {
                    notices.fail_to_draw(&error);
                }
            }
        }
        is_changing
    }

    /// Hands the picture to the window, which keeps the picture before a broken one.
    pub(super) fn show_in(&self, egui_window: &mut EguiWindow, ui: &UiState) {
        if let (false, Some(picture)) = (self.is_broken, self.renderer.image()) {
            let rect = |min| PixelRect { min, size: size_px(ui) };
            egui_window.show_picture(&self.gpu, picture, rect(ui.viewport_min_px));
            let beside = self.renderer.image_beside();
            egui_window.show_beside(&self.gpu, beside.and_then(|picture| Some((picture, rect(ui.beside_min_px?)))));
        }
    }

    /// Whether the picture was drawn at less than full quality, so that a finer one is due soon.
    pub(super) fn is_full_quality_due(&self) -> bool {
        self.governor.is_full_quality_due()
    }

    /// The smoothed time from frame to frame while the picture changes.
    pub(super) fn frame_ms(&self) -> Option<f32> {
        self.governor.frame_ms()
    }

    /// Compares the session's blend mode with the reference.
    pub(super) fn measure_error(&mut self, session: &Session) {
        let (weights, mode, normals) = (session.weights(), session.mode, session.edits.look.normals);
        self.error = self.renderer.blender_mut().map(|blender| {
            let morphed = blender.read_back(&self.gpu, &weights, mode, normals);
            let deviation = blend::compare(&session.head, &weights, normals, &morphed);
            ErrorReading {
                mode,
                max_distance: deviation.max_distance,
                max_normal_degrees: deviation.max_normal_degrees,
                head_size: deviation.head_size,
            }
        });
    }

    /// Opens another device after a loss, and moves the head there. An error if there is no device to go on with.
    pub(super) fn reopen(
        &mut self,
        loss: &DeviceError,
        egui_window: &mut EguiWindow,
        session: &Session,
        events: &EventSender,
    ) -> anyhow::Result<()> {
        let precision = self.renderer.memory().precision;
        let reopened = egui_window.reopen(|gpu| events.forward_errors(gpu));
        self.gpu = reopened.with_context(|| format!("{loss}. {WORK_IS_SAFE}"))?;
        self.governor = Governor::new(self.gpu.is_software());
        self.renderer = Renderer::new(&self.gpu);
        let layout = Arc::new(Layout::new(&session.head, precision));
        let head = HeadOnGpu::new(&self.gpu, session.head.clone(), layout).context(WORK_IS_SAFE)?;
        self.renderer.set_head(head);
        Ok(())
    }
}

/// What a picture shows of a session.
struct Shown {
    weights: Arc<[f32]>,
    world_from_nodes: Vec<Mat4>,
    roles: Vec<Role>,
    look: Look,
}

impl Shown {
    fn of(session: &Session) -> Self {
        let (weights, world_from_nodes) = (session.weights(), session.world_from_nodes());
        Self { weights, world_from_nodes, roles: session.roles(), look: session.look() }
    }

    /// The scene, with the head, the camera and the blend mode of a session.
    fn scene<'a>(
        &'a self,
        session: &'a Session,
        crossings: &'a Arc<FaceCrossings>,
        size: [u32; 2],
        quality: Quality,
    ) -> Scene<'a> {
        Scene {
            head: &session.head,
            weights: &self.weights,
            world_from_nodes: &self.world_from_nodes,
            mode: session.mode,
            camera: &session.camera,
            roles: &self.roles,
            look: &self.look,
            crossings: Some(crossings),
            size,
            quality,
        }
    }
}

/// Width and height of the picture, at least one pixel each.
fn size_px(ui: &UiState) -> [u32; 2] {
    ui.viewport_size_px.map(|side| side.max(1))
}
