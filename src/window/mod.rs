//! The program with a window: the event loop, when a frame is due and how finely it is drawn, file dialogs, settings,
//! screenshots, jobs beside the window, and a lost graphics device.

mod device_loss;
mod dialogs;
mod drawing;
mod event;
mod event_loop;
mod file_dialog;
mod files;
mod first_size;
mod frame_schedule;
mod governor;
mod lint_job;
mod modes;
mod opening;
mod pictures;
mod queue;
mod screenshot;
mod settings;
mod shapes;
mod take_screenshot;
mod viewer;

pub use event_loop::run;
