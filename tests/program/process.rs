//! The program as a process, and what it leaves in folders.

use std::path::Path;
use std::process::{Command, Output};

use smirk_support::programs;

/// Where the program is.
pub(crate) const SMIRK: &str = env!("CARGO_BIN_EXE_smirk");

/// The program with arguments, whatever is set for it where the tests run.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = isolated(SMIRK);
    command.args(arguments);
    command
}

/// The program, or another that starts it, with nothing set for it.
pub(crate) fn isolated(program: &str) -> Command {
    programs::isolated(program, Path::new(env!("CARGO_TARGET_TMPDIR")))
}

/// What the program says, and how it ends.
pub(crate) fn smirk(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
