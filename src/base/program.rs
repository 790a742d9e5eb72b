//! What other programs say: one is started, waited for, and ended when that is no longer wanted.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use tempfile::NamedTempFile;

use crate::atomic_file::Writer;
use crate::progress::Cancelled;

#[derive(Debug)]
pub struct Said {
    pub status: ExitStatus,
    /// The last line that it wrote to its standard error; empty if none.
    pub last_message: String,
}

/// Runs a program to its end. `take` gets what it writes, in pieces, soon after it was written; `check` is called now
/// and then, and once it is an error, the program is ended. What it writes goes to temporary files, so that it never
/// waits for a reader.
pub fn run(
    command: &mut Command,
    mut take: impl FnMut(&[u8]),
    mut check: impl FnMut() -> Result<(), Cancelled>,
) -> Result<io::Result<Said>, Cancelled> {
    let (running, mut output, mut messages) = match start(command) {
        Ok(started) => started,
        Err(error) => return Ok(Err(error)),
    };
    let ended = running.wait(|| {
        // An error comes again at the end.
        let _ = read(&mut output, &mut take);
        check()
    })?;
    Ok(ended.and_then(|status| {
        read(&mut output, &mut take)?;
        let mut text = Vec::new();
        read(&mut messages, |bytes| text.extend_from_slice(bytes))?;
        let text = String::from_utf8_lossy(&text);
        let last_message = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default();
        Ok(Said { status, last_message: last_message.to_owned() })
    }))
}

/// Starts a program, whose output and messages are read from the two files.
fn start(command: &mut Command) -> io::Result<(Writer, NamedTempFile, NamedTempFile)> {
    let (output, messages) = (NamedTempFile::new()?, NamedTempFile::new()?);
    // A file that is opened again has a position of its own.
    command.stdout(output.reopen()?).stderr(messages.reopen()?);
    Ok((Writer::start(command)?.0, output, messages))
}

/// Reads on to where a file ends now.
fn read(file: &mut NamedTempFile, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut bytes = [0; 1 << 16];
    loop {
        match file.read(&mut bytes)? {
            0 => return Ok(()),
            count => take(&bytes[..count]),
        }
    }
}

/// The first program of a name in a list of folders, as in the PATH.
pub fn find_in(path: &OsStr, name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(path).map(|folder| folder.join(&name)).find(|program| program.is_file())
}
