//! winit's event loop: passes events to the viewer, and sleeps until the next frame is due.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::anyhow;
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

use super::abnormal_end::{self, DISPLAY_LOST};
use super::display_server;
use super::event::{Event, EventSender};
use super::screenshot::Screenshot;
use super::settings::Settings;
use super::viewer::{BundledHead, Closing, Next, Viewer};
use crate::cli::{ViewerArgs, check_output};
use smirk_base::derived::Derived;
use smirk_base::job::{Job, OnDrop};
use smirk_base::{file_kind, interrupt};

const NO_WINDOW: &str = "no window can be opened. With a screen: on Debian or Ubuntu, `apt install libx11-6 libx11-xcb1 libxcursor1 \
     libxi6 libxrandr2 libxkbcommon-x11-0 libwayland-client0`. Without one: `./dev run` draws on a display in memory, and \
     `smirk render` and `smirk inspect` need none";

pub fn run(args: ViewerArgs) -> anyhow::Result<()> {
    let started = Instant::now();
    if let Some(screenshot) = Screenshot::requested(&args) {
        check_output(&screenshot.output, &[&file_kind::PNG])?;
    }
    let bundled_head = BundledHead::read();
    let event_loop = display_server::event_loop::<Event>()
        .map_err(|error| anyhow!("{NO_WINDOW}: {}", display_server::error_text(&error)))?;
    let settings_path = Settings::default_path();
    let (settings, settings_problem) = settings_path.as_deref().map(Settings::load).unwrap_or_default();
    if let Some(problem) = &settings_problem {
        log::warn!("{problem}");
    }
    let events = EventSender(event_loop.create_proxy());
    let mut app = App {
        args,
        started,
        opens_with: Some((settings, bundled_head)),
        kept_settings: Derived::default(),
        settings_path,
        settings_problem,
        is_unkept_reported: false,
        events,
        viewer: None,
        outcome: Ok(()),
        kept_in: None,
    };
    let ended = catch_unwind(AssertUnwindSafe(|| event_loop.run_app(&mut app)));
    match ended {
        Ok(outcome) => {
            outcome.map_err(|error| {
                let cause = format!("{DISPLAY_LOST} ({})", display_server::error_text(&error));
                anyhow!(abnormal_end::with_kept(&cause, app.kept_in.as_deref()))
            })?;
            app.outcome
        }
        Err(panic) => {
            let fault = "Smirk stopped unexpectedly, which is a fault in Smirk";
            abnormal_end::report(if display_server::is_gone() { DISPLAY_LOST } else { fault });
            resume_unwind(panic)
        }
    }
}

/// The program, from before its window opens until after it closes.
struct App {
    args: ViewerArgs,
    started: Instant,
    /// Until the window opens.
    opens_with: Option<(Settings, BundledHead)>,
    /// The settings that the file has, and those that are being written into it.
    kept_settings: Derived<Settings, ()>,
    settings_path: Option<PathBuf>,
    /// Why the settings could not be read, until a notice shows it.
    settings_problem: Option<String>,
    /// It was reported that the settings cannot be written, and they have not been since.
    is_unkept_reported: bool,
    events: EventSender,
    viewer: Option<Viewer>,
    outcome: anyhow::Result<()>,
    /// The file that unsaved work was written into at the end.
    kept_in: Option<PathBuf>,
}

impl App {
    fn exit(&mut self, event_loop: &ActiveEventLoop, outcome: anyhow::Result<()>) {
        self.outcome = outcome;
        event_loop.exit();
    }

    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let Some(viewer) = &mut self.viewer else { return };
        match viewer.frame() {
            Next::Sleep => {
                event_loop.set_control_flow(ControlFlow::Wait);
                // Saved whenever the program goes idle, so that a program that is killed loses nothing.
                self.keep_settings();
            }
            Next::Frame => viewer.request_frame(),
            Next::In(delay) => event_loop.set_control_flow(ControlFlow::wait_duration(delay)),
            Next::Exit(outcome) => self.exit(event_loop, outcome),
        }
    }

    fn request_close(&mut self, event_loop: &ActiveEventLoop) {
        // What the artist did since the last frame counts too: its events are handled in a frame. A hidden window has
        // no such events, and drawing to it may block.
        if self.viewer.as_ref().is_some_and(|viewer| !viewer.is_hidden()) {
            self.frame(event_loop);
        }
        if let Some(viewer) = &mut self.viewer {
            viewer.request_close();
        }
        self.exit_if_closing(event_loop);
    }

    fn exit_if_closing(&mut self, event_loop: &ActiveEventLoop) {
        if self.viewer.as_ref().is_some_and(|viewer| viewer.closing == Closing::Now) && !event_loop.exiting() {
            self.exit(event_loop, Ok(()));
        }
    }

    /// Writes the settings if they have changed, on a thread: a disk, or a home folder on a network, may take seconds.
    fn keep_settings(&mut self) {
        let (Some(viewer), Some(path)) = (&mut self.viewer, &self.settings_path) else { return };
        let has_ended = self.kept_settings.follow_latest(viewer.settings(), |settings| {
            let (settings, path) = (settings.clone(), path.clone());
            Job::spawn("settings", OnDrop::Join, self.events.job_notifier(), move |_| Ok(settings.save(&path)?))
        });
        if !has_ended {
            return;
        }
        let Some(Err(error)) = self.kept_settings.latest() else {
            self.is_unkept_reported = false;
            return;
        };
        if !std::mem::replace(&mut self.is_unkept_reported, true) {
            let problem = unkept(path, error);
            if self.args.screenshot.is_none() {
                viewer.report_failure("Settings are not kept", problem);
            }
        }
        if !self.kept_settings.is_busy() {
            // They are tried again when the window comes to rest the next time.
            self.kept_settings.forget();
        }
    }

    /// Writes the settings before the program ends, unless that is done.
    fn keep_last_settings(&mut self) {
        let (Some(viewer), Some(path)) = (&mut self.viewer, &self.settings_path) else { return };
        let settings = viewer.settings();
        let is_kept = !self.kept_settings.is_busy() && self.kept_settings.output(&settings).is_some();
        // Waits for a write under way.
        self.kept_settings.forget();
        if !is_kept && let Err(error) = settings.save(path) {
            unkept(path, &error.into());
        }
    }
}

/// Logs why the settings could not be written, and says it.
fn unkept(path: &Path, error: &anyhow::Error) -> String {
    let problem = format!("{} cannot be written: {error:#}", path.display());
    log::warn!("settings {problem}");
    problem
}

impl ApplicationHandler<Event> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some((settings, bundled_head)) = self.opens_with.take() else { return };
        let (started, events) = (self.started, self.events.clone());
        match Viewer::open(event_loop, &self.args, &settings, started, events, bundled_head) {
            Ok(mut viewer) => {
                self.kept_settings.set(settings, ());
                if let Some(problem) = self.settings_problem.take() {
                    viewer.fail("Settings were reset", problem);
                }
                if let Some(rescue) = viewer.document.rescue() {
                    // While `exit` takes a graphics driver down, its threads go on and may crash.
                    abnormal_end::watch(rescue, || interrupt::exit_at_once(1));
                }
                self.events.forward_signals();
                viewer.request_frame();
                self.viewer = Some(viewer);
            }
            Err(error) => self.exit(event_loop, Err(error)),
        }
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if let (StartCause::ResumeTimeReached { .. }, Some(viewer)) = (cause, &mut self.viewer) {
            let delay = viewer.keep_work(Instant::now());
            event_loop.set_control_flow(delay.map_or(ControlFlow::Wait, ControlFlow::wait_duration));
            viewer.request_frame();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: Event) {
        if matches!(event, Event::Interrupted) {
            event_loop.exit();
        } else if let Some(viewer) = &mut self.viewer {
            viewer.on_event(event);
        }
        self.exit_if_closing(event_loop);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::RedrawRequested => self.frame(event_loop),
            WindowEvent::CloseRequested => self.request_close(event_loop),
            event => {
                if let Some(viewer) = &mut self.viewer {
                    viewer.on_window_event(&event);
                }
                if matches!(event, WindowEvent::Focused(false)) {
                    self.keep_settings();
                }
            }
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        // First, since the window system may be gone, at which the calls of the other lines end the program.
        if let Some(viewer) = &mut self.viewer {
            viewer.end();
        }
        self.kept_in = self.viewer.as_ref().and_then(|viewer| viewer.document.kept_in());
        // Before the viewer is dropped: that waits for the graphics driver, and a program that is asked to end has
        // little time.
        if let Some(signal) = interrupt::received() {
            abnormal_end::say(&abnormal_end::with_kept(&format!("Ended by {signal}"), self.kept_in.as_deref()));
        }
        abnormal_end::unwatch();
        self.keep_last_settings();
        // The surface must be dropped before the display connection it was made from. This also joins all jobs.
        self.viewer = None;
    }
}
