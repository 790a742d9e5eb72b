//! What goes wrong on an open device: no room, or no device any more.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use thiserror::Error;

use super::Gpu;

/// What an open device has to tell.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Trouble {
    /// Others have taken it, or there never was so much.
    #[error(
        "the memory of the graphics adapter {adapter} is full. Close other programs that draw, or open a lighter head: \
         fewer vertices, smaller textures"
    )]
    MemoryFull {
        /// Its name.
        adapter: String,
    },
    /// More than it takes in one piece, however much is free.
    #[error("the graphics adapter {adapter} does not take it: {reason}")]
    Refused {
        /// Its name.
        adapter: String,
        /// Which buffer, and which numbers disagree.
        reason: String,
    },
    /// A driver that started again, a card that was taken out, memory that ran out in the middle of drawing: nothing of the
    /// device works any more.
    #[error("the graphics adapter {adapter} was lost: {reason}")]
    Lost {
        /// Its name.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
}

impl Trouble {
    fn of(adapter: &str, error: &wgpu::Error) -> Self {
        let adapter = adapter.to_owned();
        if matches!(error, wgpu::Error::OutOfMemory { .. }) {
            return Self::MemoryFull { adapter };
        }
        // What wgpu says on several lines, without the words around it.
        let text = error.to_string();
        let lines = text.lines().map(str::trim).filter(|line| !["", "Validation Error", "Caused by:"].contains(line));
        Self::Refused { adapter, reason: lines.collect::<Vec<_>>().join(": ") }
    }
}

impl Gpu {
    /// Logs what goes wrong on the device, and tells it, instead of ending the program: an artist's
    /// unsaved mix is worth more than a broken picture. What is the same in every frame is said once, and of a lost device
    /// nothing more than that. Tests keep wgpu's way, which is to panic.
    pub fn report_errors(&self, tell: impl Fn(Trouble) + Send + Sync + 'static) {
        let tell = Arc::new(move |trouble: Trouble| {
            log::error!("{trouble}");
            tell(trouble);
        });
        let (adapter, lost, tell_loss) = (self.info.name.clone(), self.lost.clone(), tell.clone());
        self.device.set_device_lost_callback(move |cause, reason| {
            let is_news = lost.set(reason.clone()).is_ok() && cause != wgpu::DeviceLostReason::Destroyed;
            if is_news {
                tell_loss(Trouble::Lost { adapter: adapter.clone(), reason });
            }
        });
        if let Some(reason) = self.lost.get() {
            tell(Trouble::Lost { adapter: self.info.name.clone(), reason: reason.clone() });
        }
        let (adapter, lost, told) = (self.info.name.clone(), self.lost.clone(), Mutex::new(Vec::new()));
        self.device.on_uncaptured_error(Arc::new(move |error| {
            let trouble = Trouble::of(&adapter, &error);
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            if lost.get().is_none() && !told.contains(&trouble) {
                told.push(trouble.clone());
                tell(trouble);
            }
        }));
    }

    /// Whether nothing of the device works any more.
    pub fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    /// Makes what takes memory there. Where it does not fit, what was made is broken, and is dropped.
    pub fn attempt<T>(&self, make: impl FnOnce() -> T) -> Result<T, Trouble> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let driver = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let limits = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        let [refused, failed, full] = [limits, driver, memory].map(|scope| pollster::block_on(scope.pop()));
        if let Some(reason) = self.lost.get() {
            return Err(Trouble::Lost { adapter: self.info.name.clone(), reason: reason.clone() });
        }
        // What is broken for want of memory is refused wherever it is used: want of memory goes first.
        match full.or(failed).or(refused) {
            None => Ok(made),
            Some(error) => Err(Trouble::of(&self.info.name, &error)),
        }
    }

    /// Does what may panic when the device is lost; none if it did. Any other panic goes on.
    pub fn survive_loss<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) => Some(done),
            Err(_) if self.is_lost() => None,
            Err(panic) => resume_unwind(panic),
        }
    }
}
