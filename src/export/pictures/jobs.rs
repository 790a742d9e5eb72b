//! Work on frames beside the drawing: compressing and writing. Results come in the order of the frames.

use std::collections::VecDeque;

use crate::job::{Job, JobError, Worker};

/// Work on frames on a few threads.
pub(in crate::export) struct FrameJobs<T> {
    workers: Vec<Worker>,
    next: usize,
    /// The oldest first.
    running: VecDeque<Job<T>>,
    most: usize,
}

impl<T: Send + 'static> FrameJobs<T> {
    /// So many bytes of frames may wait for their work, besides one frame for each thread.
    const MOST_BYTES: u64 = 256 << 20;

    /// Threads for frames of so many bytes: as many as the machine has, less one that draws, and at most `most`.
    pub(in crate::export) fn new(bytes_of_frame: u64, most: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let count = cores.saturating_sub(1).clamp(1, most.max(1));
        let waiting = (Self::MOST_BYTES / bytes_of_frame.max(1)).min(count as u64) as usize;
        let workers = (0..count).map(|_| Worker::default()).collect();
        Self { workers, next: 0, running: VecDeque::new(), most: count + waiting }
    }

    /// Begins work.
    pub(in crate::export) fn push(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        let job = self.workers[self.next].spawn("frame", || {}, move |_| work());
        self.next = (self.next + 1) % self.workers.len();
        self.running.push_back(job);
    }

    /// The next result, if it is there. It is waited for if there is too much work, or if `is_last`: `None` is then that there is none.
    pub(in crate::export) fn take(&mut self, is_last: bool) -> Option<Result<T, JobError>> {
        if is_last || self.running.len() >= self.most {
            return self.running.pop_front().map(Job::wait);
        }
        let result = self.running.front_mut()?.poll()?;
        self.running.pop_front();
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_and_all_of_them() {
        let mut jobs = FrameJobs::new(1, 4);
        let mut results = Vec::new();
        for index in 0..40_u64 {
            jobs.push(move || {
                std::thread::sleep(Duration::from_millis(index * 7 % 5));
                index
            });
            assert!(jobs.running.len() <= jobs.most);
            while let Some(result) = jobs.take(false) {
                results.push(result.unwrap());
            }
        }
        while let Some(result) = jobs.take(true) {
            results.push(result.unwrap());
        }
        assert_eq!(results, (0..40).collect::<Vec<_>>());
        assert!(jobs.take(false).is_none());
    }

    #[test]
    fn large_frames_do_not_pile_up() {
        let jobs = FrameJobs::<()>::new(1 << 30, 4);
        assert_eq!(jobs.most, jobs.workers.len());
        assert!(FrameJobs::<()>::new(0, 4).most >= 1);
    }
}
