//! Reads the command line, starts the log, runs the window or a command, and prints an error as one line.

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;
use rayon::ThreadPoolBuilder;
use smirk::cli::Cli;
use smirk::cli::exit::{WRONG_USAGE, exit_code};
use smirk_base::job::NoThread;
use smirk_base::names::printable;
use smirk_base::{atomic_file, folders, inputs, interrupt, logging, regular_file};
use smirk_face::head::add_dialects;

/// Returns the memory of a closed head to the system. The allocator of glibc keeps most of it in the arenas of the
/// threads that loaded the head, so that a window in which many heads are opened one after the other would grow.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    use_small_pages();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version are no errors: they go to standard output. A reader that closes it early is none either.
        Err(answer) if !answer.use_stderr() => {
            return match answer.print().and_then(|()| std::io::stdout().flush()) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                    logging::print(&error.to_string());
                    ExitCode::FAILURE
                }
                _ => ExitCode::SUCCESS,
            };
        }
        Err(error) => {
            let text = error.to_string();
            let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
            let what: Vec<_> = lines.flat_map(|line| line.split(' ')).map(printable).collect();
            logging::print(&format!("{} (see smirk --help)", what.join(" ").trim_start_matches("error: ")));
            return ExitCode::from(WRONG_USAGE);
        }
    };
    if cli.command.is_some() {
        silence_wayland_probe();
        inputs::remember();
        logging::start(None);
    } else {
        logging::start(logging::default_path().as_deref());
    }
    add_own_dialects();
    interrupt::start();
    let outcome = match &cli.command {
        _ if ThreadPoolBuilder::new().build_global().is_err() => Err(NoThread.into()),
        Some(command) => command.run(),
        None => smirk::window::run(cli.viewer).map(|()| ExitCode::SUCCESS),
    };
    let code = match outcome {
        Ok(code) => code,
        Err(error) => {
            let message = format!("{error:#}");
            logging::error_to_file(&message);
            logging::print(&message);
            exit_code(&error)
        }
    };
    // Other programs that were started, such as an ffmpeg that does not answer, end with this one.
    atomic_file::remove_temporaries();
    interrupt::end_if_received();
    code
}

/// Names of movements that the artist has added: `dialects.csv` in the folder of the settings.
fn add_own_dialects() {
    const MOST_BYTES: u64 = 1 << 22;
    let Some(path) = folders::settings().map(|folder| folder.join("dialects.csv")).filter(|path| path.exists()) else {
        return;
    };
    let problems = match regular_file::read(&path, MOST_BYTES).map(String::from_utf8) {
        Ok(Ok(text)) => add_dialects(text),
        Ok(Err(error)) => vec![error.to_string()],
        Err(error) => vec![error.to_string()],
    };
    for problem in problems {
        let message = format!("{}: {problem}", path.display());
        logging::error_to_file(&message);
        logging::print(&message);
    }
}

/// The allocator asks Linux for pages of 2 MiB, which most systems grant, and clear whole when the first byte of one is
/// used. Most of their memory is never used: with pages of 4 KiB the first frame came a tenth earlier, and a small head
/// took half of the memory. Programs that this one starts inherit the setting.
#[cfg(target_os = "linux")]
fn use_small_pages() {
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(true) {
        // The program only starts more slowly.
        log::debug!("pages of 2 MiB stay: {error}");
    }
}

#[cfg(not(target_os = "linux"))]
fn use_small_pages() {}

/// Keeps `error: XDG_RUNTIME_DIR is invalid or not set in the environment` off the terminal of commands that open no
/// window.
///
/// Mesa's Vulkan layer for device selection connects to the Wayland display whenever adapters are listed. libwayland
/// prints that line if the variable is not set, as in containers and over SSH. With a path under which there can be no
/// socket, the connection still fails, but nothing is printed.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the environment of the process can be changed in no safe way")]
fn silence_wayland_probe() {
    const NAME: &str = "XDG_RUNTIME_DIR";
    if std::env::var_os(NAME).is_none_or(|folder| !std::path::Path::new(&folder).is_absolute()) {
        // SAFETY: no other thread reads the environment meanwhile, for `main` calls this before anything starts one.
        unsafe { std::env::set_var(NAME, "/dev/null") };
    }
}

#[cfg(not(target_os = "linux"))]
fn silence_wayland_probe() {}
