//! The ends of the program at which the window is not closed in order: a panic; a display server that is gone, at which Xlib calls
//! `exit`; and a signal while the window's thread hangs. Unsaved work is written all the same.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::ThreadId;

use super::display_server;
use crate::document::Rescue;
use crate::logging;

pub(in crate::window) const DISPLAY_LOST: &str = "The connection to the display server is lost";

/// The work of the window, and the window's thread.
static WATCHED: Mutex<Option<(Rescue, ThreadId)>> = Mutex::new(None);

thread_local! {
    /// On the window's thread, from [`watch`] to [`unwatch`].
    static EXIT_GUARD: Cell<Option<ExitGuard>> = const { Cell::new(None) };
}

/// Dropped with the variables of the window's thread: when that thread calls `exit`, as Xlib does when the connection to the
/// display is lost.
struct ExitGuard;

impl Drop for ExitGuard {
    fn drop(&mut self) {
        if watched().is_some() {
            report(DISPLAY_LOST);
        }
    }
}

/// From now on, the unsaved work of the window on this thread is written however the program ends.
pub(in crate::window) fn watch(rescue: Rescue) {
    static HOOK: Once = Once::new();
    HOOK.call_once(write_on_panic);
    *WATCHED.lock().unwrap_or_else(PoisonError::into_inner) = Some((rescue, std::thread::current().id()));
    EXIT_GUARD.set(Some(ExitGuard));
}

/// The window was closed in order.
pub(in crate::window) fn unwatch() {
    *WATCHED.lock().unwrap_or_else(PoisonError::into_inner) = None;
    EXIT_GUARD.set(None);
}

/// Writes the unsaved work, and says in one line why the program ends and where the work is.
pub(in crate::window) fn report(cause: &str) {
    let message = match write() {
        None => cause.to_owned(),
        Some(Ok(path)) => with_kept(cause, Some(&path)),
        Some(Err(error)) => format!("{cause}. Unsaved work is lost, because it cannot be written: {error}"),
    };
    unwatch();
    say(&message);
}

/// Why the program ends, and where the unsaved work is, if there is any.
pub(in crate::window) fn with_kept(cause: &str, kept: Option<&Path>) -> String {
    match kept {
        None => cause.to_owned(),
        Some(path) => {
            format!("{cause}. Unsaved work is kept in {} and will be offered at the next start", path.display())
        }
    }
}

/// Says it on standard error and in the log.
pub(in crate::window) fn say(message: &str) {
    logging::error_to_file(message);
    logging::print(message);
}

fn watched() -> Option<(Rescue, ThreadId)> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn write() -> Option<io::Result<PathBuf>> {
    watched()?.0.write()
}

/// Writes the work at every panic before anything is unwound, since a second panic on the way would end the program at once. A
/// panic in a job does not end the program; the work that is written then is what autosave would write soon.
fn write_on_panic() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let is_window_thread = watched().is_some_and(|(_, thread)| thread == std::thread::current().id());
        if let Some(Err(error)) = write() {
            logging::error_to_file(&format!("unsaved work cannot be kept: {error}"));
        }
        // winit panics when the X server is gone, which is no fault of Smirk. `run` says what happened.
        if is_window_thread && display_server::is_gone() {
            logging::error_to_file(&panic.to_string());
        } else {
            hook(panic);
        }
    }));
}
