//! Opens the window.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow};
use egui_winit::accesskit_winit;
use winit::dpi::LogicalSize;
use winit::event_loop::ActiveEventLoop;
use winit::window::{Icon, Window};

use super::clipboard::PictureCopy;
use super::closing::UNREAD_WORK;
use super::state_file::StateFile;
use super::version::VersionFiles;
use super::{Closing, FrameTimes, Viewer};
use crate::cli::ViewerArgs;
use crate::window::egui_window::EguiWindow;
use crate::window::event::EventSender;
use crate::window::file_queue::FileQueue;
use crate::window::frame_schedule::Throttle;
use crate::window::hot_reload::HotReload;
use crate::window::jobs::Jobs;
use crate::window::notices::Notices;
use crate::window::screenshot::Screenshot;
use crate::window::services;
use crate::window::settings::Settings;
use crate::window::viewport::Viewport;
use smirk_base::job::{Job, OnDrop};
use smirk_base::progress::Progress;
use smirk_editor::document::{Document, RecoveryFolder};
use smirk_face::head::Head;
use smirk_files::import::{self, ImportError};
use smirk_graphics::blend::{Precision, VertexOrder};
use smirk_graphics::gpu::{Gpu, GpuError, Prefer};
use smirk_picture::render::HeadOnGpu;
use smirk_scene::BlendMode;
use smirk_session::{HeadSource, Session, WorkCommand};
use smirk_ui::{self, Panels, UiState};

/// The name under which Linux finds the menu entry of the window: that of `assets/linux/smirk.desktop`.
#[cfg(target_os = "linux")]
const APP_ID: &str = "smirk";

/// The bundled head, which a thread reads. That takes about as long as opening the window and the adapter.
pub(in crate::window) struct BundledHead(Job<Result<HeadAndOrder, ImportError>>);

type HeadAndOrder = (Arc<Head>, Arc<VertexOrder>);

impl BundledHead {
    pub(in crate::window) fn read() -> Self {
        Self(Job::spawn(
            "bundled head",
            OnDrop::Detach,
            || {},
            |_| {
                let head = import::embedded()?;
                let order = VertexOrder::new(&head);
                Ok((Arc::new(head), Arc::new(order)))
            },
        ))
    }
}

impl Viewer {
    /// Opens the window on the bundled head, and begins to load the files of the command line.
    pub(in crate::window) fn open(
        event_loop: &ActiveEventLoop,
        args: &ViewerArgs,
        settings: &Settings,
        started: Instant,
        events: EventSender,
        bundled_head: BundledHead,
    ) -> anyhow::Result<Self> {
        let precision = Precision::exact_if(args.exact);
        let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
        let screen = monitor.map(|it| it.size().to_logical(it.scale_factor()));
        let (size, fills_screen) = initial_size(settings.window_size, screen);
        let maximized = settings.maximized || fills_screen;
        let attributes = Window::default_attributes()
            .with_title("Smirk")
            .with_inner_size(size)
            .with_min_inner_size(MIN_SIZE)
            .with_maximized(maximized)
            .with_visible(false)
            .with_window_icon(icon());
        #[cfg(target_os = "linux")]
        let attributes = winit::platform::wayland::WindowAttributesExtWayland::with_name(attributes, APP_ID, APP_ID);
        let window = Arc::new(event_loop.create_window(attributes).context("the window cannot be opened")?);
        // Screen readers must know the window before it is shown.
        let screen_readers = accesskit_winit::Adapter::with_event_loop_proxy(event_loop, &window, events.0.clone());
        window.set_visible(true);
        // Window managers of X11 do not maximize a window that is not visible.
        if maximized {
            window.set_maximized(true);
        }
        let instance = Gpu::instance(Some(Box::new(event_loop.owned_display_handle())));
        let surface = instance.create_surface(window.clone());
        let surface = surface.map_err(|error| no_surface(&instance, error))?;
        let gpu = Gpu::open(&instance, Some(&surface), Prefer::Hardware)?;
        events.forward_errors(&gpu);
        let egui_window = EguiWindow::new(&gpu, window.clone(), instance, surface, screen_readers)
            .ok_or_else(|| anyhow!("{} cannot show pictures in this window", gpu.info.name))?;
        smirk_ui::theme::install(egui_window.context());
        let mut viewport = Viewport::new(gpu, args.samples);
        let (head, order) = bundled_head.0.wait().context("the bundled head cannot be read")??;
        viewport.set_head(HeadOnGpu::for_window(&viewport.gpu, head.clone(), order, precision, Progress::NONE)?);
        let session = Session::new(head, HeadSource::Embedded, settings.look, BlendMode::Cpu)
            .with_habits(settings.matching(), settings.ui.panels.links_sides);
        // A run that only takes a screenshot neither writes nor offers unsaved work.
        let folder = RecoveryFolder::default_folder().filter(|_| args.screenshot.is_none());
        let (recovery, problems) = folder.map(RecoveryFolder::open).unzip();
        let mut viewer = Self {
            window,
            egui_window,
            ui: UiState::new(settings.ui.clone()),
            panels: Panels::default(),
            document: Document::new(session, recovery),
            viewport,
            services: services::all(&events),
            hot_reload: HotReload::new(events.job_notifier()),
            version_files: VersionFiles::new(args.compare.clone(), events.job_notifier()),
            jobs: Jobs::new(events, precision),
            notices: Notices::default(),
            settings: settings.clone(),
            file_queue: FileQueue::new(&args.files),
            screenshot: Screenshot::requested(args),
            title: String::new(),
            is_file_hovering: false,
            is_occluded: false,
            prompt: None,
            asked_head: None,
            asked_shapes: None,
            picture_copy: PictureCopy::default(),
            closing: Closing::No,
            times: FrameTimes::new(started),
            throttle: Throttle::default(),
            has_requested_frame: Cell::new(false),
            state_file: StateFile::requested(),
        };
        if viewer.state_file.is_some() {
            viewer.egui_window.context().enable_accesskit();
        }
        viewer.jobs.fonts.install(viewer.egui_window.context());
        viewer.choose_mode();
        viewer.find_suited_mode();
        viewer.document.offer_newer_than(viewer.settings.works_seen);
        if viewer.file_queue.is_empty()
            && let Some(id) = viewer.document.take_next_work()
        {
            viewer.execute_work(WorkCommand::Restore(id));
            viewer.notices.show_status("Going on with what was not saved".into(), Instant::now());
        }
        viewer.take_loaded();
        if let Some(problems) = problems.filter(|problems| !problems.is_empty()) {
            viewer.notices.add_failure(UNREAD_WORK.into(), problems.join("\n"));
        }
        Ok(viewer)
    }
}

/// The space that a title bar, a window frame and the desktop's own bars may take from a screen.
const DECORATIONS: LogicalSize<f32> = LogicalSize::new(16.0, 80.0);
/// In a smaller window, the panels would leave no room for the picture.
const MIN_SIZE: LogicalSize<f32> = LogicalSize::new(960.0, 600.0);

/// The size of the last run, as far as the screen allows, and whether the window is to be maximized: one that only just
/// fits would have its title bar or its last row beyond the edge of the screen.
fn initial_size(last: [f32; 2], screen: Option<LogicalSize<f32>>) -> (LogicalSize<f32>, bool) {
    let [width, height] = last;
    let Some(screen) = screen else { return (LogicalSize::new(width, height), false) };
    let size = LogicalSize::new(width.min(screen.width), height.min(screen.height));
    let fits = width + DECORATIONS.width <= screen.width && height + DECORATIONS.height <= screen.height;
    (LogicalSize::new(size.width.max(MIN_SIZE.width), size.height.max(MIN_SIZE.height)), !fits)
}

/// The icon of the window, where the system does not take it from the menu entry.
fn icon() -> Option<Icon> {
    let picture = image::load_from_memory_with_format(smirk_assets::ICON, image::ImageFormat::Png).ok()?.into_rgba8();
    let (width, height) = picture.dimensions();
    Icon::from_rgba(picture.into_raw(), width, height).ok()
}

/// Without any graphics adapter there is no surface either. Then the missing adapter is reported, in the same words as
/// by the commands, since that can be corrected.
fn no_surface(instance: &wgpu::Instance, error: wgpu::CreateSurfaceError) -> anyhow::Error {
    match Gpu::open(instance, None, Prefer::Hardware) {
        Err(cause @ GpuError::NoAdapter(_)) => cause.into(),
        _ => anyhow::Error::new(error).context("the window cannot be drawn to"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_does_not_clearly_fit_is_maximized() {
        let on = |width, height| initial_size([1600.0, 1000.0], Some(LogicalSize::new(width, height)));
        assert_eq!(on(1920.0, 1200.0), (LogicalSize::new(1600.0, 1000.0), false));
        assert_eq!(on(1600.0, 1000.0), (LogicalSize::new(1600.0, 1000.0), true), "no room for a title bar");
        assert_eq!(on(1280.0, 720.0), (LogicalSize::new(1280.0, 720.0), true));
        assert_eq!(on(800.0, 480.0), (MIN_SIZE, true));
        assert_eq!(initial_size([1600.0, 1000.0], None), (LogicalSize::new(1600.0, 1000.0), false));
    }
}
