//! The open window: session, renderer and egui, brought together once a frame.

use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::event::WindowEvent;
use winit::event_loop::EventLoopProxy;
use winit::window::Window;

use super::device_loss::Losses;
use super::event::Event;
use super::frame_schedule::{FrameSchedule, Next};
use super::governor::Governor;
use super::lint_job::LintJob;
use super::pictures::Pictures;
use super::queue::Queue;
use super::screenshot::Screenshot;
use super::settings::Settings;
use crate::bench;
use crate::blend::BlendMode;
use crate::document::{Document, Loader, Notice};
use crate::gpu::{Gpu, Trouble};
use crate::motion::TimeStep;
use crate::render::Renderer;
use crate::scene::Quality;
use crate::session::Command;
use crate::ui::shell::Shell;
use crate::ui::{self, UiState, WindowView};
use crate::ui::{ErrorReading, Readout};

/// Everything behind one window.
pub struct Viewer {
    pub(super) window: Arc<Window>,
    pub(super) gpu: Gpu,
    pub(super) shell: Shell,
    pub(super) renderer: Renderer,
    pub(super) state: UiState,
    pub(super) document: Document,
    pub(super) loader: Loader,
    /// Dropped on the window or named on the command line, still to be opened.
    pub(super) queue: Queue,
    pub(super) governor: Governor,
    pub(super) quality: Quality,
    /// Whether the last frame drew the head anew.
    pub(super) drew: bool,
    /// What was drawn last found no room.
    pub(super) picture_is_broken: bool,
    /// The head is new: it is framed as soon as the viewport's shape is known.
    pub(super) wants_framing: bool,
    pub(super) error: Option<ErrorReading>,
    /// Something to say that no load is about.
    pub(super) notice: Option<Notice>,
    /// The window's title, as it was last set.
    pub(super) title: String,
    /// As read at the start, with recent files and mode kept up to date.
    pub(super) remembered: Settings,
    pub(super) pictures: Pictures,
    pub(super) review: LintJob,
    pub(super) bench: bench::Worker,
    /// The answer to which mode suits the adapter, while it is awaited.
    pub(super) suited: Option<crate::job::Job<bench::SuitedMode>>,
    /// The mode the project is kept in.
    pub(super) kept_mode: Option<BlendMode>,
    pub(super) hovering_file: bool,
    pub(super) is_occluded: bool,
    pub(super) screenshot: Option<Screenshot>,
    pub(super) started: Instant,
    pub(super) first_frame: Option<Duration>,
    pub(super) last_frame: Instant,
    pub(super) losses: Losses,
    pub(super) proxy: EventLoopProxy<Event>,
}

impl Viewer {
    /// Notifies the event loop, from any thread, that a job has progressed or ended.
    pub(super) fn notifier(&self) -> impl Fn() + Send + 'static {
        let proxy = self.proxy.clone();
        move || {
            // The program may be ending; then no frame is needed.
            let _ = proxy.send_event(Event::Job);
        }
    }

    /// Asks for a frame.
    pub fn request_frame(&self) {
        self.window.request_redraw();
    }

    /// Shows a message about a mishap that stays until it is dismissed.
    pub fn tell(&mut self, title: &str, message: String) {
        self.notice = Some(Notice::Failed { title: title.to_owned(), message });
        self.request_frame();
    }

    /// The same, about something that is no mishap.
    pub(super) fn mention(&mut self, title: &str, message: String) {
        self.notice = Some(Notice::Told { title: title.to_owned(), message });
        self.request_frame();
    }

    /// The program ends. Unsaved work stays for the next start.
    pub fn close(&mut self) -> std::io::Result<()> {
        self.document.close()
    }

    /// What is worth remembering.
    pub fn settings(&self) -> Settings {
        let size = self.window.inner_size().to_logical::<f32>(self.window.scale_factor());
        let maximized = self.window.is_maximized();
        Settings {
            window_size: if maximized { self.remembered.window_size } else { [size.width, size.height] },
            maximized,
            look: self.document.session.edits.look,
            panels: self.state.panels,
            aliases: self.document.session.edits.aliases.clone(),
            ..self.remembered.clone()
        }
    }

    /// News from another thread.
    pub fn on_wake(&mut self, wake: Event) {
        match wake {
            Event::Picked(question, picked) => self.on_picked(question, picked),
            Event::Graphics(trouble @ Trouble::Lost { .. }) => self.losses.now = Some(trouble),
            Event::Graphics(trouble) => self.tell_of_picture(&trouble),
            _ => {}
        }
        self.request_frame();
    }

    /// An event of the window, but for close and redraw.
    pub fn on_window_event(&mut self, event: &WindowEvent) {
        match event {
            WindowEvent::Resized(_) | WindowEvent::ScaleFactorChanged { .. } => self.shell.resize(&self.gpu),
            WindowEvent::Occluded(is_occluded) => self.is_occluded = *is_occluded,
            WindowEvent::HoveredFile(_) => self.hovering_file = true,
            WindowEvent::HoveredFileCancelled => self.hovering_file = false,
            WindowEvent::DroppedFile(path) => {
                self.hovering_file = false;
                // Files dropped together come one after the other; what was under way gives way to them, and so does
                // whatever is said or asked of the head they take the place of.
                if self.queue.is_empty() {
                    self.loader.clear();
                    self.notice = None;
                }
                self.queue.push(path.clone());
                self.request_frame();
            }
            _ => {}
        }
        if self.shell.on_window_event(event) {
            self.request_frame();
        }
    }

    /// Reads input, edits the session, draws what changed, paints the window. When the next one is due, or how the program ends.
    pub fn frame(&mut self) -> Result<Next, anyhow::Result<()>> {
        let began = Instant::now();
        let elapsed = began - std::mem::replace(&mut self.last_frame, began);
        self.document.session.advance(TimeStep::of_frame(elapsed));
        self.take_loaded();
        self.revive(began).map_err(Err)?;
        self.take_suited_mode();
        let notify = self.notifier();
        self.review.follow(&self.document.session.head, notify);
        let is_screenshot = self.pose_for_screenshot();

        let (output, commands) = self.run_ui();
        let moves = self.draw(elapsed, is_screenshot);
        let (egui_delay, screenshot) = self.shell.paint(&self.gpu, output, is_screenshot);
        self.first_frame.get_or_insert_with(|| self.started.elapsed());
        self.work_on_pictures();
        for command in commands {
            if command == Command::Quit {
                return Err(Ok(()));
            }
            self.execute(command);
        }
        if let Some(problem) = self.document.update(began) {
            self.tell("Autosave failed", problem);
        }
        self.show_title();
        if let Some(screenshot) = screenshot {
            return Err(self.save_screenshot(&screenshot));
        }
        let rest =
            self.document.session.rest_secs().map(|secs| Duration::try_from_secs_f64(secs).unwrap_or(Duration::MAX));
        let screenshot_alarm = self.screenshot.as_ref().map(Screenshot::alarm);
        let pace = FrameSchedule {
            is_hidden: self.is_occluded || self.window.inner_size().width == 0,
            moves: moves || rest == Some(Duration::ZERO) || (self.pictures.is_busy() && !self.state.is_interacting),
            owes_a_still: self.governor.owes_a_still(),
            egui_delay,
            alarm: [screenshot_alarm, rest, self.document.next_update_in(began)].into_iter().flatten().min(),
            frame: began.elapsed(),
            is_software: self.gpu.is_software(),
        };
        Ok(pace.next())
    }

    pub(super) fn run_ui(&mut self) -> (egui::FullOutput, Vec<Command>) {
        let readout = self.readout();
        let sheet = || self.pictures.sheet().filter(|_| !self.loader.is_busy());
        let loading = self.notice.clone().or_else(sheet).unwrap_or_else(|| self.loader.status());
        let files = self.document.status();
        let view = WindowView {
            readout: &readout,
            loading: &loading,
            files: &files,
            recent: &self.remembered.recent,
            thumbnails: &self.pictures.thumbnails,
            findings: self.review.findings(),
            hovering_file: self.hovering_file,
        };
        let mode = self.document.session.mode;
        let (session, state) = (&mut self.document.session, &mut self.state);
        let mut commands = Vec::new();
        let output = self.shell.run(|ui| commands.extend(ui::show(ui, session, state, &view)));
        if self.document.session.mode != mode {
            self.note_chosen_mode();
        }
        (output, commands)
    }

    pub(super) fn readout(&mut self) -> Readout {
        let timing = self.renderer.timing();
        Readout {
            adapter: format!("{} · {}", self.gpu.info.name, self.gpu.info.backend),
            is_software: self.gpu.is_software(),
            frame_ms: self.governor.frame_ms(),
            blend_ms: timing.blend,
            draw_ms: timing.draw_ms,
            quality: self.quality,
            memory: self.renderer.memory(),
            error: self.error,
            measuring: self.bench.status(),
            unavailable_modes: BlendMode::ALL
                .into_iter()
                .filter_map(|mode| Some((mode, self.renderer.unavailable(mode)?)))
                .collect(),
        }
    }

    /// Title and mark of the window, when they change.
    pub(super) fn show_title(&mut self) {
        let title = self.document.title();
        if title != self.title {
            self.window.set_title(&title);
            self.title = title;
        }
    }

    pub(super) fn execute(&mut self, command: Command) {
        match self.execute_on_files(command) {
            Some(Command::MeasureError) => self.error = self.measure_error(),
            Some(Command::CancelSheet) => self.cancel_sheet(),
            Some(Command::MeasureModes) => self.measure_modes(),
            Some(Command::CancelMeasuring) => self.bench.cancel(),
            _ => {}
        }
        self.request_frame();
    }
}
