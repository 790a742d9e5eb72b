//! *Help › Show log file*: opens the folder of the log file in the system's file manager.

use std::path::Path;
use std::process::{Command, Stdio};

use super::viewer::Viewer;
use smirk_base::job::{Job, OnDrop};
use smirk_base::logging;

impl Viewer {
    /// Opens the folder and names the file, which is all there is to see where the system has no file manager.
    pub(super) fn show_log_file(&mut self) {
        let Some(path) = logging::path() else {
            return self.notices.fail("There is no log file", "Smirk could not write one when it started.".to_owned());
        };
        match file_manager(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
            // Some file managers run until they are closed.
            Ok(mut running) => drop(Job::spawn("file manager", OnDrop::Detach, || {}, move |_| running.wait())),
            Err(error) => log::info!("no file manager opens: {error}"),
        }
        let previous = logging::previous_path(path);
        let after_crash = if previous.exists() {
            format!(" After a crash, attach {}: it is of the run before.", previous.display())
        } else {
            String::new()
        };
        self.notices.inform("Log file", format!("Attach {} to a bug report.{after_crash}", path.display()));
    }
}

/// The command that shows a file in its folder.
fn file_manager(file: &Path) -> Command {
    let folder = file.parent().unwrap_or(Path::new("."));
    if cfg!(target_os = "windows") {
        let mut select = std::ffi::OsString::from("/select,");
        select.push(file);
        command("explorer", &[select.as_ref()])
    } else if cfg!(target_os = "macos") {
        command("open", &["-R".as_ref(), file.as_ref()])
    } else {
        command("xdg-open", &[folder.as_ref()])
    }
}

fn command(program: &str, arguments: &[&std::ffi::OsStr]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments);
    command
}
