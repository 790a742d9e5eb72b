//! The program's log. Warnings go to standard error; the window also writes a log file, which an artist can attach to a
//! bug report (*Help › Show log file*).
//!
//! `SMIRK_LOG`, else `RUST_LOG`, selects what is shown on standard error: a level (`debug`), or levels by the start of
//! a module's path (`warn,smirk=info,wgpu=debug`). Without either, these are Smirk's own warnings and the errors of all
//! libraries except two: the window itself shows a message if a file dialog (rfd) does not open or nothing is heard
//! (pulseaudio), and pulseaudio reports an error whenever a connection is closed, which the file leaves out too.
//!
//! This is a backend of the `log` crate of its own, because `env_logger` writes to one place with one filter. Here a
//! record goes to two places with a filter each, and its line on standard error looks like every other message of the
//! command line (`smirk: …`).

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use crate::date::{date_and_time, now_unix_secs};
use crate::folders;
use crate::names::{printable_message, quoted};
use log::{Level, LevelFilter, Log, Metadata, Record};

const TERMINAL_LEVELS: &str = "error,smirk=warn,rfd=off,pulseaudio=off";
const FILE_LEVELS: &str = "info,pulseaudio=off";

static LOGGER: OnceLock<Logger> = OnceLock::new();

/// The level of the last warning or error of each module, by the module's path.
static LAST_LEVELS: Mutex<BTreeMap<String, Level>> = Mutex::new(BTreeMap::new());

/// Starts to log to standard error, and to `file` if it is given. A log of the run before is renamed to
/// [`previous_path`].
pub fn start(file: Option<&Path>) {
    let set = ["SMIRK_LOG", "RUST_LOG"].into_iter().find_map(|name| Some((name, std::env::var(name).ok()?)));
    let (terminal, problem) = match set.map(|(name, text)| Filter::parse(&text).map_err(|word| (name, word))) {
        None => (Filter::own(TERMINAL_LEVELS), None),
        Some(Ok(filter)) => (filter, None),
        Some(Err((name, word))) => {
            let problem = format!("{word} in {name} is no level; off, error, warn, info, debug and trace are");
            (Filter::own(TERMINAL_LEVELS), Some(problem))
        }
    };
    let opened = file.map(LogFile::create);
    let (file, file_problem) = match opened {
        None => (None, None),
        Some(Ok(file)) => (Some(file), None),
        Some(Err(error)) => (None, Some(format!("no log file is written: {error}"))),
    };
    let logger = LOGGER.get_or_init(|| Logger { terminal, file });
    if log::set_logger(logger).is_err() {
        return;
    }
    log::set_max_level(logger.max_level());
    log_panics();
    for problem in problem.into_iter().chain(file_problem) {
        log::warn!("{problem}");
    }
}

/// The path of the window's log file. `None` if the user has no home folder.
pub fn default_path() -> Option<PathBuf> {
    Some(folders::state()?.join("smirk.log"))
}

pub fn path() -> Option<&'static Path> {
    LOGGER.get()?.file.as_ref().map(|file| file.path.as_path())
}

pub fn previous_path(path: &Path) -> PathBuf {
    path.with_extension("previous.log")
}

/// Writes an error to the log file only, because it is printed on standard error by other means.
pub fn error_to_file(message: &str) {
    if let Some(file) = LOGGER.get().and_then(|logger| logger.file.as_ref()) {
        file.write(Level::Error, "smirk", message);
    }
}

/// Writes a message that is no log record as a line on standard error. It is lost if standard error is closed or its
/// disk is full, where `eprintln!` would panic.
pub fn print(message: &str) {
    let _ = writeln!(io::stderr().lock(), "smirk: {}", printable_message(message));
}

/// The level of the last warning or error of a module since [`forget_last_level`]. It is known whatever the filters
/// are, once logging has started.
pub fn last_level(module: &str) -> Option<Level> {
    last_levels().get(module).copied()
}

pub fn forget_last_level(module: &str) {
    last_levels().remove(module);
}

fn last_levels() -> MutexGuard<'static, BTreeMap<String, Level>> {
    LAST_LEVELS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn log_panics() {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        error_to_file(&panic.to_string());
        default_hook(panic);
    }));
}

struct Logger {
    terminal: Filter,
    file: Option<LogFile>,
}

impl Logger {
    /// At least warnings, for [`last_level`].
    fn max_level(&self) -> LevelFilter {
        let file = self.file.as_ref().map_or(LevelFilter::Off, |file| file.filter.max_level());
        self.terminal.max_level().max(file).max(LevelFilter::Warn)
    }
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= Level::Warn
            || self.terminal.allows(metadata)
            || self.file.as_ref().is_some_and(|file| file.filter.allows(metadata))
    }

    fn log(&self, record: &Record<'_>) {
        if record.level() <= Level::Warn {
            last_levels().insert(record.target().to_owned(), record.level());
        }
        if self.terminal.allows(record.metadata()) {
            // Standard error may be closed, which must not end the program.
            let _ = writeln!(io::stderr().lock(), "{}", terminal_line(record.target(), &record.args().to_string()));
        }
        if let Some(file) = self.file.as_ref().filter(|file| file.filter.allows(record.metadata())) {
            file.write(record.level(), record.target(), &record.args().to_string());
        }
    }

    fn flush(&self) {}
}

/// A message as one line, without anything that a terminal would obey: it may hold names from files. The target of a
/// message is its module; it is shown for those of libraries.
fn terminal_line(target: &str, message: &str) -> String {
    let message = printable_message(message);
    if is_own(target) { format!("smirk: {message}") } else { format!("smirk: {target}: {message}") }
}

fn is_own(target: &str) -> bool {
    let of_crate = target.split("::").next().unwrap_or_default();
    of_crate == "smirk" || of_crate.starts_with("smirk_")
}

/// The highest level that is logged, by the start of the path of the module that logs.
#[derive(Debug, Default, PartialEq)]
struct Filter(Vec<(String, LevelFilter)>);

impl Filter {
    /// Parses `debug`, `warn,smirk=info` or `smirk::gpu`, which shows everything of that module. The error is a word
    /// that is no level.
    fn parse(text: &str) -> Result<Self, String> {
        let level = |text: &str| text.trim().parse::<LevelFilter>();
        let mut levels = Vec::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            levels.push(match part.split_once('=') {
                Some((target, text)) => (target.trim().to_owned(), level(text).map_err(|_| quoted(text))?),
                None => level(part)
                    .map_or_else(|_| (part.trim().to_owned(), LevelFilter::Trace), |level| (String::new(), level)),
            });
        }
        Ok(Self(levels))
    }

    fn own(levels: &str) -> Self {
        Self::parse(levels).unwrap_or_else(|word| unreachable!("{word} is no level"))
    }

    fn allows(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= self.level_of(metadata.target())
    }

    /// The level of the longest start of the target's path that is listed.
    fn level_of(&self, target: &str) -> LevelFilter {
        let fitting = self.0.iter().filter(|(start, _)| target.starts_with(start.as_str()));
        fitting.max_by_key(|(start, _)| start.len()).map_or(LevelFilter::Off, |&(_, level)| level)
    }

    fn max_level(&self) -> LevelFilter {
        self.0.iter().map(|&(_, level)| level).max().unwrap_or(LevelFilter::Off)
    }
}

struct LogFile {
    path: PathBuf,
    filter: Filter,
    started: Instant,
    /// The file, and how many bytes may still be written to it.
    open: Mutex<(File, usize)>,
}

impl LogFile {
    /// The file ends here, so that a message in every frame does not fill the disk.
    const MAX_BYTES: usize = 4 << 20;
    /// What it ends with if it is full.
    const LAST_LINE: &str = "The log is full; the rest of this run is not logged.\n";

    /// Creates the file. The log of the run before is kept, since after a crash it is the one that matters.
    fn create(path: &Path) -> io::Result<Self> {
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        // If there is no such file, or it cannot be renamed, the new log is written all the same.
        let _ = fs::rename(path, previous_path(path));
        let mut file = File::create(path)?;
        let first_line = format!(
            "Smirk {} on {} {}, started {} UTC; times are seconds since then\n",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            date_and_time(now_unix_secs()),
        );
        file.write_all(first_line.as_bytes())?;
        let filter = Filter::own(FILE_LEVELS);
        let bytes_left = Self::MAX_BYTES - first_line.len() - Self::LAST_LINE.len();
        Ok(Self { path: path.to_owned(), filter, started: Instant::now(), open: Mutex::new((file, bytes_left)) })
    }

    fn write(&self, level: Level, target: &str, message: &str) {
        let secs = self.started.elapsed().as_secs_f64();
        let line = format!("{secs:9.3} {level:5} {target}: {}\n", printable_message(message));
        let (file, bytes_left) = &mut *self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = *bytes_left == 0;
        *bytes_left = bytes_left.saturating_sub(line.len());
        // A full disk must not stop the program.
        let _ = match (is_full, *bytes_left) {
            (true, _) => Ok(()),
            (false, 0) => file.write_all(Self::LAST_LINE.as_bytes()),
            (false, _) => file.write_all(line.as_bytes()),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_parsed_with_and_without_targets() {
        let level = |text: &str, target: &str| Filter::parse(text).unwrap().level_of(target);
        assert_eq!(level("debug", "wgpu_core::device"), LevelFilter::Debug);
        assert_eq!(level("warn, smirk=info ,wgpu=off", "smirk::gpu"), LevelFilter::Info);
        assert_eq!(level("warn, smirk=info ,wgpu=off", "wgpu_hal::vulkan"), LevelFilter::Off);
        assert_eq!(level("warn, smirk=info ,wgpu=off", "winit"), LevelFilter::Warn);
        assert_eq!(
            level("smirk=trace,smirk::gpu=error", "smirk::gpu::transfer"),
            LevelFilter::Error,
            "the longest start"
        );
        assert_eq!(level("smirk::ui", "smirk::ui"), LevelFilter::Trace);
        assert_eq!(level("smirk::ui", "smirk::gpu"), LevelFilter::Off);
        assert_eq!(level(TERMINAL_LEVELS, "smirk::window"), LevelFilter::Warn);
        assert_eq!(level(TERMINAL_LEVELS, "wgpu_hal"), LevelFilter::Error);
        assert_eq!(level(FILE_LEVELS, "wgpu_hal"), LevelFilter::Info);
        assert_eq!([TERMINAL_LEVELS, FILE_LEVELS].map(|text| level(text, "pulseaudio::client")), [LevelFilter::Off; 2]);
        assert_eq!(Filter::parse("smirk=loud").unwrap_err(), "\"loud\"");
    }

    #[test]
    fn a_message_on_the_terminal_is_one_line() {
        assert_eq!(terminal_line("smirk::gpu", "lost:\n  reset\n"), "smirk: lost:   reset");
        assert_eq!(terminal_line("smirk_base::logging", "slow"), "smirk: slow");
        assert_eq!(terminal_line("wgpu_hal::vulkan", "slow"), "smirk: wgpu_hal::vulkan: slow");
        assert_eq!(terminal_line("smirking", "slow"), "smirk: smirking: slow");
        assert_eq!(terminal_line("smirk", "take \x1b[2J\u{202e}x"), "smirk: take <U+001B>[2J<U+202E>x");
    }

    #[test]
    fn the_level_of_the_last_warning_or_error_of_a_module_is_known() {
        let logger = Logger { terminal: Filter::default(), file: None };
        assert!(logger.max_level() >= LevelFilter::Warn);
        let report = |level, target| logger.log(&Record::builder().level(level).target(target).build());
        assert_eq!(last_level("some_crate::module"), None);
        report(Level::Error, "some_crate::module");
        report(Level::Warn, "some_crate::module");
        report(Level::Error, "some_crate::module::inner");
        report(Level::Info, "some_crate::module");
        assert_eq!(last_level("some_crate::module"), Some(Level::Warn));
        forget_last_level("some_crate::module");
        assert_eq!(last_level("some_crate::module"), None);
    }

    #[test]
    fn the_file_of_the_run_before_is_kept_and_a_file_has_a_maximum_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/smirk.log");
        LogFile::create(&path).unwrap().write(Level::Warn, "smirk::gpu", "the first run\n");
        let file = LogFile::create(&path).unwrap();
        file.write(Level::Error, "wgpu_core", "the second run");
        let read = |name: &str| fs::read_to_string(folder.path().join("deep").join(name)).unwrap();
        assert!(
            read("smirk.log").starts_with("Smirk ")
                && read("smirk.log").ends_with(" ERROR wgpu_core: the second run\n")
        );
        assert!(read("smirk.previous.log").ends_with(" WARN  smirk::gpu: the first run\n"));

        (0..LogFile::MAX_BYTES / 100).for_each(|_| file.write(Level::Info, "smirk", &"x".repeat(100)));
        file.write(Level::Info, "smirk", "too late");
        assert!(read("smirk.log").ends_with("\nThe log is full; the rest of this run is not logged.\n"));
        assert!(read("smirk.log").len() <= LogFile::MAX_BYTES);
    }
}
