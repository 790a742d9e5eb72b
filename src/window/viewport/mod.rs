//! The viewport: the graphics device, the renderer of the head, and the quality of its picture.

mod governor;

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use governor::{Activity, Governor};

use super::event::EventSender;
use super::jobs::Jobs;
use super::notices::Notices;
use super::settings::Settings;
use crate::window::egui_window::{EguiWindow, Placed};
use smirk_editor::document::Loader;
use smirk_face::head::{Frame, Head};
use smirk_graphics::blend::{self, Layout, Precision};
use smirk_graphics::gpu::{DeviceError, Gpu};
use smirk_picture::render::{DrawError, Drawn, HeadOnGpu, PixelRect, Renderer};
use smirk_scene::{BlendMode, Quality, Scene, Unseen};
use smirk_session::Session;
use smirk_ui::{ErrorReading, UiState};

pub(crate) use governor::FULL_QUALITY_DELAY;

/// How long each frame works on a picture that takes several frames: it draws as many batches as fit.
const BATCH_TIME: Duration = Duration::from_millis(25);
/// The samples of a picture that takes several frames.
const SAMPLES_OF_SLOW_HEADS: u32 = 8;
/// How long each frame adds samples to a picture that does not change, and then to one that is exported. Input that
/// arrives meanwhile is delayed by no more than this.
pub(in crate::window) const SAMPLES: Duration = Duration::from_millis(45);

/// The picture of the head, and the device it is drawn on.
pub(super) struct Viewport {
    /// The device that draws the head and the window.
    pub gpu: Gpu,
    /// Draws the head.
    pub renderer: Renderer,
    /// Draws another version of it, while one is compared.
    pub version: Option<Renderer>,
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
    /// The requested samples of a picture that does not change; `None` for as many as suit the adapter.
    samples: Option<u32>,
    last_frame: LastFrame,
    /// The last picture failed, so that the one before stays on screen.
    is_broken: bool,
    /// The picture of another version is being drawn although it is not shown, so that B is there once it is held.
    draws_ahead: bool,
    /// The sources of the pictures that the window shows: that of the viewport, and B beside it or over it.
    shown: Vec<PictureSource>,
}

/// What the last frame did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastFrame {
    /// It left the pictures as they were, and nobody waited for one.
    Skipped,
    /// It left them as they were because a thread is uploading the deltas that they need.
    WaitedForDeltas,
    Drew(Drawn),
}

/// The source of a picture that the window shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureSource {
    /// The head's renderer.
    Head,
    /// The head's renderer, as the picture beside the first.
    Beside,
    Version,
}

impl Viewport {
    /// A viewport without a head. `samples`: those of a picture that does not change; `None` for as many as suit the
    /// adapter.
    pub(super) fn new(gpu: Gpu, samples: Option<u32>) -> Self {
        Self {
            renderer: Renderer::new(&gpu),
            version: None,
            governor: Governor::new(gpu.is_software(), samples),
            samples,
            gpu,
            losses: DeviceLoss::default(),
            project_mode: None,
            error: None,
            needs_framing: true,
            quality: Quality::FULL,
            last_frame: LastFrame::Skipped,
            is_broken: false,
            draws_ahead: false,
            shown: vec![PictureSource::Head],
        }
    }

    pub(super) fn set_head(&mut self, head: HeadOnGpu) {
        self.renderer.set_head(head);
        self.error = None;
    }

    /// Draws another version of the head too, or no longer.
    pub(super) fn set_version(&mut self, head: Option<HeadOnGpu>) {
        self.version = head.map(|head| {
            let mut renderer = Renderer::new(&self.gpu);
            renderer.set_head(head);
            renderer
        });
    }

    /// The first blend mode that can blend the head, of the one the project was saved with, the one the artist chose,
    /// and the one that suits the adapter. A head can be too large for some modes; the processor can always blend it.
    pub(super) fn preferred_mode(&self, settings: &Settings) -> BlendMode {
        let mut usable = mode_candidates(self.project_mode, settings, &self.gpu)
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
            session.camera.frame_part(&session.head, Frame::Face, size[0] as f32 / size[1] as f32);
        }
        let mut pictures = pictures(session, ui, size, jobs);
        let sources: Vec<PictureSource> = pictures.iter().map(|(by, _)| *by).collect();
        if !sources.contains(&PictureSource::Beside) {
            self.renderer.draw_alone();
        }
        let is_changing = pictures.iter().any(|(by, scene)| !self.shows(*by, scene));
        // The last picture stays, and the panels go on meanwhile.
        let kept = self.keeps_picture(&pictures, is_changing, jobs).filter(|_| !in_full);
        let last_frame = std::mem::replace(&mut self.last_frame, kept.unwrap_or(LastFrame::Skipped));
        if kept.is_some() {
            return false;
        }
        let activity = match (is_changing, ui.is_interacting) {
            (true, _) => Activity::Changing,
            (false, true) => Activity::Interacting,
            (false, false) => Activity::Idle,
        };
        // The interval of delayed frames says nothing about how long drawing takes.
        let is_measure = last_frame == LastFrame::Drew(Drawn::Finished) && !self.yields_to(&jobs.loader);
        let affordable = self.governor.next(activity, elapsed.as_secs_f32(), is_measure);
        let (quality, most) = match activity {
            _ if in_full => (self.governor.accumulated(), Duration::MAX),
            // How long a frame takes says nothing about a picture that is drawn in batches.
            Activity::Changing if self.renderer.is_slow() => (Governor::COARSEST, BATCH_TIME),
            // All samples at once: a picture that changes is not refined gradually.
            Activity::Changing if affordable.samples > 0 => (affordable, Duration::MAX),
            Activity::Changing => (affordable, BATCH_TIME),
            // Each of its samples takes as long as the picture, and is drawn in batches as well.
            Activity::Interacting | Activity::Idle if self.renderer.is_slow() => {
                (Quality { samples: affordable.samples.min(SAMPLES_OF_SLOW_HEADS), ..affordable }, SAMPLES)
            }
            Activity::Interacting | Activity::Idle => (affordable, SAMPLES),
        };
        self.quality = quality;
        pictures.iter_mut().for_each(|(_, scene)| scene.quality = quality);
        let drawn = self.gpu.clone().attempt(|| {
            let mut drawn = Drawn::Nothing;
            for (by, scene) in &pictures {
                match self.draw_by(*by, scene, most)? {
                    Drawn::Nothing => {}
                    new => drawn = new,
                }
            }
            Ok::<_, DrawError>(drawn)
        });
        self.draws_ahead =
            activity == Activity::Idle && sources == [PictureSource::Head] && self.draw_ahead(session, size);
        match drawn {
            Ok(Ok(drawn)) => {
                self.shown = sources;
                self.last_frame = LastFrame::Drew(drawn);
                self.is_broken &= drawn != Drawn::Finished;
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

    /// Whether a frame leaves the pictures as they are, because deltas are uploaded or a file is opened.
    fn keeps_picture(&self, pictures: &[(PictureSource, Scene)], is_changing: bool, jobs: &Jobs) -> Option<LastFrame> {
        let mut of_head = pictures.iter().filter(|(by, _)| *by != PictureSource::Version);
        let needs_deltas = of_head.any(|(_, scene)| self.renderer.needs_work(scene));
        if needs_deltas && jobs.deltas.is_busy() && self.renderer.has_picture() {
            return Some(LastFrame::WaitedForDeltas);
        }
        (!is_changing && self.yields_to(&jobs.loader)).then_some(LastFrame::Skipped)
    }

    /// Why nothing of the head is seen in the picture that is shown, in a sentence; none if something may be seen.
    pub(super) fn unseen(&self) -> Option<String> {
        let unseen: Option<Vec<Unseen>> = self.shown.iter().map(|&by| self.unseen_by(by)).collect();
        let reason = *unseen?.first()?;
        let advice = match reason {
            Unseen::Behind | Unseen::Aside | Unseen::Tiny => ". F frames the face",
            Unseen::Empty | Unseen::Hidden | Unseen::Transparent | Unseen::Moved { .. } | Unseen::FaceMoved { .. } => {
                ""
            }
        };
        let (first, rest) = reason.subject().split_at(1);
        Some(format!("{}{rest} in the picture: {reason}{advice}", first.to_uppercase()))
    }

    fn unseen_by(&self, by: PictureSource) -> Option<Unseen> {
        match by {
            PictureSource::Head => self.renderer.unseen(),
            PictureSource::Beside => self.renderer.unseen_beside(),
            PictureSource::Version => self.version.as_ref()?.unseen(),
        }
    }

    /// Whether drawing waits for a file that is being opened: a software adapter draws with the processor cores that
    /// read the file.
    pub(super) fn yields_to(&self, loader: &Loader) -> bool {
        self.gpu.is_software() && loader.is_awaited()
    }

    /// Whether the last frame left the picture as it was because a thread is uploading the deltas that it needs.
    pub(super) fn waits_for_deltas(&self) -> bool {
        self.last_frame == LastFrame::WaitedForDeltas
    }

    /// No frame is drawn now although the picture may change, which says nothing about how long drawing takes.
    pub(super) fn pause(&mut self) {
        if let LastFrame::Drew(_) = self.last_frame {
            self.last_frame = LastFrame::Skipped;
        }
    }

    /// Draws the picture of the version that is B, once that of the head is complete. Returns whether more is to be
    /// drawn.
    fn draw_ahead(&mut self, session: &Session, size: [u32; 2]) -> bool {
        if self.renderer.is_refining() || self.renderer.is_unfinished() || session.b().version().is_none() {
            return false;
        }
        // A search may take longer than a frame.
        let scene = session.b().scene(size).filter(|scene| scene.look.view.searched().is_none());
        let (Some(scene), Some(version)) = (scene, &mut self.version) else { return false };
        let scene = Scene { quality: self.governor.accumulated(), ..scene };
        if version.shows(&scene) && !version.is_refining() && !version.is_unfinished() {
            return false;
        }
        // A failure is reported once the picture is shown.
        let drawn = self.gpu.attempt(|| version.draw_for(&scene, SAMPLES));
        matches!(drawn, Ok(Ok(_)))
    }

    fn shows(&self, by: PictureSource, scene: &Scene) -> bool {
        match by {
            PictureSource::Head => self.renderer.shows(scene),
            PictureSource::Beside => self.renderer.shows_beside(scene),
            PictureSource::Version => self.version.as_ref().is_some_and(|version| version.shows(scene)),
        }
    }

    fn draw_by(&mut self, by: PictureSource, scene: &Scene, most: Duration) -> Result<Drawn, DrawError> {
        match by {
            PictureSource::Head => self.renderer.draw_for(scene, most),
            PictureSource::Beside => self.renderer.draw_beside_for(scene, most),
            PictureSource::Version => match &mut self.version {
                Some(version) => version.draw_for(scene, most),
                None => Err(DrawError::HeadNotUploaded { head: scene.head.name.clone() }),
            },
        }
    }

    fn image(&self, by: PictureSource) -> Option<&wgpu::TextureView> {
        match by {
            PictureSource::Head => self.renderer.image(),
            PictureSource::Beside => self.renderer.image_beside(),
            PictureSource::Version => self.version.as_ref()?.image(),
        }
    }

    fn renderers(&self) -> impl Iterator<Item = &Renderer> {
        let version = self.version.as_ref().filter(|_| self.shown.contains(&PictureSource::Version));
        std::iter::once(&self.renderer).chain(version)
    }

    /// Whether the last picture could not be drawn.
    pub(super) fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Whether the next frame goes on with an unfinished picture.
    pub(super) fn is_unfinished(&self) -> bool {
        self.renderers().any(Renderer::is_unfinished)
    }

    /// Whether the next frame adds samples to a picture that does not change.
    pub(super) fn is_refining(&self) -> bool {
        self.draws_ahead || self.renderers().any(Renderer::is_refining)
    }

    /// Hands the picture to the window, which keeps the picture before a broken one.
    pub(super) fn show_in(&self, egui_window: &mut EguiWindow, ui: &UiState) {
        let [first, others @ ..] = self.shown.as_slice() else { return };
        if let (false, Some(picture)) = (self.is_broken, self.image(*first)) {
            let size = size_px(ui);
            let rect = |min| PixelRect { min, size };
            let is_new = matches!(self.last_frame, LastFrame::Drew(Drawn::Unfinished | Drawn::Finished));
            let whole = if is_new { rect([0; 2]) } else { PixelRect::default() };
            let changed = match self.shown.as_slice() {
                [PictureSource::Head] if is_new => self.renderer.changed_part(size),
                _ => whole,
            };
            let first = Placed { rect: rect(ui.viewport_min_px), opacity: 1.0 };
            egui_window.painter.show(&self.gpu, 0, Some(picture), first, changed);
            let place = match (ui.beside_min_px, ui.b_opacity) {
                (Some(min), _) => Some(Placed { rect: rect(min), opacity: 1.0 }),
                (None, opacity) => opacity.map(|opacity| Placed { opacity, ..first }),
            };
            let (second, placed) = others.first().and_then(|second| self.image(*second)).zip(place).unzip();
            egui_window.painter.show(&self.gpu, 1, second, placed.unwrap_or_default(), whole);
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
    pub(super) fn measure_error(&mut self, session: &Session) -> Result<(), DeviceError> {
        let (weights, mode, normals) = (session.weights(), session.mode, session.edits.look.normals);
        let Some(blender) = self.renderer.blender_mut() else { return Ok(()) };
        let morphed = blender.read_back(&self.gpu, &weights, mode, normals)?;
        let deviation = blend::compare(&session.head, &weights, normals, &morphed);
        self.error = Some(ErrorReading {
            mode,
            max_distance: deviation.max_distance,
            max_normal_degrees: deviation.max_normal_degrees,
            head_size: deviation.head_size,
        });
        Ok(())
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
        self.governor = Governor::new(self.gpu.is_software(), self.samples);
        self.renderer = Renderer::new(&self.gpu);
        self.set_head(self.upload(&session.head, precision)?);
        let version = session.open_version.as_ref().map(|open| self.upload(&open.version.head, precision));
        self.set_version(version.transpose()?);
        Ok(())
    }

    /// Uploads a head to a device that has taken the place of another.
    pub(super) fn upload(&self, head: &Arc<Head>, precision: Precision) -> anyhow::Result<HeadOnGpu> {
        let layout = Arc::new(Layout::new(head, precision));
        HeadOnGpu::new(&self.gpu, head.clone(), layout).context(WORK_IS_SAFE)
    }
}

/// What the window shows: the session or B, or both beside or over each other.
fn pictures(session: &Session, ui: &UiState, size: [u32; 2], jobs: &mut Jobs) -> Vec<(PictureSource, Scene)> {
    let shows_both = ui.beside_min_px.is_some() || ui.b_opacity.is_some();
    let b = if ui.shows_b || shows_both { session.b().scene(size) } else { None };
    let scenes = match b {
        Some(b) if shows_both => vec![session.scene(size), b],
        Some(b) => vec![b],
        None => vec![session.scene(size)],
    };
    let mut pictures: Vec<(PictureSource, Scene)> =
        std::iter::zip([PictureSource::Head, PictureSource::Beside], scenes)
            .map(
                |(by, scene)| {
                    if Arc::ptr_eq(&scene.head, &session.head) { (by, scene) } else { (PictureSource::Version, scene) }
                },
            )
            .collect();
    let of_head = pictures.iter().filter(|(by, _)| *by != PictureSource::Version).map(|(_, scene)| scene);
    let faces = of_head.map(|scene| scene.weights.clone()).collect();
    jobs.searches.follow_faces(&session.head, session.edits.look.view, faces, jobs.events.job_notifier());
    for (index, (by, scene)) in pictures.iter_mut().enumerate() {
        if *by != PictureSource::Version {
            scene.marked = Some(jobs.searches.shown(&session.head, index).clone());
        }
    }
    pictures
}

/// Width and height of the picture, at least one pixel each.
fn size_px(ui: &UiState) -> [u32; 2] {
    ui.viewport_size_px.map(|side| side.max(1))
}

/// The modes to try, in this order: the one the project was saved with, the one the artist chose, the one that suits
/// the adapter, and compute.
fn mode_candidates(
    project_mode: Option<BlendMode>,
    settings: &Settings,
    gpu: &Gpu,
) -> impl Iterator<Item = BlendMode> + use<> {
    let suited = settings.suited.as_ref().filter(|suited| suited.is_of(gpu)).map(|suited| suited.mode);
    project_mode.into_iter().chain(settings.mode).chain(suited).chain([BlendMode::Compute])
}

/// A device that is lost again within this time is not replaced again: it would be lost over and over.
const MIN_INTERVAL: Duration = Duration::from_secs(10);

/// The last sentence of every message that the program must end.
pub(super) const WORK_IS_SAFE: &str = "Your work is saved and will be offered at the next start";

/// The losses of the graphics device.
#[derive(Debug, Default)]
pub(crate) struct DeviceLoss {
    pending: Option<DeviceError>,
    last: Option<Instant>,
}

impl DeviceLoss {
    pub(crate) fn report(&mut self, error: DeviceError) {
        self.pending = Some(error);
    }

    /// The loss to recover from, if there is one. An error if the one before was only a moment ago.
    pub(crate) fn take(&mut self, now: Instant) -> anyhow::Result<Option<DeviceError>> {
        let Some(error) = self.pending.take() else { return Ok(None) };
        if self.last.replace(now).is_some_and(|last| now - last < MIN_INTERVAL) {
            bail!("{error}, and again as soon as it was back. {WORK_IS_SAFE}");
        }
        Ok(Some(error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::progress::Progress;
    use smirk_editor::bench::suited_mode;
    use smirk_graphics::gpu::Prefer;

    #[test]
    fn the_project_comes_first_then_the_artist_then_the_adapter() {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let first = |project, settings: &Settings| mode_candidates(project, settings, &gpu).next();
        let mut settings = Settings::default();
        assert_eq!(first(None, &settings), Some(BlendMode::Compute));
        let mut suited = suited_mode(&gpu, Progress::NONE);
        suited.mode = BlendMode::Vertex;
        settings.suited = Some(suited);
        assert_eq!(first(None, &settings), Some(BlendMode::Vertex));
        settings.mode = Some(BlendMode::Multipass);
        assert_eq!(first(None, &settings), Some(BlendMode::Multipass));
        assert_eq!(first(Some(BlendMode::Cpu), &settings), Some(BlendMode::Cpu));
    }

    #[test]
    fn each_loss_is_recovered_from_once_and_a_second_one_at_once_is_an_error() {
        let (mut losses, start) = (DeviceLoss::default(), Instant::now());
        let error = DeviceError::Lost { adapter: "a card".into(), reason: "taken out".into() };
        assert_eq!(losses.take(start).unwrap(), None);
        losses.report(error.clone());
        assert_eq!(losses.take(start).unwrap(), Some(error.clone()));
        assert_eq!(losses.take(start).unwrap(), None);
        losses.report(error.clone());
        assert_eq!(losses.take(start + MIN_INTERVAL).unwrap(), Some(error.clone()), "a second loss, much later");
        losses.report(error);
        let text = losses.take(start + MIN_INTERVAL * 3 / 2).unwrap_err().to_string();
        assert!(text.contains("a card") && text.contains("taken out") && text.contains("saved"), "{text}");
    }
}
