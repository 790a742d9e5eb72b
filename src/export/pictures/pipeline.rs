//! The pictures of many frames: the adapter draws one while the program works on the one before.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::drawing::{PendingFrame, PictureDrawing};
use crate::{FrameSpan, Renderers};
use smirk_base::job::{Job, JobError, Worker};
use smirk_base::progress::Cancelled;
use smirk_picture::render::DrawError;
use smirk_session::Session;

pub(crate) struct Pipeline {
    session: Session,
    span: Option<FrameSpan>,
    drawing: Arc<PictureDrawing>,
    waiting: VecDeque<i64>,
    begun: Option<(i64, PendingFrame)>,
    /// The pictures that are drawn, or that the adapter is drawing by itself.
    drawn: VecDeque<(i64, PendingFrame)>,
}

impl Pipeline {
    /// The pictures that are drawn ahead: with two, the adapter always has one to draw while the other is read.
    const AHEAD: usize = 2;

    /// Without a span, the one picture is that of the session as it is.
    pub(crate) fn new(
        session: Session,
        span: Option<FrameSpan>,
        drawing: PictureDrawing,
        frames: impl IntoIterator<Item = i64>,
    ) -> Self {
        let (drawing, waiting) = (Arc::new(drawing), frames.into_iter().collect());
        Self { session, span, drawing, waiting, begun: None, drawn: VecDeque::new() }
    }

    /// What finishes the pictures, on any thread.
    pub(crate) fn drawing(&self) -> Arc<PictureDrawing> {
        self.drawing.clone()
    }

    /// Draws ahead until a time. Without it, whole pictures are submitted, and not waited for.
    pub(crate) fn draw(&mut self, renderers: &mut Renderers<'_>, until: Option<Instant>) -> Result<(), DrawError> {
        while self.drawn.len() < Self::AHEAD {
            let next = match self.begun.take() {
                Some(begun) => Some(begun),
                None => self.begin(renderers)?,
            };
            let Some((frame, mut picture)) = next else { break };
            if picture.draw(renderers, until)? {
                self.drawn.push_back((frame, picture));
            } else {
                self.begun = Some((frame, picture));
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        Ok(())
    }

    fn begin(&mut self, renderers: &mut Renderers<'_>) -> Result<Option<(i64, PendingFrame)>, DrawError> {
        let Some(frame) = self.waiting.pop_front() else { return Ok(None) };
        let (rate, secs) = match self.span {
            Some(span) => {
                span.show(&mut self.session, frame);
                (span.rate, span.secs_of(frame))
            }
            None => (self.session.edits.timeline.rate, self.session.clock.timeline.time_secs.into()),
        };
        let pending = self.drawing.begin(renderers, &mut self.session, rate, secs)?;
        Ok(Some((frame, pending)))
    }

    /// The next picture, once it can be read; if it `waits`, that is waited for.
    pub(crate) fn take(&mut self, waits: bool) -> Option<(i64, PendingFrame)> {
        let (_, picture) = self.drawn.front()?;
        if waits {
            picture.wait();
        } else if !picture.is_there() {
            return None;
        }
        self.drawn.pop_front()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.begun.is_none() && self.drawn.is_empty()
    }
}

pub(crate) struct FrameJobs<T> {
    workers: Vec<Worker>,
    next: usize,
    running: VecDeque<Job<T>>,
    most: usize,
}

impl<T: Send + 'static> FrameJobs<T> {
    /// So many bytes of frames may wait for their work, besides one frame for each thread.
    const MOST_BYTES: u64 = 256 << 20;

    /// Threads for frames of so many bytes: as many as the machine has, less one that draws, and at most `most`.
    pub(crate) fn new(bytes_of_frame: u64, most: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let count = cores.saturating_sub(1).clamp(1, most.max(1));
        let waiting = (Self::MOST_BYTES / bytes_of_frame.max(1)).min(count as u64) as usize;
        let workers = (0..count).map(|_| Worker::default()).collect();
        // With less than two, nothing would go on while one is worked on.
        Self { workers, next: 0, running: VecDeque::new(), most: (count + waiting).max(2) }
    }

    pub(crate) fn push(&mut self, work: impl FnOnce() -> T + Send + 'static) {
        let job = self.workers[self.next].spawn("frame", || {}, move |_| work());
        self.next = (self.next + 1) % self.workers.len();
        self.running.push_back(job);
    }

    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }

    pub(crate) fn is_full(&self) -> bool {
        self.running.len() >= self.most
    }

    /// The next result, if it is there; if it `waits`, it is waited for.
    pub(crate) fn take(&mut self, waits: bool) -> Option<Result<T, JobError>> {
        if waits {
            return self.running.pop_front().map(Job::wait);
        }
        let result = self.running.front_mut()?.poll()?;
        self.running.pop_front();
        Some(result)
    }

    /// The next result, which is waited for; `None` if there is no more work. `check` is called now and then.
    pub(crate) fn wait(
        &mut self,
        check: impl Fn() -> Result<(), Cancelled>,
    ) -> Result<Option<Result<T, JobError>>, Cancelled> {
        const PAUSE: Duration = Duration::from_millis(100);
        loop {
            check()?;
            let Some(job) = self.running.front_mut() else { return Ok(None) };
            if let Some(result) = job.wait_for(PAUSE) {
                self.running.pop_front();
                return Ok(Some(result));
            }
        }
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
            while let Some(result) = jobs.take(jobs.is_full()) {
                results.push(result.unwrap());
            }
        }
        while let Ok(Some(result)) = jobs.wait(|| Ok(())) {
            results.push(result.unwrap());
        }
        assert_eq!(results, (0..40).collect::<Vec<_>>());
        assert!(jobs.take(false).is_none() && jobs.take(true).is_none());
    }

    #[test]
    fn waiting_ends_when_it_is_no_longer_wanted() {
        let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
        let mut jobs = FrameJobs::new(1, 4);
        jobs.push(move || may_go_on.recv().is_ok());
        let asked = std::cell::Cell::new(0);
        let twice = || {
            asked.set(asked.get() + 1);
            if asked.get() < 3 { Ok(()) } else { Err(Cancelled) }
        };
        assert!(jobs.wait(twice).is_err());
        go_on.send(()).unwrap();
        assert!(matches!(jobs.take(true), Some(Ok(true))));
    }

    #[test]
    fn large_frames_do_not_pile_up() {
        let jobs = FrameJobs::<()>::new(1 << 30, 4);
        assert_eq!(jobs.most, jobs.workers.len().max(2));
        assert!(FrameJobs::<()>::new(0, 4).most >= 2);
    }
}
