//! The output: a thread that gives the device what the mixer renders, and says what is heard.

#[cfg(not(target_os = "linux"))]
mod cpal_device;
mod link;
#[cfg(target_os = "linux")]
mod pulse;

use std::path::PathBuf;
use std::sync::Arc;

use super::device::DeviceError;
use crate::job::{Job, OnDrop};
#[cfg(not(target_os = "linux"))]
use cpal_device as system;
pub(super) use link::Link;
#[cfg(target_os = "linux")]
use pulse as system;

/// An open output, or one that is being opened.
#[derive(Debug)]
pub(super) struct Output {
    pub link: Arc<Link>,
    /// `None` in tests, which render themselves.
    job: Option<Job<Result<(), DeviceError>>>,
}

impl Output {
    /// Opens the device on a thread of its own. `server` is the address of a sound server, for tests; by default the one of the user.
    pub(super) fn open(server: Option<PathBuf>, notify: impl Fn() + Send + 'static) -> Self {
        let link = Arc::new(Link::new());
        let on_thread = link.clone();
        let job = Job::spawn("sound", OnDrop::Detach, notify, move |_| system::run(&on_thread, server.as_deref()));
        Self { link, job: Some(job) }
    }

    /// An output that is rendered by the caller.
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
