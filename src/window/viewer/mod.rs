//! The viewer: everything behind the window, brought together once per frame. Each of the other files of this folder
//! adds one group of its methods.

mod clipboard;
mod closing;
mod commands;
mod loaded;
mod opening;
mod panels;
mod state_file;
mod version;

pub(super) use opening::BundledHead;

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use egui_winit::accesskit_winit;
use image::RgbaImage;
use winit::event::WindowEvent;
use winit::window::Window;

use super::event::Event;
use super::file_queue::FileQueue;
use super::frame_schedule::{FrameSchedule, Throttle};
use super::hot_reload::HotReload;
use super::jobs::{Ended, Jobs, follow_lint, follow_renderer};
use super::notices::{Message, Notices};
use super::screenshot::Screenshot;
use super::services::{Service, ServiceContext};
use super::settings::Settings;
use super::viewport::{SAMPLES, Viewport};
use crate::window::egui_window::EguiWindow;
use clipboard::PictureCopy;
use smirk_base::logging;
use smirk_base::names::printable;
use smirk_base::watch::FilesRead;
use smirk_editor::document::{Document, LoadStatus};
use smirk_export::{ExportKind, Renderers, save_png};
use smirk_face::head::ShapeFile;
use smirk_face::motion::TimeStep;
use smirk_files::import::ShapesReport;
use smirk_graphics::gpu::DeviceError;
use smirk_picture::render::HeadOnGpu;
use smirk_session::{HeadSource, Session};
use smirk_ui::{Panels, Prompt, UiState};
use state_file::StateFile;
use version::VersionFiles;

/// How long each frame of a hidden window draws thumbnails and exports.
const DRAWING_WHEN_HIDDEN: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Closing {
    #[default]
    No,
    /// Once the project is saved, which the artist has chosen.
    OnceSaved,
    /// Now: all work is saved or kept for the next start, or the artist has given it up.
    Now,
}

#[derive(Debug)]
pub(super) enum Next {
    Sleep,
    Frame,
    /// Another frame after this time.
    In(Duration),
    Exit(anyhow::Result<()>),
}

pub(super) struct Viewer {
    window: Arc<Window>,
    egui_window: EguiWindow,
    ui: UiState,
    panels: Panels,
    pub(super) document: Document,
    viewport: Viewport,
    jobs: Jobs,
    notices: Notices,
    /// The settings as they were read, kept up to date.
    settings: Settings,
    /// Files that were dropped on the window or named on the command line, still to be opened.
    file_queue: FileQueue,
    services: Vec<Box<dyn Service>>,
    hot_reload: HotReload,
    version_files: VersionFiles,
    screenshot: Option<Screenshot>,
    title: String,
    is_file_hovering: bool,
    is_occluded: bool,
    prompt: Option<Prompt>,
    /// Another head that was read, while the artist is asked what becomes of the work on the one before.
    asked_head: Option<ReadHead>,
    /// Shapes of the edits that the head was read again with, until it is shown.
    asked_shapes: Option<Vec<ShapeFile>>,
    picture_copy: PictureCopy,
    pub(super) closing: Closing,
    times: FrameTimes,
    /// Limits the rate of frames while a file is being opened.
    throttle: Throttle,
    /// Another frame was requested since the last one began.
    has_requested_frame: Cell<bool>,
    /// The file that describes what the window shows, if the environment names one.
    state_file: Option<StateFile>,
}

/// A head that was read, the files whose shapes are on it, and all files that it was read from.
struct ReadHead {
    head: HeadOnGpu,
    source: HeadSource,
    shapes: Option<(Vec<ShapeFile>, ShapesReport)>,
    read: FilesRead,
}

#[derive(Clone, Copy, Debug)]
struct FrameTimes {
    started: Instant,
    first_frame: Option<Duration>,
    last_frame: Instant,
}

impl FrameTimes {
    fn new(started: Instant) -> Self {
        Self { started, first_frame: None, last_frame: Instant::now() }
    }
}

impl Viewer {
    pub(super) fn request_frame(&self) {
        self.has_requested_frame.set(true);
        self.window.request_redraw();
    }

    /// Shows that something went wrong.
    pub(super) fn fail(&mut self, title: &str, message: String) {
        self.notices.fail(title, message);
        self.request_frame();
    }

    /// The same once the artist has dismissed what is shown already, if that is a failure or a question.
    pub(super) fn report_failure(&mut self, title: &str, text: String) {
        self.notices.report(Message { title: title.to_owned(), text, is_failure: true });
        self.request_frame();
    }

    fn with_services(&mut self, now: Instant, mut each: impl FnMut(&mut dyn Service, &mut ServiceContext<'_>)) {
        let Self { document, ui, notices, jobs, services, .. } = self;
        let mut cx = ServiceContext { document, ui, notices, events: &jobs.events, now, wants_frame: false };
        for service in services {
            each(service.as_mut(), &mut cx);
        }
        if cx.wants_frame {
            self.request_frame();
        }
    }

    pub(super) fn settings(&self) -> Settings {
        let size = self.window.inner_size().to_logical::<f32>(self.window.scale_factor());
        let maximized = self.window.is_maximized();
        let matching = self.document.session.edits.matching.clone();
        Settings {
            window_size: if maximized { self.settings.window_size } else { [size.width, size.height] },
            maximized,
            ui: self.ui.saved(),
            aliases: matching.aliases,
            uses_nearest: matching.uses_nearest,
            ..self.settings.clone()
        }
    }

    pub(super) fn on_event(&mut self, event: Event) {
        match event {
            Event::Interrupted => {}
            // A window that is hidden may get no frame in which a project that was chosen in a dialog would be saved.
            Event::Job => self.take_answers(),
            // A window that is hidden may get no frame.
            Event::Service if self.is_hidden() => {
                return self.with_services(Instant::now(), |service, cx| service.follow(cx));
            }
            Event::Service => {}
            Event::Graphics(error @ DeviceError::Lost { .. }) => self.viewport.losses.report(error),
            Event::Graphics(error) => self.notices.fail_to_draw(&error),
            // The state file describes the widgets also without a screen reader.
            Event::Accessibility(accesskit_winit::WindowEvent::AccessibilityDeactivated)
                if self.state_file.is_some() => {}
            Event::Accessibility(event) => self.egui_window.on_accessibility(event),
        }
        self.request_frame();
    }

    /// An event of the window, other than a request to close it or to draw it.
    pub(super) fn on_window_event(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } => {
                self.egui_window.resize(&self.viewport.gpu)
            }
            WindowEvent::Occluded(is_occluded) => self.is_occluded = *is_occluded,
            WindowEvent::Focused(true) => {
                self.document.look_at_file(Instant::now());
                self.hot_reload.look_soon(Instant::now());
                self.version_files.look_soon(Instant::now());
                self.request_frame();
            }
            WindowEvent::HoveredFile(_) => self.is_file_hovering = true,
            WindowEvent::HoveredFileCancelled => self.is_file_hovering = false,
            WindowEvent::DroppedFile(path) => {
                self.is_file_hovering = false;
                // Files that are dropped together arrive as one event each. The first cancels the load under way, and
                // hides a notice about the head that they replace.
                if self.file_queue.is_empty() {
                    self.jobs.loader.clear();
                    self.notices.dismiss();
                }
                self.file_queue.push(path.clone());
                self.request_frame();
            }
            _ => {}
        }
        if self.egui_window.on_window_event(event) {
            // A file that is dropped changes nothing that could not wait until it is open.
            if !matches!(event, WindowEvent::DroppedFile(_)) {
                self.throttle.release();
            }
            self.request_frame();
        }
    }

    /// Draws a frame: reads input, runs the panels, draws the head if it changed, and executes commands.
    pub(super) fn frame(&mut self) -> Next {
        let began = Instant::now();
        self.has_requested_frame.set(false);
        let elapsed = began - std::mem::replace(&mut self.times.last_frame, began);
        let session = &self.document.session;
        let step = self.services.iter_mut().find_map(|service| service.step(began, elapsed, session));
        let step = step.unwrap_or_else(|| TimeStep::of_frame(elapsed));
        self.document.session.advance(step);
        self.take_loaded();
        self.with_services(began, |service, cx| service.follow(cx));
        self.follow_files(began);
        self.follow_version(began);
        self.follow_shapes();
        self.follow_axes();
        self.follow_mends();
        self.take_answers();
        self.take_reference();
        self.take_suited_mode();
        if let Some(message) = self.jobs.fonts.take(self.egui_window.context()) {
            self.notices.add_information("Some names cannot be shown".into(), message);
            self.notices.show_pending();
        }
        if let Err(error) = self.recover_device(began) {
            return Next::Exit(Err(error));
        }
        // A window that has shown nothing yet does not wait.
        let yields = self.viewport.yields_to(&self.jobs.loader) && self.times.first_frame.is_some();
        if let Some(delay) = self.throttle.delay(yields, Instant::now()) {
            self.viewport.pause();
            return Next::In(delay);
        }
        let takes_screenshot = self.prepare_screenshot();

        let notice = self.notices.shown().cloned();
        let (output, commands) = self.run_ui();
        self.with_services(began, |service, cx| service.obey(cx));
        self.jobs.fonts.start(self.jobs.events.job_notifier());
        let session = &mut self.document.session;
        let is_searched = self.jobs.searches.knows(&session.head, session.edits.look.view, &session.weights());
        // Names that are boxes now may have a font in a moment.
        let takes_screenshot = takes_screenshot && !self.jobs.fonts.is_busy() && is_searched;
        let (notices, jobs) = (&mut self.notices, &mut self.jobs);
        let unseen = self.viewport.unseen();
        let is_changing = self.viewport.draw(session, &self.ui, elapsed, takes_screenshot, notices, jobs);
        self.viewport.show_in(&mut self.egui_window, &self.ui);
        let (egui_delay, screenshot) = self.egui_window.paint(&self.viewport.gpu, output, takes_screenshot);
        self.copy_picture(began);
        self.throttle.painted(egui_delay.is_zero() || !commands.is_empty());
        self.times.first_frame.get_or_insert_with(|| self.times.started.elapsed());
        self.follow_head();
        if let Some(ended) = self.jobs.version_sheet.take(&()) {
            self.notices.report_saved("Sheet", "the sheet", ended, began);
        }
        self.draw_pictures();
        for command in commands {
            self.execute(command);
        }
        self.keep_work(began);
        if self.closing == Closing::Now {
            return Next::Exit(Ok(()));
        }
        if self.notices.shown() != notice.as_ref() || self.viewport.unseen() != unseen {
            self.request_frame();
        }
        self.update_title();
        if let Some(screenshot) = screenshot {
            return Next::Exit(self.save_screenshot(&screenshot));
        }
        let schedule = self.schedule(began, is_changing, egui_delay);
        self.write_state(&schedule);
        match schedule.delay() {
            None => Next::Sleep,
            Some(Duration::ZERO) => Next::Frame,
            Some(delay) => Next::In(delay),
        }
    }

    /// Whether the window is minimised or covered by others.
    pub(super) fn is_hidden(&self) -> bool {
        self.is_occluded || self.window.inner_size().width == 0 || self.window.is_minimized() == Some(true)
    }

    fn schedule(&self, began: Instant, is_changing: bool, egui_delay: Duration) -> FrameSchedule {
        let until_motion = self.document.session.secs_until_motion();
        let until_motion = until_motion.map(|secs| Duration::try_from_secs_f64(secs).unwrap_or(Duration::MAX));
        let screenshot = self.screenshot.as_ref().map(Screenshot::due_in);
        let goes_on = self.viewport.is_unfinished()
            || (self.viewport.is_refining() && !self.is_hidden())
            || (self.viewport.renderer.has_ambient_occlusion() && self.jobs.has_pictures_to_draw(&self.ui));
        let waits = self.viewport.waits_for_deltas() || self.viewport.yields_to(&self.jobs.loader);
        FrameSchedule {
            is_hidden: self.is_hidden(),
            is_changing: is_changing || until_motion == Some(Duration::ZERO) || (goes_on && !waits),
            is_loading: self.jobs.loader.is_awaited(),
            is_full_quality_due: self.viewport.is_full_quality_due(),
            egui_delay,
            timer: [
                screenshot,
                until_motion,
                self.document.next_update_in(began),
                self.notices.status_ends_in(began),
                self.hot_reload.due_in(began),
                self.version_files.due_in(began),
                self.services.iter().filter_map(|service| service.due_in(began)).min(),
            ]
            .into_iter()
            .flatten()
            .min(),
            frame_time: began.elapsed(),
            is_software: self.viewport.gpu.is_software(),
        }
    }

    /// Blends in the preferred mode that is available for the head.
    fn choose_mode(&mut self) {
        self.document.session.mode = self.viewport.preferred_mode(&self.settings);
    }

    /// Measures which blend mode suits an adapter that was not measured before. A software adapter is not measured:
    /// compute suits it. Neither is any for a run that only takes a screenshot, which ends at once.
    fn find_suited_mode(&mut self) {
        let gpu = &self.viewport.gpu;
        let is_known = self.settings.suited.as_ref().is_some_and(|suited| suited.is_of(gpu));
        if !is_known && !gpu.is_software() && self.screenshot.is_none() {
            self.jobs.find_suited_mode(gpu);
        }
    }

    /// Blends in the mode that suits the adapter, once that was measured, unless the artist or the project has chosen
    /// one.
    fn take_suited_mode(&mut self) {
        if let Some(Ok(suited)) = self.jobs.suited_mode.take(&()) {
            self.settings.suited = Some(suited);
            if self.settings.mode.is_none() && self.viewport.project_mode.is_none() {
                self.choose_mode();
            }
        }
    }

    /// Opens another graphics device if the current one was lost. An error if there is none.
    fn recover_device(&mut self, now: Instant) -> anyhow::Result<()> {
        // The device may have been lost for lack of memory for a head that is being uploaded. Its load then fails and
        // frees that memory.
        if self.jobs.loader.is_busy() || self.jobs.deltas.is_busy() {
            return Ok(());
        }
        let Some(loss) = self.viewport.losses.take(now)? else { return Ok(()) };
        self.jobs.usual_surfaces.forget();
        self.viewport.reopen(&loss, &mut self.egui_window, &self.document.session, &self.jobs.events)?;
        // Heads that wait to be shown were on the lost device too.
        self.hot_reload.read_again();
        if let Some(mut read) = self.asked_head.take() {
            match self.viewport.upload(read.head.head(), self.viewport.renderer.memory().precision) {
                Ok(head) => {
                    read.head = head;
                    self.asked_head = Some(read);
                }
                Err(error) => {
                    self.prompt.take_if(|prompt| matches!(prompt, Prompt::OpenHead { .. }));
                    self.notices.add_failure(format!("Cannot open {}", read.source.name()), format!("{error:#}"));
                }
            }
        }
        self.choose_mode();
        let mut message = format!("The device was opened again and your work is unchanged. Cause: {loss}.");
        self.jobs.pictures.restart(&self.document.session.head);
        if self.jobs.exports.cancel_drawn_sheets() {
            message += " Contact sheets that were not drawn yet are cancelled; save them again.";
        }
        if self.jobs.exports.cancel_drawn() {
            message += " Pictures and films that were not complete are cancelled; export them again.";
        }
        self.fail("The graphics device was lost and restored", message);
        Ok(())
    }

    /// Draws a batch of a thumbnail, or of a picture of a contact sheet or of an export, while the artist is not
    /// interacting, and reports what was saved meanwhile.
    fn draw_pictures(&mut self) {
        let is_hidden = self.is_hidden();
        let Self { jobs, viewport, document, ui, notices, .. } = self;
        let renderer = &viewport.renderer;
        let waits = renderer.is_unfinished() || viewport.yields_to(&jobs.loader);
        let is_ready = renderer.has_ambient_occlusion() && !waits;
        // A hidden window has few frames, and nobody waits for them.
        let most = if is_hidden { DRAWING_WHEN_HIDDEN } else { SAMPLES };
        if !ui.is_interacting && !viewport.gpu.is_lost() && is_ready {
            // Thumbnails of a heavy head would take minutes, for which exports would wait. Only names are shown then.
            let visible = ui.visible_pictures.get(&document.session.head).filter(|_| !viewport.renderer.is_heavy());
            jobs.pictures.draw_next(&mut document.session, visible, &mut viewport.renderer, most);
            // Thumbnails come first: they take less time.
            if !jobs.pictures.is_busy() {
                let Viewport { renderer, version, .. } = viewport;
                jobs.exports.draw_next(Renderers { head: renderer, version: version.as_mut() }, most);
            }
        }
        while let Some(ended) = jobs.exports.take_ended() {
            match ended {
                Ended { kind: ExportKind::Sheet, path, outcome } => {
                    let saved = outcome.map(|_| path);
                    notices.report_saved("Contact sheet", "the contact sheet", saved, Instant::now());
                }
                ended => notices.report_exported(ended, Instant::now()),
            }
        }
    }

    /// Advances the jobs for the open head, which begin once a picture of it is shown: first what blending needs, then
    /// what else is derived from the head, and last what another head may need.
    fn follow_head(&mut self) {
        if self.jobs.deltas.follow(&mut self.viewport.renderer, self.jobs.events.job_notifier()) {
            // It is known only now in which modes the head can be blended.
            self.choose_mode();
            self.request_frame();
        }
        if self.viewport.waits_for_deltas() && !self.jobs.deltas.is_busy() {
            self.request_frame();
        }
        let Session { head, source, .. } = &self.document.session;
        let is_shown = self.viewport.renderer.has_picture() || self.viewport.is_broken();
        // Other jobs must not delay the first use of a slider.
        let is_ready = is_shown && !self.jobs.deltas.is_busy();
        let notify = self.jobs.events.job_notifier();
        if follow_lint(&mut self.jobs.lint, head, source, is_ready, notify) {
            self.request_frame();
        }
        let notify = self.jobs.events.job_notifier();
        if is_ready && follow_renderer(&mut self.jobs.ambient_occlusion, &mut self.viewport.renderer, notify) {
            self.request_frame();
        }
        let notify = self.jobs.events.job_notifier();
        if let Some(version) = &mut self.viewport.version
            && follow_renderer(&mut self.jobs.version_ambient_occlusion, version, notify)
        {
            self.request_frame();
        }
        let waits = !is_ready || self.is_occupied();
        self.jobs.build_usual_surfaces(&self.viewport.gpu, waits);
    }

    /// Whether work that is only useful later has to wait for other work. A run that only takes a screenshot never does
    /// such work.
    fn is_occupied(&self) -> bool {
        let Self { jobs, viewport, .. } = self;
        let finds_out = jobs.lint.is_busy() || !viewport.renderer.has_ambient_occlusion() || jobs.suited_mode.is_busy();
        let draws = viewport.is_refining() || viewport.is_unfinished() || self.ui.is_interacting;
        finds_out || draws || jobs.loader.is_busy() || self.screenshot.is_some()
    }

    fn update_title(&mut self) {
        let title = self.document.title();
        if title != self.title {
            // The window manager orders and shapes the text, and has fonts of its own.
            self.window.set_title(&printable(&title));
            self.title = title;
        }
    }

    /// Whether the screenshot is taken in this frame. If so, the moment it shows is exactly the one that was requested,
    /// so that it is the same on every machine.
    fn prepare_screenshot(&mut self) -> bool {
        let has_no_picture = !self.viewport.renderer.has_picture() || !self.viewport.renderer.has_ambient_occlusion();
        let is_checking = self.jobs.lint.is_busy();
        let is_loading = self.jobs.loader.is_busy() || has_no_picture || is_checking || self.jobs.pictures.is_busy();
        let Some(screenshot) = self.screenshot.as_mut() else { return false };
        let is_due = screenshot.is_due(is_loading);
        if is_due {
            self.document.session.show_moment(screenshot.after.as_secs_f64());
        }
        // The frame of the reference at that moment may be decoded only now.
        is_due && !self.jobs.reference.is_busy(&self.document.session)
    }

    /// Saves the screenshot. An error if a file of the command line did not open.
    fn save_screenshot(&self, picture: &RgbaImage) -> anyhow::Result<()> {
        let Some(screenshot) = &self.screenshot else { return Ok(()) };
        save_png(&screenshot.output.clone().protecting(self.document.files()), picture)?;
        let (path, adapter) = (screenshot.output.path().display(), &self.viewport.gpu.info.name);
        let (width, height) = picture.dimensions();
        let first = self.times.first_frame.unwrap_or_default().as_secs_f32();
        logging::print(&format!("wrote {path}, {width}×{height}; first frame after {first:.2} s on {adapter}"));
        match self.jobs.loader.status() {
            LoadStatus::Failure { title, message } => Err(anyhow!("{title}: {message}")),
            _ if self.document.project_without_head().is_some() => {
                Err(anyhow!("the head of the project does not open"))
            }
            LoadStatus::Idle | LoadStatus::Loading { .. } => Ok(()),
        }
    }
}
