//! Work on a thread of its own while the window goes on. It reports progress, can be cancelled, and notifies the event loop. No
//! other code starts a thread, but for those that wait for signals and for changes of files (`rayon` shares work among cores and is
//! no job).
//!
//! `thread` is one job; `repeated` is work that is begun again and again, with its last result.

mod repeated;
mod thread;

pub use repeated::{JobStatus, RepeatedJob};
pub use thread::{CancelledJobs, Job, JobControl, JobError, JobProgress, OnDrop, Worker};
