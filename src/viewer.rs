//! The open window: session, renderer and egui, brought together once a frame.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use image::RgbaImage;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};
use winit::window::Window;

use crate::app::{Picked, Wake};
use crate::blend::{self, BlendMode, Layout};
use crate::cli::ViewerArgs;
use crate::export::save_png;
use crate::governor::Governor;
use crate::gpu::{Gpu, Prefer};
use crate::import::{self, ImportError};
use crate::loader::Loader;
use crate::readout::{ErrorReading, Loading, Readout};
use crate::render::{HeadOnGpu, PixelRect, Renderer};
use crate::scene::{Camera, Look, Quality, Scene};
use crate::session::{Command, Session, Source};
use crate::settings::Settings;
use crate::ui::shell::Shell;
use crate::ui::{self, UiState, WindowView};

/// When the next frame is due.
#[derive(Debug)]
pub enum Next {
    /// Nothing moves: not before the next event.
    Sleep,
    /// At once.
    Frame,
    /// After a while.
    In(Duration),
    /// Never: the program ends.
    Quit(anyhow::Result<()>),
}

/// What the picture on screen depends on, but for its quality.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    head: *const crate::head::Head,
    weights: Vec<f32>,
    mode: BlendMode,
    camera: Camera,
    look: Look,
    size: [u32; 2],
}

/// A picture of the window that was asked for on the command line.
#[derive(Debug)]
struct ScreenshotRequest {
    path: PathBuf,
    after: Duration,
    /// When nothing was left to load.
    settled: Option<Instant>,
}

/// Everything behind one window.
pub struct Viewer {
    window: Arc<Window>,
    gpu: Gpu,
    shell: Shell,
    renderer: Renderer,
    session: Session,
    state: UiState,
    loader: Loader,
    governor: Governor,
    quality: Quality,
    shown: Option<Shown>,
    error: Option<ErrorReading>,
    recent: Settings,
    default_mode: BlendMode,
    hovering_file: bool,
    screenshot: Option<ScreenshotRequest>,
    started: Instant,
    first_frame: Option<Duration>,
    last_frame: Instant,
    proxy: EventLoopProxy<Wake>,
}

impl Viewer {
    /// On a software adapter nothing waits for the screen: frames closer together than this only heat the room.
    const SOFTWARE_FRAME: Duration = Duration::from_millis(15);

    /// Opens the window on the head inside the program and begins to load the one asked for.
    pub fn open(
        event_loop: &ActiveEventLoop,
        args: &ViewerArgs,
        settings: &Settings,
        started: Instant,
        proxy: EventLoopProxy<Wake>,
    ) -> anyhow::Result<Self> {
        // Reading the head and opening the adapter take about as long: side by side.
        let embedded = std::thread::spawn(|| {
            let head = import::embedded()?;
            let layout = Layout::new(&head);
            Ok::<_, ImportError>((Arc::new(head), Arc::new(layout)))
        });
        let [width, height] = settings.window_size;
        let attributes = Window::default_attributes()
            .with_title("Smirk")
            .with_inner_size(LogicalSize::new(width.clamp(640.0, 8192.0), height.clamp(400.0, 8192.0)))
            .with_min_inner_size(LogicalSize::new(640.0, 400.0))
            .with_maximized(settings.maximized);
        let window = Arc::new(event_loop.create_window(attributes).context("the window cannot be opened")?);
        let instance = Gpu::instance(Some(Box::new(event_loop.owned_display_handle())));
        let surface = instance.create_surface(window.clone()).context("the window cannot be drawn to")?;
        let gpu = Gpu::open(&instance, Some(&surface), Prefer::Hardware)?;
        let shell = Shell::new(&gpu, window.clone(), surface)
            .ok_or_else(|| anyhow!("{} cannot show pictures in this window", gpu.info.name))?;
        ui::theme::install(shell.context());
        let mut renderer = Renderer::new(&gpu);
        let (head, layout) = embedded.join().map_err(|_| anyhow!("the head inside the program is broken"))??;
        renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout));
        let default_mode = if gpu.is_software() { BlendMode::Compute } else { BlendMode::Vertex };
        let mode = settings.mode.unwrap_or(default_mode);
        let session = Session::new(head, Source::Embedded, settings.look, mode);
        let mut viewer = Self {
            window,
            shell,
            renderer,
            session,
            state: UiState::new(settings.panels),
            loader: Loader::default(),
            governor: Governor::new(gpu.is_software()),
            quality: Quality::FULL,
            shown: None,
            error: None,
            recent: settings.clone(),
            default_mode,
            hovering_file: false,
            screenshot: args.screenshot.as_ref().map(|path| ScreenshotRequest {
                path: path.clone(),
                after: Duration::from_secs_f32(args.after),
                settled: None,
            }),
            started,
            first_frame: None,
            last_frame: Instant::now(),
            proxy,
            gpu,
        };
        viewer.leave_unavailable_mode();
        if let Some(file) = &args.file {
            viewer.load(file.clone());
        }
        Ok(viewer)
    }

    /// Asks for a frame.
    pub fn request_frame(&self) {
        self.window.request_redraw();
    }

    /// Shows a message about something that went wrong.
    pub fn tell(&mut self, subject: &str, message: String) {
        self.loader.fail(Path::new(subject), message);
        self.request_frame();
    }

    /// What is worth remembering.
    pub fn settings(&self) -> Settings {
        let size = self.window.inner_size().to_logical::<f32>(self.window.scale_factor());
        let maximized = self.window.is_maximized();
        Settings {
            window_size: if maximized { self.recent.window_size } else { [size.width, size.height] },
            maximized,
            look: self.session.edits.look,
            mode: if self.session.mode == self.default_mode { self.recent.mode } else { Some(self.session.mode) },
            panels: self.state.panels,
            recent: self.recent.recent.clone(),
        }
    }

    /// News from another thread.
    pub fn on_wake(&mut self, wake: Wake) {
        match wake {
            Wake::Loader => {}
            Wake::Picked(Picked::File(path)) => self.load(path),
            Wake::Picked(Picked::Cancelled) => {}
            Wake::Picked(Picked::NoDialog) => self.tell(
                "Open",
                "this system has no file dialog (xdg-desktop-portal or zenity brings one). Drop the file on the window instead, \
                 or name it on the command line"
                    .into(),
            ),
        }
        self.request_frame();
    }

    /// An event of the window, but for close and redraw.
    pub fn on_window_event(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } => self.shell.resize(&self.gpu),
            WindowEvent::HoveredFile(_) => self.hovering_file = true,
            WindowEvent::HoveredFileCancelled => self.hovering_file = false,
            WindowEvent::DroppedFile(path) => {
                self.hovering_file = false;
                self.load(path.clone());
            }
            _ => {}
        }
        if self.shell.on_window_event(event) {
            self.request_frame();
        }
    }

    /// Reads input, edits the session, draws what changed, paints the window.
    pub fn frame(&mut self) -> Next {
        let now = Instant::now();
        let elapsed = now - std::mem::replace(&mut self.last_frame, now);
        // After a rest the clip goes on from where it stood.
        self.session.advance(elapsed.min(Duration::from_millis(250)).as_secs_f32());
        self.take_loaded();
        let is_screenshot = self.pose_for_screenshot();

        let (output, commands) = self.run_ui();
        let moves = self.draw(elapsed, is_screenshot);
        let (delay, screenshot) = self.shell.paint(&self.gpu, output, is_screenshot);
        self.first_frame.get_or_insert_with(|| self.started.elapsed());
        for command in commands {
            if let Some(outcome) = self.execute(command) {
                return Next::Quit(outcome);
            }
        }
        if let Some(screenshot) = screenshot {
            return Next::Quit(self.save_screenshot(&screenshot));
        }
        self.next(now, moves, delay)
    }

    fn run_ui(&mut self) -> (egui::FullOutput, Vec<Command>) {
        let readout = self.readout();
        let loading = self.loader.status();
        let view = WindowView {
            readout: &readout,
            loading: &loading,
            recent: &self.recent.recent,
            hovering_file: self.hovering_file,
        };
        let (session, state) = (&mut self.session, &mut self.state);
        let mut commands = Vec::new();
        let output = self.shell.run(|ui| commands.extend(ui::show(ui, session, state, &view)));
        (output, commands)
    }

    /// Draws the head if anything about it changed; whether it did.
    fn draw(&mut self, elapsed: Duration, in_full: bool) -> bool {
        let size = self.state.viewport_size_px.map(|side| side.max(1));
        let shown = Shown {
            head: Arc::as_ptr(&self.session.head),
            weights: self.session.weights(),
            mode: self.session.mode,
            camera: self.session.camera,
            look: self.session.edits.look,
            size,
        };
        let moves = self.shown.as_ref() != Some(&shown) || self.state.interacting;
        let affordable = self.governor.next(moves, elapsed.as_secs_f32());
        self.quality = if in_full { Quality::FULL } else { affordable };
        self.renderer.draw(&Scene {
            head: &self.session.head,
            weights: &shown.weights,
            mode: shown.mode,
            camera: &shown.camera,
            look: &shown.look,
            size,
            quality: self.quality,
        });
        if let Some(picture) = self.renderer.image() {
            self.shell.show_picture(&self.gpu, picture, PixelRect { min: self.state.viewport_min_px, size });
        }
        self.shown = Some(shown);
        moves
    }

    fn next(&self, frame_began: Instant, moves: bool, egui_delay: Duration) -> Next {
        let pace = if self.gpu.is_software() { Self::SOFTWARE_FRAME } else { Duration::ZERO };
        let mut delay = egui_delay;
        if moves || self.session.playback.playing {
            delay = Duration::ZERO;
        } else if self.governor.owes_a_still() {
            delay = delay.min(Governor::REST);
        }
        if let Some(request) = &self.screenshot {
            delay = delay.min(request.after.min(Duration::from_millis(50)));
        }
        if delay == Duration::MAX {
            return Next::Sleep;
        }
        let delay = delay.max(pace.saturating_sub(frame_began.elapsed()));
        if delay.is_zero() { Next::Frame } else { Next::In(delay) }
    }

    fn readout(&mut self) -> Readout {
        let timing = self.renderer.timing();
        Readout {
            adapter: format!("{} · {}", self.gpu.info.name, self.gpu.info.backend),
            is_software: self.gpu.is_software(),
            frame_ms: self.governor.frame_ms(),
            blend_ms: timing.blend,
            draw_ms: timing.draw_ms,
            quality: self.quality,
            delta_bytes: self.renderer.delta_bytes(),
            error: self.error,
            unavailable: BlendMode::ALL.map(|mode| self.renderer.unavailable(mode)),
        }
    }

    fn load(&mut self, path: PathBuf) {
        let proxy = self.proxy.clone();
        self.loader.start(path, &self.gpu, move || {
            // The program may be ending; then nobody needs waking.
            let _ = proxy.send_event(Wake::Loader);
        });
        self.request_frame();
    }

    fn take_loaded(&mut self) {
        if let Some((loaded, path)) = self.loader.take() {
            self.recent.remember(&path);
            self.show_head(loaded, Source::File(path));
        }
    }

    fn show_head(&mut self, loaded: HeadOnGpu, source: Source) {
        self.session.replace_head(loaded.head().clone(), source);
        self.renderer.set_head(loaded);
        self.error = None;
        self.window.set_title(&format!("{} — Smirk", self.session.head.name));
        self.leave_unavailable_mode();
    }

    fn open_embedded(&mut self) -> Result<(), ImportError> {
        let head = import::embedded()?;
        let layout = Arc::new(Layout::new(&head));
        self.loader.cancel();
        self.show_head(HeadOnGpu::new(&self.gpu, Arc::new(head), layout), Source::Embedded);
        Ok(())
    }

    fn measure_error(&mut self) -> Option<ErrorReading> {
        let (weights, mode) = (self.session.weights(), self.session.mode);
        let morphed = self.renderer.blender_mut()?.read_back(&self.gpu, &weights, mode);
        let deviation = blend::compare(&self.session.head, &weights, &morphed);
        Some(ErrorReading {
            mode,
            max_distance: deviation.max_distance,
            max_normal_degrees: deviation.max_normal_degrees,
            head_size: deviation.head_size,
        })
    }

    /// A head can be too large for a mode of this adapter; the processor can always blend it.
    fn leave_unavailable_mode(&mut self) {
        if self.renderer.unavailable(self.session.mode).is_some() {
            let usable = |mode: &BlendMode| self.renderer.unavailable(*mode).is_none();
            self.session.mode = [BlendMode::Compute].into_iter().find(usable).unwrap_or(BlendMode::Cpu);
        }
    }

    /// Does what a command asks for; an outcome ends the program.
    fn execute(&mut self, command: Command) -> Option<anyhow::Result<()>> {
        match command {
            Command::OpenDialog => self.open_dialog(),
            Command::Open(path) => self.load(path),
            Command::OpenEmbedded => {
                if let Err(error) = self.open_embedded() {
                    self.tell("Bundled head", error.to_string());
                }
            }
            Command::CancelLoad => self.loader.cancel(),
            Command::DismissFailure => self.loader.dismiss_failure(),
            Command::ClearRecent => self.recent.recent.clear(),
            Command::MeasureError => self.error = self.measure_error(),
            Command::Quit => return Some(Ok(())),
        }
        self.request_frame();
        None
    }

    fn open_dialog(&self) {
        let folder = match &self.session.source {
            Source::File(path) => path.parent().map(Path::to_owned),
            Source::Embedded => None,
        };
        let mut dialog = rfd::AsyncFileDialog::new()
            .set_title("Open a head")
            .set_parent(&*self.window)
            .add_filter("Heads", &["glb", "gltf", "vrm"])
            .add_filter("All files", &["*"]);
        if let Some(folder) = folder {
            dialog = dialog.set_directory(folder);
        }
        let asked = Instant::now();
        let answer = dialog.pick_file();
        let proxy = self.proxy.clone();
        std::thread::spawn(move || {
            let picked = match pollster::block_on(answer) {
                Some(file) => Picked::File(file.path().to_owned()),
                // No hand closes a dialog this fast: there was none.
                None if asked.elapsed() < Duration::from_millis(150) => Picked::NoDialog,
                None => Picked::Cancelled,
            };
            let _ = proxy.send_event(Wake::Picked(picked));
        });
    }

    /// Once a screenshot is due, puts the play head where it stands after just that time: the same picture on every machine.
    fn pose_for_screenshot(&mut self) -> bool {
        let Some(request) = &mut self.screenshot else { return false };
        if self.loader.is_busy() {
            return false;
        }
        let is_due = request.settled.get_or_insert_with(Instant::now).elapsed() >= request.after;
        if is_due {
            self.session.playback.time_secs = 0.0;
            self.session.advance(request.after.as_secs_f32());
        }
        is_due
    }

    fn save_screenshot(&mut self, screenshot: &RgbaImage) -> anyhow::Result<()> {
        let Some(request) = self.screenshot.take() else { return Ok(()) };
        save_png(&request.path, screenshot)?;
        let (path, adapter) = (request.path.display(), &self.gpu.info.name);
        let (width, height) = screenshot.dimensions();
        let first = self.first_frame.unwrap_or_default().as_secs_f32();
        eprintln!("smirk: wrote {path}, {width}×{height}; first frame after {first:.2} s on {adapter}");
        match self.loader.status() {
            Loading::Failed { name, message } => Err(anyhow!("{name}: {message}")),
            Loading::Idle | Loading::Busy { .. } => Ok(()),
        }
    }
}
