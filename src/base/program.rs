//! What other programs say: one is started, waited for, and ended when that is no longer wanted.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use crate::atomic_file::Writer;
use crate::progress::Cancelled;

#[derive(Debug)]
pub struct Said {
    pub status: ExitStatus,
    pub output: Vec<u8>,
    /// The last line that it wrote to its standard error; empty if none.
    pub last_message: String,
}

/// Runs a program to its end. `check` is called now and then; once it is an error, the program is ended. What it writes
/// goes to files without a name, so that it never waits for a reader.
pub fn run(command: &mut Command, check: impl Fn() -> Result<(), Cancelled>) -> Result<io::Result<Said>, Cancelled> {
    let (running, output, messages) = match start(command) {
        Ok(started) => started,
        Err(error) => return Ok(Err(error)),
    };
    let ended = running.wait(check)?;
    Ok(ended.and_then(|status| {
        let (output, messages) = (read(output)?, read(messages)?);
        let messages = String::from_utf8_lossy(&messages);
        let last_message = messages.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        Ok(Said { status, output, last_message: last_message.to_owned() })
    }))
}

fn start(command: &mut Command) -> io::Result<(Writer, File, File)> {
    let (output, messages) = (tempfile::tempfile()?, tempfile::tempfile()?);
    command.stdout(output.try_clone()?).stderr(messages.try_clone()?);
    Ok((Writer::start(command)?.0, output, messages))
}

fn read(mut file: File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The first program of a name in a list of folders, as in the PATH.
pub fn find_in(path: &OsStr, name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(path).map(|folder| folder.join(&name)).find(|program| program.is_file())
}
