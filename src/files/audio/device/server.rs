//! The sound server of Linux, spoken to in the protocol of PulseAudio, which PipeWire speaks too.

use std::env;
use std::ffi::CStr;
use std::future::Future;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use pulseaudio::{Client, ClientError, cookie_path_from_env};

use super::DeviceError;
use smirk_base::regular_file;

const NAME: &CStr = c"Smirk";
const COOKIE_BYTES: usize = 256;
const LONGEST_ANSWER: Duration = Duration::from_secs(2);

pub(in crate::audio) fn connect(server: Option<&Path>) -> Result<Client, DeviceError> {
    let place = server.map(Path::to_owned).or_else(server_of_user);
    let place = place.ok_or_else(|| DeviceError::NoDevice("no sound server runs (PulseAudio or PipeWire)".into()))?;
    let socket = UnixStream::connect(&place).map_err(|error| {
        let at = place.display();
        DeviceError::NoDevice(format!("no sound server answers at {at} (PulseAudio or PipeWire): {error}"))
    })?;
    for limit in [socket.set_read_timeout(Some(LONGEST_ANSWER)), socket.set_write_timeout(Some(LONGEST_ANSWER))] {
        limit.map_err(|error| refused(&error))?;
    }
    // A server that asks for no cookie still expects one of this length.
    let cookie = cookie_path_from_env().and_then(|path| regular_file::read(&path, COOKIE_BYTES as u64).ok());
    let cookie = cookie.filter(|cookie| cookie.len() == COOKIE_BYTES).unwrap_or_else(|| vec![0; COOKIE_BYTES]);
    Client::new_unix(NAME, socket, Some(cookie)).map_err(|error| refused(&error))
}

fn server_of_user() -> Option<PathBuf> {
    let named = env::var("PULSE_SERVER").ok().and_then(|text| {
        // The variable may hold the name of a machine, and several addresses.
        let first = text.split_whitespace().next()?.to_owned();
        let address = first.split_once('}').map_or(first.as_str(), |(_, address)| address);
        let path = address.strip_prefix("unix:").unwrap_or(address);
        path.starts_with('/').then(|| PathBuf::from(path))
    });
    let places = [named, in_folder("PULSE_RUNTIME_PATH", "native"), in_folder("XDG_RUNTIME_DIR", "pulse/native")];
    places.into_iter().flatten().find(|place| place.exists())
}

fn in_folder(variable: &str, name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(env::var_os(variable)?).join(name))
}

fn refused(error: &dyn std::fmt::Display) -> DeviceError {
    DeviceError::NoDevice(format!("the sound server refuses: {error}"))
}

/// What the server gives when it is first asked for a device, or why it gives none.
pub(in crate::audio) fn opened<T>(command: impl Future<Output = Result<T, ClientError>>) -> Result<T, DeviceError> {
    match wait(command, LONGEST_ANSWER) {
        Some(Ok(value)) => Ok(value),
        Some(Err(ClientError::ServerError(error))) => {
            Err(DeviceError::NoDevice(format!("the sound server has no device ({error})")))
        }
        Some(Err(error)) => Err(refused(&error)),
        None => Err(DeviceError::NoDevice("the sound server does not answer".into())),
    }
}

/// The answer to a command about a device that works, or why there is none.
pub(in crate::audio) fn answer<T>(command: impl Future<Output = Result<T, ClientError>>) -> Result<T, DeviceError> {
    match wait(command, LONGEST_ANSWER) {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => Err(DeviceError::Lost(error.to_string())),
        None => Err(DeviceError::Silent),
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The value of a future; `None` if it takes longer than `most`.
pub(super) fn wait<T>(future: impl Future<Output = T>, most: Duration) -> Option<T> {
    let mut future = pin!(future);
    let waker = Arc::new(Unpark(thread::current())).into();
    let mut context = Context::from_waker(&waker);
    let until = Instant::now() + most;
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return Some(value);
        }
        thread::park_timeout(until.checked_duration_since(Instant::now())?);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_does_not_come_is_not_waited_for() {
        assert_eq!(wait(std::future::ready(3), Duration::ZERO), Some(3));
        assert_eq!(wait(std::future::pending::<i32>(), Duration::from_millis(20)), None);
    }
}
