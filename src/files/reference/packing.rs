//! The frames of a video as JPEG images in memory: a jump into a video takes half a second, and to decode one of these
//! a hundredth.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};

use smirk_base::job::{Job, OnDrop};

use super::{AHEAD, MOST_PACKED_BYTES};
use crate::video::{Video, VideoError};

/// One frame, or one line that says why there is none.
pub(super) type Packed = Result<Arc<[u8]>, String>;

/// The most frames that one ffmpeg is asked for: they are a file while it runs.
const MOST_OF_RUN: usize = 600;
/// A run that comes to the wanted frame after at most so many others is waited for, since another takes longer to
/// begin.
const SOON: usize = 45;

/// The frames of a video that were decoded: those at the play head come first, then the others, as far as memory
/// allows.
#[derive(Default)]
pub(super) struct Packing {
    pub(super) frames: BTreeMap<usize, Packed>,
    bytes: usize,
    run: Option<Run>,
}

/// An ffmpeg that makes frames.
struct Run {
    job: Job<Result<(), VideoError>>,
    made: Receiver<Arc<[u8]>>,
    first: usize,
    /// The frame that comes next.
    next: usize,
    end: usize,
    /// The frame that is wanted, which the window is told of.
    wanted: Arc<AtomicUsize>,
}

impl Packing {
    /// Takes frames that were made, and has others made: the wanted one, and others if it `reads_ahead`. `notify` is
    /// called on the thread of a job when one that is wanted soon is there.
    pub(super) fn follow(
        &mut self,
        video: &Video,
        wanted: usize,
        reads_ahead: bool,
        notify: impl Fn() + Clone + Send + 'static,
    ) {
        if let Some(run) = self.run.take() {
            self.run = self.take(run, wanted);
        }
        if let Some(run) = &self.run {
            run.wanted.store(wanted, Ordering::Relaxed);
            let is_coming = (run.next..run.end.min(run.next + SOON)).contains(&wanted);
            // A run has made a frame before it is ended, so that something is shown while the play head is dragged.
            if !is_coming && run.next > run.first && !self.frames.contains_key(&wanted) {
                run.job.cancel();
            }
            return;
        }
        let missing = if reads_ahead { self.missing(wanted, video.frames) } else { None };
        let alone = (!reads_ahead && !self.frames.contains_key(&wanted)).then_some((wanted, wanted + 1));
        if let Some((first, end)) = missing.or(alone) {
            self.run = Some(Run::start(video, first, end, wanted, notify));
        }
    }

    /// Takes what a run has made. Returns the run unless it has ended.
    fn take(&mut self, mut run: Run, wanted: usize) -> Option<Run> {
        // Asked first: then all that it made is there to be taken.
        let ended = run.job.poll();
        while let Ok(frame) = run.made.try_recv() {
            self.insert(run.next, Ok(frame), wanted);
            run.next += 1;
        }
        let problem = match ended {
            None => return Some(run),
            Some(Ok(Ok(()) | Err(VideoError::Cancelled(_)))) => return None,
            Some(Ok(Err(error))) => error.to_string(),
            Some(Err(error)) => error.to_string(),
        };
        (run.next..run.end).for_each(|frame| self.insert(frame, Err(problem.clone()), wanted));
        None
    }

    /// Adds a frame, and drops those that are farthest from the wanted one until all fit.
    fn insert(&mut self, frame: usize, packed: Packed, wanted: usize) {
        self.bytes += bytes_of(&packed);
        if let Some(before) = self.frames.insert(frame, packed) {
            self.bytes -= bytes_of(&before);
        }
        while self.bytes > MOST_PACKED_BYTES
            && let (Some((&first, _)), Some((&last, _))) = (self.frames.first_key_value(), self.frames.last_key_value())
            && first < last
        {
            // Three quarters of them are after the wanted one.
            let is_first = wanted.saturating_sub(first) * 3 > last.saturating_sub(wanted);
            let dropped = self.frames.remove(if is_first { &first } else { &last });
            self.bytes -= dropped.as_ref().map_or(0, bytes_of);
        }
    }

    /// The frames that are made next: the first and the end of a part of the video.
    fn missing(&self, wanted: usize, count: usize) -> Option<(usize, usize)> {
        // How many fit, by those that are there.
        let fit = self.frames.len().max(1).saturating_mul(MOST_PACKED_BYTES) / self.bytes.max(1);
        let from = wanted.saturating_sub(fit / 4);
        let until = count.min(wanted.saturating_add(fit / 4 * 3 + 1));
        let is_full = self.bytes + self.bytes / self.frames.len().max(1) * AHEAD > MOST_PACKED_BYTES;
        // Once there is no room for more, a run waits until it is worth its beginning.
        let soon = if is_full { count.min(wanted.saturating_add(fit / 4 + 1)) } else { until };
        let is_missing = |frame: &usize| !self.frames.contains_key(frame);
        let before = if is_full { wanted..wanted } else { from..wanted };
        let first = (wanted..soon).chain(before).find(is_missing)?;
        let end = if first < wanted { wanted } else { until };
        Some((first, (first..end).take(MOST_OF_RUN).take_while(is_missing).last()? + 1))
    }
}

impl Run {
    fn start(
        video: &Video,
        first: usize,
        end: usize,
        wanted: usize,
        notify: impl Fn() + Clone + Send + 'static,
    ) -> Self {
        let wanted = Arc::new(AtomicUsize::new(wanted));
        let (video, awaited, when_ended) = (video.clone(), wanted.clone(), notify.clone());
        let (made_by_job, made) = channel();
        // The program is ended with the job.
        let job = Job::spawn("reference", OnDrop::Join, when_ended, move |control| {
            let mut next = first;
            video.pack(first, end - first, &|| !control.is_cancelled(), &mut |frame| {
                // The receiver is gone if the job was dropped.
                let _ = made_by_job.send(frame);
                let wanted = awaited.load(Ordering::Relaxed);
                if (wanted..=wanted + AHEAD).contains(&next) {
                    notify();
                }
                next += 1;
            })
        });
        Self { job, made, first, next: first, end, wanted }
    }
}

fn bytes_of(packed: &Packed) -> usize {
    packed.as_ref().map_or(0, |bytes| bytes.len())
}
