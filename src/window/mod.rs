//! The program with a window.
//!
//! - [`Viewer`](viewer::Viewer) is everything behind the window. Once per frame it reads input, runs the panels, draws
//!   the head and executes the panels' commands. `viewer` also has what is done with files that were loaded and with
//!   unsaved work.
//! - `egui_window`: egui in the window: events in, painted frames out.
//! - `viewport`: the graphics device and the renderer of the head, the governor of the picture's quality, the choice of
//!   a blend mode, and recovery from a lost device.
//! - `jobs`: work on other threads, or one step per frame: what is derived from the head, measurements, thumbnails and
//!   contact sheets, exports, file dialogs.
//! - `services`: what goes on beside the frames: sound and live capture.
//! - `file_queue`: files still to be opened. `hot_reload`: watches the files of the head. `notices`: messages to the
//!   artist.
//! - `event_loop`, `event`, `frame_schedule`: winit's event loop, when the next frame is due, and which frames wait for
//!   a file.
//! - `display_server`, `abnormal_end`: the display server, and ends of the program at which the window is not closed in
//!   order.
//! - `settings`: what is remembered between runs. `screenshot`: the image of the window that the command line requests.

mod abnormal_end;
mod display_server;
mod egui_window;
mod event;
mod event_loop;
mod file_queue;
mod frame_schedule;
mod hot_reload;
mod jobs;
mod notices;
mod screenshot;
mod services;
mod settings;
mod viewer;
mod viewport;

pub use egui_window::{Contents, Placed, WindowPainter};
pub use event_loop::run;
pub use settings::settings_text;
