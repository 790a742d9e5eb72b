//! Errors of an open device: memory that is full, limits, and the loss of the device.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::Gpu;

/// An error of an open device.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DeviceError {
    #[error(
        "the memory of the graphics adapter {adapter} is full. Close other programs that draw, or open a lighter head: \
         fewer vertices, smaller textures"
    )]
    MemoryFull { adapter: String },
    #[error("the graphics adapter {adapter} does not take it: {reason}")]
    Refused {
        adapter: String,
        /// The driver's message: the object, its size and the limit.
        reason: String,
    },
    #[error("the result could not be read back from the graphics adapter {adapter}: {reason}")]
    Unread { adapter: String, reason: String },
    /// The device is lost, and none of its objects can be used any more: the driver was restarted, the graphics card
    /// was removed, or memory ran out while drawing.
    #[error("the graphics adapter {adapter} was lost: {reason}")]
    Lost { adapter: String, reason: String },
}

impl DeviceError {
    fn from_wgpu(adapter: &str, error: &wgpu::Error) -> Self {
        let adapter = adapter.to_owned();
        if matches!(error, wgpu::Error::OutOfMemory { .. }) {
            return Self::MemoryFull { adapter };
        }
        // wgpu's message has several lines, some of which are headings.
        let text = error.to_string();
        let lines = text.lines().map(str::trim).filter(|line| !["", "Validation Error", "Caused by:"].contains(line));
        Self::Refused { adapter, reason: lines.collect::<Vec<_>>().join(": ") }
    }
}

impl Gpu {
    /// Calls `notify` with the device's errors, and logs them, instead of ending the program: an artist's unsaved work
    /// is worth more than a broken picture. An error that repeats in every frame is reported once; after the loss of
    /// the device only the loss is reported. Tests do not call this, so that wgpu panics on an error.
    pub fn report_errors(&self, notify: impl Fn(DeviceError) + Send + Sync + 'static) {
        let report = Arc::new(move |error: DeviceError| {
            log::error!("{error}");
            notify(error);
        });
        let (adapter, lost, report_loss) = (self.info.name.clone(), self.lost.clone(), report.clone());
        self.device.set_device_lost_callback(move |cause, reason| {
            let is_first = lost.set(reason.clone()).is_ok();
            if is_first && cause != wgpu::DeviceLostReason::Destroyed {
                report_loss(DeviceError::Lost { adapter: adapter.clone(), reason });
            }
        });
        if let Some(loss) = self.loss() {
            report(loss);
        }
        let (adapter, lost, reported) = (self.info.name.clone(), self.lost.clone(), Mutex::new(Vec::new()));
        self.device.on_uncaptured_error(Arc::new(move |error| {
            let error = DeviceError::from_wgpu(&adapter, &error);
            let mut reported = reported.lock().unwrap_or_else(PoisonError::into_inner);
            if lost.get().is_none() && !reported.contains(&error) {
                reported.push(error.clone());
                report(error);
            }
        }));
    }

    pub fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    /// The error of a lost device; `None` while it is not lost.
    fn loss(&self) -> Option<DeviceError> {
        let adapter = self.info.name.clone();
        self.lost.get().map(|reason| DeviceError::Lost { adapter, reason: reason.clone() })
    }

    /// The error of a picture that cannot be read back: the loss of the device, or else what wgpu says of it.
    pub(super) fn unread(&self, error: &wgpu::MapRangeError) -> DeviceError {
        let (adapter, reason) = (self.info.name.clone(), error.to_string());
        self.loss().unwrap_or(DeviceError::Unread { adapter, reason })
    }

    /// Calls `make`, which creates objects on the device. If that causes an error, the objects are unusable and are
    /// dropped.
    pub fn attempt<T>(&self, make: impl FnOnce() -> T) -> Result<T, DeviceError> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let driver = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let limits = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        let [refused, failed, full] = [limits, driver, memory].map(|scope| pollster::block_on(scope.pop()));
        if let Some(loss) = self.loss() {
            return Err(loss);
        }
        // An object for which there was no memory causes further errors wherever it is used, so the lack of memory is
        // the error to report.
        match full.or(failed).or(refused) {
            None => Ok(made),
            Some(error) => Err(DeviceError::from_wgpu(&self.info.name, &error)),
        }
    }

    /// Calls `work`, which may panic if the device is lost; in that case the result is `None`. Any other panic is
    /// resumed.
    pub fn survive_loss<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) => Some(done),
            Err(_) if self.is_lost() => None,
            Err(panic) => resume_unwind(panic),
        }
    }
}
