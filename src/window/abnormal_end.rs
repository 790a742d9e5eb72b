//! The ends of the program at which the window is not closed in order: a panic; a display server that is gone, at which
//! Xlib calls `exit`; and a signal while the window's thread hangs. Unsaved work is written all the same.

use std::cell::Cell;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread::ThreadId;

use super::display_server;
use smirk_base::logging;
use smirk_editor::document::Rescue;

pub(in crate::window) const DISPLAY_LOST: &str = "The connection to the display server is lost";

static WATCHED: Mutex<Option<(Rescue, ThreadId)>> = Mutex::new(None);
static IS_CLOSED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The watched window, from [`watch`] to [`unwatch`]. It exists on the window's thread only.
    static EXIT_GUARD: Cell<Option<ExitGuard>> = const { Cell::new(None) };
}

/// Dropped with the variables of the window's thread: when that thread calls `exit`, as Xlib does when the connection
/// to the display is lost. Then it ends the program.
struct ExitGuard {
    end: fn(),
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        if watched().is_some() {
            report(DISPLAY_LOST);
            (self.end)();
        }
    }
}

/// From now on, the unsaved work of the window on this thread is written however the program ends. If the thread calls
/// `exit`, `end` is called once that is done.
pub(in crate::window) fn watch(rescue: Rescue, end: fn()) {
    static HOOK: Once = Once::new();
    HOOK.call_once(write_on_panic);
    *WATCHED.lock().unwrap_or_else(PoisonError::into_inner) = Some((rescue, std::thread::current().id()));
    EXIT_GUARD.set(Some(ExitGuard { end }));
}

pub(in crate::window) fn unwatch() {
    IS_CLOSED.store(true, Ordering::Release);
    *WATCHED.lock().unwrap_or_else(PoisonError::into_inner) = None;
    // `unwatch` may run while the thread's variables are being dropped.
    EXIT_GUARD.try_with(|guard| guard.set(None)).ok();
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

pub(in crate::window) fn say(message: &str) {
    logging::error_to_file(message);
    logging::print(message);
}

pub(in crate::window) fn is_closed() -> bool {
    IS_CLOSED.load(Ordering::Acquire)
}

fn watched() -> Option<(Rescue, ThreadId)> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

fn write() -> Option<io::Result<PathBuf>> {
    watched()?.0.write()
}

/// Writes the work at every panic before anything is unwound, since a second panic on the way would end the program at
/// once. A panic in a job does not end the program; the work that is written then is what autosave would write soon.
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

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    use super::*;
    use smirk_base::job::{Job, OnDrop};
    use smirk_editor::document::{Document, RecoveryFolder};
    use smirk_scene::{BlendMode, Look};
    use smirk_session::{HeadSource, Session};

    static ENDS: AtomicBool = AtomicBool::new(false);

    /// One test for all three ends, since a program has one panic hook and one window.
    #[test]
    fn a_panic_on_any_thread_writes_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let files = || std::fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.path());
        let is_written = || files().any(|path| path.extension().is_some_and(|is| is == "json"));
        let delete = || files().for_each(|path| std::fs::remove_file(path).unwrap());
        let window = || {
            let recovery = RecoveryFolder::open(folder.path().to_owned()).0;
            let head = Arc::new(smirk_files::import::embedded().unwrap());
            let session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
            let mut document = Document::new(session, Some(recovery));
            document.session.edits.look.gloss += 0.25;
            document.update(std::time::Instant::now());
            watch(document.rescue().unwrap(), || ENDS.store(true, Ordering::Release));
            document
        };

        let document = window();
        assert!(catch_unwind(AssertUnwindSafe(|| panic!("on purpose"))).is_err());
        assert!(is_written(), "by a panic of the window's thread");
        delete();
        let job: Job<()> = Job::spawn("test", OnDrop::Join, || {}, |_| panic!("on purpose"));
        assert!(job.wait().is_err() && is_written(), "by a panic in a job");
        drop(document);
        delete();
        assert!(!ENDS.load(Ordering::Acquire));

        // A thread that ends is what `exit` is for the window's thread: its variables are dropped.
        std::thread::scope(|scope| scope.spawn(|| drop(window())).join()).unwrap();
        assert!(is_written() && ENDS.load(Ordering::Acquire), "by the end of the window's thread");
        assert!(watched().is_none());
    }
}
