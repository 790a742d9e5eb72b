//! The input: what a microphone hears, handed over piece by piece with the moment at which it was heard.

#[cfg(not(target_os = "linux"))]
mod cpal_device;
#[cfg(target_os = "linux")]
mod pulse;

use std::io;
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::device::DeviceError;
#[cfg(not(target_os = "linux"))]
use cpal_device as system;
#[cfg(target_os = "linux")]
use pulse as system;

/// How often a microphone that sends nothing is looked at.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);
/// A microphone that sends nothing for longer is given up.
const LONGEST_SILENCE: Duration = Duration::from_secs(2);

/// The microphones of this machine. `server` is the address of a sound server, for tests; by default the one of the
/// user.
pub fn microphones(server: Option<&Path>) -> Result<Vec<Microphone>, DeviceError> {
    system::microphones(server)
}

/// Hands over what a microphone hears, until `is_ended`. Without an id it is the default one. `server` as for
/// [`microphones`]. What is heard while `take` works, such as on a disk that does not answer, waits in memory (some
/// 100 kB a second), and is handed over as well if it arrived before the end.
pub fn listen(
    microphone: Option<&str>,
    server: Option<&Path>,
    is_ended: &dyn Fn() -> bool,
    take: &mut dyn FnMut(&Piece) -> io::Result<()>,
) -> Result<(), DeviceError> {
    let (send, pieces) = channel();
    let stream = system::open(microphone, server, send)?;
    let mut latency = None;
    let mut last = Instant::now();
    let mut ended = None;
    loop {
        if ended.is_none() && is_ended() {
            ended = Some(Instant::now());
        }
        let wait = if ended.is_some() { Duration::ZERO } else { LOOK_INTERVAL };
        match pieces.recv_timeout(wait) {
            Ok(piece) if ended.is_some_and(|ended| piece.end > ended) => return Ok(()),
            Ok(mut piece) => {
                let latency = match latency {
                    Some(latency) => latency,
                    None => *latency.insert(stream.latency()?),
                };
                piece.end = piece.end.checked_sub(latency).unwrap_or(piece.end);
                take(&piece).map_err(|error| DeviceError::Unwritable(error.to_string()))?;
                last = Instant::now();
            }
            Err(_) if ended.is_some() => return Ok(()),
            Err(RecvTimeoutError::Timeout) if last.elapsed() > LONGEST_SILENCE => return Err(DeviceError::Mute),
            Err(RecvTimeoutError::Timeout) => stream.check()?,
            Err(RecvTimeoutError::Disconnected) => return Err(DeviceError::Lost("it has ended".into())),
        }
    }
}

/// What a microphone heard, in one channel.
#[derive(Clone, Debug)]
pub struct Piece {
    pub samples: Vec<i16>,
    pub frames_per_sec: u32,
    /// When the last sample was heard, or later: pieces are delayed on their way.
    pub end: Instant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Microphone {
    pub id: String,
    pub name: String,
}
