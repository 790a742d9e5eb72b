//! The signals that ask the program to end: SIGINT (Ctrl+C), SIGTERM (for example when the system shuts down), SIGHUP
//! (when the terminal is closed) and SIGXCPU (when the processor time that the process may take is used up). A thread
//! waits for them, since almost nothing may be called where a signal arrives.
//!
//! A command ends at once, without its temporary files. The window is asked to close, which writes unsaved work. If it
//! does not close in time, or at a second Ctrl+C, the thread writes what was unsaved after the last frame, and ends the
//! program. Either way the program ends by the signal, so that a shell sees 128 plus its number.
//!
//! Windows has no such signals; there, a console that is closed ends the program as a crash would.

#[cfg(unix)]
pub use unix::{end_if_received, exit_at_once, start};
#[cfg(unix)]
pub use unix::{received, set_window};

#[cfg(unix)]
mod unix {
    use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::{Duration, Instant};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::{flag, low_level};

    use crate::{atomic_file, logging};

    /// How long the window may take to close. A desktop that shuts down kills programs after 5 s at the earliest.
    const PATIENCE: Duration = Duration::from_secs(2);

    struct Window {
        ask_to_close: Box<dyn Fn() + Send>,
        write_unsaved_work: Box<dyn Fn() + Send>,
    }

    static WINDOW: Mutex<Option<Window>> = Mutex::new(None);
    static RECEIVED: AtomicI32 = AtomicI32::new(0);

    /// Ends the program without anything else that `exit` does, such as taking down the libraries that other threads
    /// use.
    pub fn exit_at_once(code: i32) -> ! {
        low_level::exit(code)
    }

    /// Begins to wait for the signals. Those that the program was told to ignore, as `nohup` does, stay ignored.
    pub fn start() {
        // A file that is larger than the system allows is then an error of the write, and its temporary file is
        // removed.
        if let Err(error) = flag::register(SIGXFSZ, Arc::default()) {
            log::warn!("a limit on the size of files ends the program without a word: {error}");
        }
        let ignored = std::fs::read_to_string("/proc/self/status").map_or(0, |status| ignored(&status));
        let handled = [SIGINT, SIGTERM, SIGHUP, SIGXCPU].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let handled: Vec<_> = handled.collect();
        let ends_at_once = Arc::new(AtomicBool::new(false));
        let registered = handled
            .iter()
            .try_for_each(|&signal| flag::register_conditional_default(signal, ends_at_once.clone()).map(drop));
        let signals = registered.and_then(|()| Signals::new(&handled));
        let started = signals.and_then(|signals| {
            std::thread::Builder::new().name("signals".into()).spawn(move || wait(signals, &ends_at_once))
        });
        if let Err(error) = started {
            log::warn!("signals end the program without a word: {error}");
        }
    }

    /// The signals that are ignored, one bit each, from the text of `/proc/self/status`.
    fn ignored(status: &str) -> u64 {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }

    /// From now on, signals close a window. Both functions are called on another thread: the second one if the window
    /// has not closed in time after the first.
    pub fn set_window(ask_to_close: impl Fn() + Send + 'static, write_unsaved_work: impl Fn() + Send + 'static) {
        let window = Window { ask_to_close: Box::new(ask_to_close), write_unsaved_work: Box::new(write_unsaved_work) };
        *WINDOW.lock().unwrap_or_else(PoisonError::into_inner) = Some(window);
    }

    /// The name of the signal that ends the program, if there was one.
    pub fn received() -> Option<&'static str> {
        low_level::signal_name(RECEIVED.load(Ordering::Acquire))
    }

    /// Ends the program by the signal that it was asked to end by, if there was one.
    pub fn end_if_received() {
        let signal = RECEIVED.load(Ordering::Acquire);
        if signal != 0 {
            end(signal);
        }
    }

    fn wait(mut signals: Signals, ends_at_once: &AtomicBool) {
        let Some(signal) = signals.forever().next() else { return };
        RECEIVED.store(signal, Ordering::Release);
        if signal == SIGXCPU {
            logging::print("this took all the processor time that the process may have (ulimit -t)");
        }
        let window = WINDOW.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(window) = window {
            log::info!("{} received; the window closes", low_level::signal_name(signal).unwrap_or("a signal"));
            (window.ask_to_close)();
            let deadline = Instant::now() + PATIENCE;
            while Instant::now() < deadline && !signals.pending().any(|next| next == SIGINT) {
                std::thread::sleep(Duration::from_millis(20));
            }
            // If the disk does not answer either, the next signal ends the program.
            ends_at_once.store(true, Ordering::Release);
            (window.write_unsaved_work)();
        }
        end(signal);
    }

    fn end(signal: i32) {
        atomic_file::remove_temporaries();
        if let Err(error) = low_level::emulate_default_handler(signal) {
            logging::print(&format!("signal {signal} does not end the program: {error}"));
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_ignored_signals_are_read_from_the_status_of_the_process() {
            let status = "Name:\tsmirk\nSigIgn:\t0000000000001001\nSigCgt:\t0000000000000440\n";
            let ignored = ignored(status);
            assert_eq!([SIGHUP, SIGINT, 13].map(|signal| ignored >> (signal - 1) & 1), [1, 0, 1]);
            assert_eq!(super::ignored("Name:\tsmirk\n"), 0);
        }
    }
}

/// Does nothing: there are no such signals.
#[cfg(not(unix))]
pub fn start() {}

#[cfg(not(unix))]
pub fn exit_at_once(code: i32) -> ! {
    std::process::exit(code)
}

/// Does nothing: there are no such signals.
#[cfg(not(unix))]
pub fn end_if_received() {}

#[cfg(not(unix))]
pub fn received() -> Option<&'static str> {
    None
}

#[cfg(not(unix))]
pub fn set_window(_ask_to_close: impl Fn() + Send + 'static, _write_unsaved_work: impl Fn() + Send + 'static) {}
