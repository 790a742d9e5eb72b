//! What the window and the device's thread share.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

use crate::audio::device::USUAL_FRAMES_PER_SEC;
use crate::audio::heard::{HeardClock, Reading};
use crate::audio::mixer::{Mixer, Place};

#[derive(Debug)]
pub(in crate::audio) struct Link {
    shared: Mutex<Shared>,
    changed: Condvar,
}

#[derive(Debug)]
struct Shared {
    mixer: Mixer,
    clock: HeardClock,
    is_ended: bool,
    waker: Option<Waker>,
}

/// What the device's thread has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Frames,
    Silence,
    End,
}

impl Link {
    pub(super) fn new() -> Self {
        let rate = f64::from(USUAL_FRAMES_PER_SEC);
        let (mixer, clock) = (Mixer::new(rate), HeardClock::new(rate));
        Self { shared: Mutex::new(Shared { mixer, clock, is_ended: false, waker: None }), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(in crate::audio) fn change<R>(&self, change: impl FnOnce(&mut Mixer) -> R) -> R {
        let mut shared = self.lock();
        let result = change(&mut shared.mixer);
        let waker = if shared.mixer.is_silent() { None } else { shared.waker.take() };
        drop(shared);
        self.changed.notify_all();
        waker.into_iter().for_each(Waker::wake);
        result
    }

    /// The place on the timeline that is heard at a moment; `None` while the device has said nothing.
    pub(in crate::audio) fn heard(&self, now: Instant) -> Option<Place> {
        let shared = &mut *self.lock();
        // No more can be heard than was handed over.
        let frame = shared.clock.frame_at(now)?.min(shared.mixer.rendered() as f64);
        shared.mixer.place_at(frame)
    }

    pub(super) fn end(&self) {
        self.lock().is_ended = true;
        self.changed.notify_all();
    }

    /// For the device: renders frames, unless nothing is to be heard; then `waker` is woken when that changes.
    pub(in crate::audio) fn render(&self, frames: &mut [[f32; 2]], waker: Option<&Waker>) -> bool {
        let mut shared = self.lock();
        if shared.mixer.is_silent() {
            shared.waker = waker.cloned();
            return false;
        }
        shared.mixer.render(frames);
        true
    }

    /// For the device: sets its rate, before anything is rendered.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn set_rate(&self, frames_per_sec: f64) {
        let mut shared = self.lock();
        shared.mixer.set_rate(frames_per_sec);
        shared.clock = HeardClock::new(frames_per_sec);
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn rendered(&self) -> u64 {
        self.lock().mixer.rendered()
    }

    /// For the device: says which frame is heard.
    pub(in crate::audio) fn read(&self, reading: Reading) {
        self.lock().clock.read(reading);
    }

    /// For the device: says that all was heard, so that the next reading is taken as it is.
    pub(super) fn rest(&self, now: Instant) {
        let shared = &mut *self.lock();
        let frame = shared.mixer.rendered() as f64;
        shared.clock.read(Reading { at: now, frame, is_running: false });
    }

    /// For the device: what it has to do. Waits at most so long while that is `known`.
    pub(super) fn wanted(&self, known: Wanted, most: Duration) -> Wanted {
        let shared = self.lock();
        let waited = self.changed.wait_timeout_while(shared, most, |shared| shared.wanted() == known);
        waited.unwrap_or_else(PoisonError::into_inner).0.wanted()
    }
}

impl Shared {
    fn wanted(&self) -> Wanted {
        match (self.is_ended, self.mixer.is_silent()) {
            (true, _) => Wanted::End,
            (false, true) => Wanted::Silence,
            (false, false) => Wanted::Frames,
        }
    }
}
