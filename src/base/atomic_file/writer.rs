//! Another program that writes a temporary file.

use std::io;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::temporary;
use crate::progress::Cancelled;

/// Another program that writes a temporary file. It is ended when this is dropped, and before the temporary files are
/// deleted when this program is interrupted: it could make its file again.
#[derive(Debug)]
pub struct Writer {
    child: Arc<Mutex<Child>>,
}

impl Writer {
    /// How often it is asked whether it has ended: at first, and when it has not ended for a while.
    const PAUSES: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(20)];

    /// Starts a program, and gives its standard input.
    pub fn start(command: &mut Command) -> io::Result<(Self, ChildStdin)> {
        temporary::with_writers(|writers| {
            let mut child = command.stdin(Stdio::piped()).spawn()?;
            let input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
            let child = Arc::new(Mutex::new(child));
            writers.push(child.clone());
            Ok((Self { child }, input))
        })?
    }

    /// Waits until the program has ended. `check`, which is called now and then, says whether it is still waited for.
    pub fn wait(&self, mut check: impl FnMut() -> Result<(), Cancelled>) -> Result<io::Result<ExitStatus>, Cancelled> {
        let [mut pause, longest] = Self::PAUSES;
        loop {
            // Not locked while it is waited for, so that an interruption can end it.
            let ended = self.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
            if let Some(ended) = ended.transpose() {
                return Ok(ended);
            }
            check()?;
            std::thread::sleep(pause);
            pause = (pause * 2).min(longest);
        }
    }

    pub fn end(&self) {
        end(&self.child);
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        end(&self.child);
        // An error means that this program is ending, and does the same.
        let _ = temporary::with_writers(|writers| writers.retain(|other| !Arc::ptr_eq(other, &self.child)));
    }
}

/// Ends a program. Does nothing if it has ended.
fn end(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = child.kill();
    let _ = child.wait();
}
