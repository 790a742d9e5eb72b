//! The program with a window.
//!
//! - [`Viewer`](viewer::Viewer) is everything behind the window. Once per frame it reads input, runs the panels, draws the head
//!   and executes the panels' commands (`commands`).
//! - `egui_window`: egui in the window: events in, painted frames out.
//! - `viewport`: the graphics device and the renderer of the head, the governor of the picture's quality, the choice of a blend
//!   mode, and recovery from a lost device.
//! - `jobs`: work on other threads, or one step per frame: lint, measurements, thumbnails and contact sheets, file dialogs.
//! - `live`: the receiver of live faces, what is done with every frame when it arrives, and recordings.
//! - `files`: files still to be opened, and what is done with those that are loaded. `notices`: messages to the artist.
//! - `event_loop`, `event`, `frame_schedule`, `hold`: winit's event loop, when the next frame is due, and which frames wait for a file.
//! - `process`: the display server, and ends of the program at which the window is not closed in order.
//! - `settings`: what is remembered between runs. `screenshot`: the image of the window that the command line requests.
//! - `state_file`: what the window shows, written for the tests that drive it.

mod closing;
mod commands;
mod egui_window;
mod event;
mod event_loop;
mod files;
mod frame_schedule;
mod hold;
mod jobs;
mod live;
mod log_file;
mod notices;
mod opening;
mod process;
mod screenshot;
mod settings;
mod state_file;
mod viewer;
mod viewport;
mod window_size;

pub use event_loop::run;
pub use settings::settings_text;
