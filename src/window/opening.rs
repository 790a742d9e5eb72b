//! The window opens.

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow};
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

use super::device_loss::Losses;
use super::event::Event;
use super::first_size::{self, first_size};
use super::governor::Governor;
use super::lint_job::LintJob;
use super::pictures::Pictures;
use super::queue::Queue;
use super::screenshot::Screenshot;
use super::settings::Settings;
use super::viewer::Viewer;
use crate::bench;
use crate::blend::{BlendMode, Layout, Precision};
use crate::cli::ViewerArgs;
use crate::document::{Document, Loader, RecoveryFolder};
use crate::gpu::{Gpu, Prefer};
use crate::import::{self, ImportError};
use crate::job::{Job, OnDrop};
use crate::render::{HeadOnGpu, Renderer};
use crate::scene::Quality;
use crate::session::{Session, Source};
use crate::ui::shell::Shell;
use crate::ui::{self, UiState};

impl Viewer {
    /// Opens the window on the head inside the program and begins to load the one asked for.
    pub fn open(
        event_loop: &ActiveEventLoop,
        args: &ViewerArgs,
        settings: &Settings,
        started: Instant,
        proxy: EventLoopProxy<Event>,
    ) -> anyhow::Result<Self> {
        // Reading the head and opening the adapter take about as long: side by side.
        let precision = Precision::exact_if(args.exact);
        let embedded = Job::spawn(
            "bundled head",
            OnDrop::Detach,
            || {},
            move |_| {
                let head = import::embedded()?;
                let layout = Layout::new(&head, precision);
                Ok::<_, ImportError>((Arc::new(head), Arc::new(layout)))
            },
        );
        let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
        let screen = monitor.map(|it| it.size().to_logical(it.scale_factor()));
        let (size, fills_screen) = first_size(settings.window_size, screen);
        let attributes = Window::default_attributes()
            .with_title("Smirk")
            .with_inner_size(size)
            .with_min_inner_size(first_size::LEAST)
            .with_maximized(settings.maximized || fills_screen);
        let window = Arc::new(event_loop.create_window(attributes).context("the window cannot be opened")?);
        let instance = Gpu::instance(Some(Box::new(event_loop.owned_display_handle())));
        let surface = instance.create_surface(window.clone()).context("the window cannot be drawn to")?;
        let gpu = Gpu::open(&instance, Some(&surface), Prefer::Hardware)?;
        Self::watch(&gpu, &proxy);
        let shell = Shell::new(&gpu, window.clone(), instance, surface)
            .ok_or_else(|| anyhow!("{} cannot show pictures in this window", gpu.info.name))?;
        ui::theme::install(shell.context());
        let mut renderer = Renderer::new(&gpu);
        let (head, layout) = embedded.wait().context("the head inside the program is not read")??;
        renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout)?);
        let session =
            Session::new(head, Source::Embedded, settings.look, BlendMode::Cpu).with_aliases(settings.aliases.clone());
        // A program that only takes a picture of its window leaves and offers no work.
        let folder = RecoveryFolder::default_folder().filter(|_| args.screenshot.is_none());
        let (recovery, problems) = folder.map(RecoveryFolder::open).unzip();
        let document = Document::new(session, recovery);
        let mut viewer = Self {
            window,
            shell,
            renderer,
            state: UiState::new(settings.panels),
            document,
            loader: Loader::new(precision),
            queue: Queue::new(&args.files),
            governor: Governor::new(gpu.is_software()),
            quality: Quality::FULL,
            drew: false,
            picture_is_broken: false,
            wants_framing: true,
            error: None,
            notice: None,
            title: String::new(),
            remembered: settings.clone(),
            pictures: Pictures::default(),
            review: LintJob::default(),
            bench: bench::Worker::default(),
            suited: None,
            kept_mode: None,
            hovering_file: false,
            is_occluded: false,
            screenshot: Screenshot::wanted(args),
            started,
            first_frame: None,
            last_frame: Instant::now(),
            losses: Losses::default(),
            proxy,
            gpu,
        };
        viewer.choose_mode(None);
        viewer.find_suited_mode();
        viewer.take_loaded();
        if let Some(problems) = problems.filter(|problems| !problems.is_empty()) {
            viewer.queue.tell("Some unsaved work cannot be read".into(), problems.join("\n"));
        }
        Ok(viewer)
    }
}
