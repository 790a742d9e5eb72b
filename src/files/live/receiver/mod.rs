//! The receiver: sockets, each with a thread of its own, whose packets become frames in one queue.
//!
//! The first sender whose frames arrive is heard until it is silent; those of others are counted and not handed over. Nothing that
//! arrives can make the program wait or grow: packets, senders, connections, and frames that nobody takes have upper limits.

mod connection;
mod meter;
mod peers;
mod senders;
mod settings;
mod sockets;
mod status;

pub use senders::ReceivedFrame;
pub use settings::{ListenError, ListenSettings, SenderChoice, SocketSettings};
pub use status::{Listening, LiveStatus, SenderId, SenderStatus};

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use self::senders::Senders;
use smirk_base::job::Job;

/// Listens for faces. Dropping it closes its sockets.
pub struct Receiver {
    shared: Shared,
    jobs: Vec<Job<()>>,
    listening: Vec<Listening>,
    failures: Vec<ListenError>,
}

impl Receiver {
    /// Opens the sockets of `settings` and begins to listen. Sockets that cannot be opened are in [`LiveStatus::failures`]; an error
    /// if none can. `wake` is called on other threads when there are frames to take, and when a sender comes or is refused.
    pub fn listen(settings: ListenSettings, wake: impl Fn() + Send + Sync + 'static) -> Result<Self, ListenError> {
        settings.check()?;
        let mut receiver = Self {
            shared: Shared::new(settings.sender.clone(), wake),
            jobs: Vec::new(),
            listening: Vec::new(),
            failures: Vec::new(),
        };
        for socket in &settings.sockets {
            match sockets::open(*socket, &settings, &receiver.shared) {
                Ok((listening, job)) => {
                    receiver.listening.push(listening);
                    receiver.jobs.push(job);
                }
                Err(error) => receiver.failures.push(error),
            }
        }
        match receiver.failures.first() {
            Some(error) if receiver.jobs.is_empty() => Err(error.clone()),
            _ => Ok(receiver),
        }
    }

    /// The frames of the sender that is heard, in the order in which they arrived, since the last call.
    pub fn take_frames(&self) -> Vec<ReceivedFrame> {
        self.shared.senders().take_frames()
    }

    /// Chooses the sender that is heard.
    pub fn choose(&self, choice: SenderChoice) {
        self.shared.senders().choose(choice);
    }

    /// What arrives, for the screen.
    pub fn status(&self) -> LiveStatus {
        let (senders, waiting_frames, dropped_frames) = self.shared.senders().status(Instant::now());
        LiveStatus {
            listening: self.listening.clone(),
            failures: self.failures.clone(),
            senders,
            waiting_frames,
            dropped_frames,
        }
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        // All are cancelled before the first is waited for.
        self.jobs.iter().for_each(Job::cancel);
    }
}

impl std::fmt::Debug for Receiver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Receiver").field("listening", &self.listening).finish_non_exhaustive()
    }
}

/// What the threads of the sockets share with the receiver.
#[derive(Clone)]
struct Shared {
    senders: Arc<Mutex<Senders>>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Shared {
    /// Nothing has arrived yet. `wake` is called when there is something new: frames to take, or a sender that the screen does not
    /// show yet.
    fn new(choice: SenderChoice, wake: impl Fn() + Send + Sync + 'static) -> Self {
        Self { senders: Arc::new(Mutex::new(Senders::new(choice))), wake: Arc::new(wake) }
    }

    /// The senders. The lock is held for as long as a packet takes to be counted.
    fn senders(&self) -> MutexGuard<'_, Senders> {
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notifies the reader of the queue. No lock may be held: the frames may be taken at once.
    fn wake(&self) {
        (self.wake)();
    }
}
