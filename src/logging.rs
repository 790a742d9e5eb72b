//! The log: what Smirk and the crates it uses report besides the messages to the artist. It is written to standard error if
//! `SMIRK_LOG` or `RUST_LOG` names a level: error, warn, info, debug or trace.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use log::{Level, LevelFilter, Log, Metadata, Record};

static LOGGER: Logger = Logger { printed: OnceLock::new(), last_levels: Mutex::new(BTreeMap::new()) };

struct Logger {
    printed: OnceLock<LevelFilter>,
    /// By the name of the crate.
    last_levels: Mutex<BTreeMap<String, Level>>,
}

/// Starts logging.
pub fn start() {
    let level = ["SMIRK_LOG", "RUST_LOG"].into_iter().find_map(|name| std::env::var(name).ok()?.parse().ok());
    let printed = *LOGGER.printed.get_or_init(|| level.unwrap_or(LevelFilter::Off));
    // Warnings are counted even if they are not printed: see `last_level`.
    log::set_max_level(printed.max(LevelFilter::Warn));
    // A logger that a test has installed stays.
    let _ = log::set_logger(&LOGGER);
}

/// The level of the last record of a crate since [`forget_last_level`]; none below a warning.
pub fn last_level(crate_name: &str) -> Option<Level> {
    LOGGER.last_levels.lock().unwrap_or_else(PoisonError::into_inner).get(crate_name).copied()
}

/// Forgets the last record of a crate.
pub fn forget_last_level(crate_name: &str) {
    LOGGER.last_levels.lock().unwrap_or_else(PoisonError::into_inner).remove(crate_name);
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if record.level() <= Level::Warn {
            let crate_name = record.target().split("::").next().unwrap_or_default().to_owned();
            self.last_levels.lock().unwrap_or_else(PoisonError::into_inner).insert(crate_name, record.level());
        }
        if self.printed.get().is_some_and(|&printed| record.level() <= printed) {
            eprintln!("{} {}: {}", record.level(), record.target(), record.args());
        }
    }

    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_level_of_the_last_warning_or_error_of_a_crate_is_known() {
        let report = |level, target| LOGGER.log(&Record::builder().level(level).target(target).build());
        assert_eq!(last_level("some_crate"), None);
        report(Level::Error, "some_crate::deep::module");
        report(Level::Warn, "some_crate");
        report(Level::Error, "another_crate");
        report(Level::Info, "some_crate");
        assert_eq!(last_level("some_crate"), Some(Level::Warn));
        forget_last_level("some_crate");
        assert_eq!(last_level("some_crate"), None);
    }
}
