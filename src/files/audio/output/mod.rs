//! The output: a thread that gives the device what the mixer renders, and says what is heard.

#[cfg(not(target_os = "linux"))]
mod cpal_device;
mod link;
#[cfg(target_os = "linux")]
mod pulse;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::device::DeviceError;
#[cfg(not(target_os = "linux"))]
use cpal_device as system;
pub(super) use link::Link;
use link::Wanted;
#[cfg(target_os = "linux")]
use pulse as system;
use smirk_base::job::{Job, OnDrop};

/// How long a device plays silence before it is told to rest: otherwise the sound card would stay awake.
const REST_AFTER: Duration = Duration::from_secs(1);
/// How long a resting device is kept.
const CLOSE_AFTER: Duration = Duration::from_secs(10);

#[derive(Debug)]
pub(super) struct Output {
    pub link: Arc<Link>,
    /// `None` in tests, which render themselves.
    job: Option<Job<Result<(), DeviceError>>>,
}

impl Output {
    /// Opens the device on a thread of its own. `server` is the address of a sound server, for tests; by default the
    /// one of the user.
    pub(super) fn open(server: Option<PathBuf>, notify: impl Fn() + Send + 'static) -> Self {
        let link = Arc::new(Link::new());
        let on_thread = link.clone();
        let job = Job::spawn("sound", OnDrop::Detach, notify, move |_| play(&on_thread, server.as_deref()));
        Self { link, job: Some(job) }
    }

    #[cfg(test)]
    pub(super) fn by_hand() -> Self {
        Self { link: Arc::new(Link::new()), job: None }
    }

    /// How it has ended: by itself after a long silence, or with an error.
    pub(super) fn ended(&mut self) -> Option<Result<(), DeviceError>> {
        let result = self.job.as_mut()?.poll()?;
        Some(result.unwrap_or_else(|error| Err(DeviceError::NoDevice(error.to_string()))))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        self.link.end();
    }
}

/// Plays what the link renders until it ends, or until nothing was heard for a while.
fn play(link: &Arc<Link>, server: Option<&Path>) -> Result<(), DeviceError> {
    let stream = system::open(link, server)?;
    let (mut wanted, mut is_resting) = (Wanted::Frames, false);
    loop {
        wanted = match wanted {
            Wanted::End => return Ok(()),
            Wanted::Frames => {
                if std::mem::take(&mut is_resting) {
                    stream.resume()?;
                }
                stream.look()?;
                link.wanted(Wanted::Frames, system::LOOK_INTERVAL)
            }
            Wanted::Silence if is_resting => match link.wanted(Wanted::Silence, CLOSE_AFTER) {
                Wanted::Silence => return Ok(()),
                other => other,
            },
            Wanted::Silence => {
                link.rest(Instant::now());
                let next = link.wanted(Wanted::Silence, REST_AFTER);
                if next == Wanted::Silence {
                    stream.pause()?;
                    is_resting = true;
                }
                next
            }
        };
    }
}
