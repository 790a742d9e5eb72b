//! Programs that tests start. Each is killed when its test is, and does not see what is set or installed where the tests run.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables of the tests' environment that programs keep: where other programs, libraries and the Vulkan driver are.
const KEPT: [&str; 5] = ["PATH", "LD_LIBRARY_PATH", "TMPDIR", "VK_DRIVER_FILES", "VK_ICD_FILENAMES"];

/// A program that is killed when the thread that starts it ends, so that a test run that is killed leaves nothing running. It handles
/// signals as usual: those that a shell in the background and `nohup` ignore are ignored by what they start, too.
///
/// # Panics
/// If the program is not installed.
pub fn supervised(program: impl AsRef<Path>) -> Command {
    if !cfg!(target_os = "linux") {
        return Command::new(program.as_ref());
    }
    let mut command = Command::new(find("setpriv".as_ref()));
    command.args(["--pdeathsig", "KILL"]).arg(find("env".as_ref())).arg("--default-signal").arg(find(program.as_ref()));
    command
}

/// The same for a program that takes this folder for that of the user. It finds no settings, no session of a desktop, no sound server and no
/// screen.
pub fn isolated(program: impl AsRef<Path>, home: &Path) -> Command {
    let mut command = supervised(program);
    if cfg!(target_os = "linux") {
        command.env_clear().envs(KEPT.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    }
    command
        .env_remove("SMIRK_LOG")
        .env_remove("RUST_LOG")
        .env("SMIRK_CONFIG_DIR", home)
        .env("HOME", home)
        // Without one, Wayland's client library complains on the error stream.
        .env("XDG_RUNTIME_DIR", home)
        // Without an address, the library of D-Bus looks for a bus, and starts one.
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
        .env("LANG", "C.UTF-8");
    command
}

/// Where a program is. The environment of a [`Command`] may have another `PATH`, in which it would be looked for.
fn find(program: &Path) -> PathBuf {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&folders).map(|folder| folder.join(program));
    let mut found = places.filter(|place| place.is_file());
    found.next().unwrap_or_else(|| panic!("{} is missing: ./dev test installs what the tests need", program.display()))
}
