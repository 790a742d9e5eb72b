//! The receiver: sockets, each with a thread of its own, whose packets become frames in one queue, behind the one lock
//! between a socket and whoever shows or records a face. Frames keep the times of their arrival, so that nothing
//! depends on when the queue is read.
//!
//! The first sender whose frames arrive is heard until it is silent; those of others are counted and not handed over.
//! Nothing that arrives can make the program wait or grow: packets, senders, connections, and frames that nobody takes
//! have upper limits.

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

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use self::senders::Senders;
use smirk_base::job::Job;

/// Listens for faces. Dropping it closes its sockets.
pub struct Receiver {
    arrivals: Arrivals,
    jobs: Vec<Job<()>>,
    listening: Vec<Listening>,
    failures: Vec<ListenError>,
}

impl Receiver {
    /// Opens the sockets of `settings` and begins to listen. Sockets that cannot be opened are in
    /// [`LiveStatus::failures`]; an error if none can. `wake` is called on the threads of the sockets when there are
    /// frames to take, and when a sender comes or is refused.
    pub fn listen(settings: ListenSettings, wake: impl Fn() + Send + Sync + 'static) -> Result<Self, ListenError> {
        settings.check()?;
        let mut receiver = Self {
            arrivals: Arrivals::new(settings.sender.clone(), wake),
            jobs: Vec::new(),
            listening: Vec::new(),
            failures: Vec::new(),
        };
        for socket in &settings.sockets {
            match sockets::open(*socket, &settings, &receiver.arrivals) {
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
        self.arrivals.senders().take_frames()
    }

    /// Sends a copy of each frame that arrives from now on to a recorder, or to none. It is sent at once, whether or
    /// not anyone takes the frames; where its queue is full, the socket waits for it.
    pub fn record_to(&self, recorder: Option<SyncSender<ReceivedFrame>>) {
        self.arrivals.senders().record_to(recorder);
    }

    pub fn choose(&self, choice: SenderChoice) {
        self.arrivals.senders().choose(choice);
    }

    pub fn status(&self) -> LiveStatus {
        let (senders, waiting_frames, dropped_frames) = self.arrivals.senders().status(Instant::now());
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

#[derive(Clone)]
struct Arrivals {
    senders: Arc<Mutex<Senders>>,
    wake: Arc<dyn Fn() + Send + Sync>,
}

impl Arrivals {
    /// Nothing has arrived yet. `wake` is called when there is something new: frames to take, or a sender that the
    /// screen does not show yet.
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
