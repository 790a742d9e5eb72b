//! What every command may write where: inputs, folders, devices, pipes and links, and disks without room.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test")]

mod case;
mod inputs;
mod places;
mod room;

use std::path::Path;
use std::process::{Command, Output};

fn smirk() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smirk"));
    command.env_remove("SMIRK_LOG").env_remove("RUST_LOG").env("SMIRK_CONFIG_DIR", env!("CARGO_TARGET_TMPDIR"));
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
