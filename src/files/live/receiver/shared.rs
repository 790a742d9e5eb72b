//! What the threads of the sockets share with the receiver.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::senders::Senders;
use super::settings::SenderChoice;

/// What the threads of the sockets share with the receiver.
#[derive(Clone)]
pub(super) struct Shared {
    senders: Arc<Mutex<Senders>>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Shared {
    /// Nothing has arrived yet. `wake` is called when there is something new: frames to take, or a sender that the screen does not
    /// show yet.
    pub(super) fn new(choice: SenderChoice, wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { senders: Arc::new(Mutex::new(Senders::new(choice))), wake: Arc::new(wake) }
    }

    /// Everyone who sends. The lock is held for as long as a packet takes to be counted.
    pub(super) fn senders(&self) -> MutexGuard<'_, Senders> {
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells that there is something new. No lock may be held: whoever is woken may take the frames at once.
    pub(super) fn wake(&self) {
        (self.wake)();
    }
}
