//! Exports beside the window: files that are written on threads of their own, and pictures that are drawn between its frames.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use thiserror::Error;

use smirk_base::job::{CancelledJobs, Job, JobControl, OnDrop};
use smirk_base::names::printable;
use smirk_editor::export::{
    DrawnExport, ExportError, ExportKind, ExportReport, ExportRequest, ExportWork, OutputPath, Renderers,
};
use smirk_face::head::listed;
use smirk_ui::ExportStatus;

/// The exports that are not complete. Those that are drawn are drawn one after the other.
#[derive(Default)]
pub(crate) struct Exports {
    running: Vec<Running>,
    ended: Vec<Ended>,
    /// Exports that were given up, which end on threads of their own: pictures may still be compressed, and ffmpeg may be starting.
    given_up: CancelledJobs<()>,
    /// How fast pictures were drawn last.
    megasamples_per_sec: Option<f64>,
}

struct Running {
    kind: ExportKind,
    output: OutputPath,
    work: Work,
}

enum Work {
    /// Joined when it is dropped, so that the program does not end before the file is complete or gone.
    File(Job<Result<ExportReport, ExportError>>),
    Drawn {
        work: Box<DrawnExport>,
        /// When its first picture was begun.
        began: Option<Instant>,
        /// Millions of samples of pixels of a picture.
        megasamples: f64,
        notify: Box<dyn Fn() + Send>,
    },
}

impl Running {
    /// Whether it has pictures left to draw.
    fn is_drawn(&self) -> bool {
        matches!(self.work, Work::Drawn { .. })
    }
}

/// An export that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::window) struct Ended {
    /// What was exported.
    pub kind: ExportKind,
    /// The file that was chosen.
    pub path: PathBuf,
    /// What the files lack, a sentence each; or why there are none.
    pub outcome: Result<Vec<String>, String>,
}

/// Another export goes to the same file.
#[derive(Debug, Error)]
#[error("another export to {} is still running. Wait until it ends, or choose another name", path.display())]
pub(crate) struct SameFile {
    path: PathBuf,
}

impl Exports {
    /// Begins an export. `notify` is called on its thread when it has progressed or ended. A contact sheet has a queue of its own,
    /// and is none of these.
    pub(crate) fn start(
        &mut self,
        request: &ExportRequest,
        work: ExportWork,
        output: OutputPath,
        notify: impl Fn() + Send + 'static,
    ) -> Result<(), SameFile> {
        if self.running.iter().any(|other| other.output.is_same_file(&output)) {
            return Err(SameFile { path: output.path().to_owned() });
        }
        let work = match work {
            ExportWork::File(export) => {
                let run = move |control: &JobControl| export.run(control.progress());
                Work::File(Job::spawn("export", OnDrop::Join, notify, run))
            }
            ExportWork::Drawn(work) => {
                Work::Drawn { work, began: None, megasamples: request.megasamples(), notify: Box::new(notify) }
            }
            ExportWork::Sheet(_) => return Ok(()),
        };
        self.running.push(Running { kind: request.kind, output, work });
        Ok(())
    }

    /// Whether there are pictures left to draw.
    pub(crate) fn is_drawing(&self) -> bool {
        self.running.iter().any(Running::is_drawn)
    }

    /// Draws for about so long, at least one piece of a picture. After the last picture of an export, its files are completed on
    /// another thread.
    pub(crate) fn draw_next(&mut self, mut renderers: Renderers<'_>, most: Duration) {
        let Some(index) = self.running.iter().position(Running::is_drawn) else { return };
        let Work::Drawn { work, began, megasamples, .. } = &mut self.running[index].work else { return };
        let began = began.get_or_insert_with(Instant::now);
        let stepped = work.step_for(&mut renderers, most);
        if work.done() > 0 {
            let secs = began.elapsed().as_secs_f64().max(1e-3);
            self.megasamples_per_sec = Some(*megasamples * work.done() as f64 / secs);
        }
        if matches!(stepped, Ok(true)) {
            return;
        }
        let Running { kind, output, work } = self.running.remove(index);
        match (stepped, work) {
            (Ok(_), Work::Drawn { mut work, notify, .. }) => {
                let finish =
                    move |control: &JobControl| work.finish(control.progress()).map(|()| ExportReport::default());
                let work = Work::File(Job::spawn("export", OnDrop::Join, notify, finish));
                self.running.insert(index, Running { kind, output, work });
            }
            (stepped, work) => {
                self.give_up(work);
                self.end(kind, &output, stepped.map(|_| ExportReport::default()));
            }
        }
    }

    /// Drops an export without waiting for it.
    fn give_up(&mut self, work: Work) {
        self.given_up.push(Job::spawn("given up export", OnDrop::Join, || {}, move |_| drop(work)));
    }

    /// How many millions of samples of pixels were drawn in a second, if any were.
    pub(crate) fn megasamples_per_sec(&self) -> Option<f64> {
        self.megasamples_per_sec
    }

    /// An export that has ended, once; none of those that were cancelled.
    pub(crate) fn take_ended(&mut self) -> Option<Ended> {
        self.given_up.clear_ended();
        let polled = |(index, export): (usize, &mut Running)| match &mut export.work {
            Work::File(job) => Some((index, job.poll()?)),
            Work::Drawn { .. } => None,
        };
        while let Some((index, result)) = self.running.iter_mut().enumerate().find_map(polled) {
            let Running { kind, output, .. } = self.running.remove(index);
            match result {
                Ok(result) => self.end(kind, &output, result),
                Err(error) => {
                    let outcome = Err(format!("{}: {error}", output.path().display()));
                    self.ended.push(Ended { kind, path: output.path().to_owned(), outcome });
                }
            }
        }
        if self.ended.is_empty() { None } else { Some(self.ended.remove(0)) }
    }

    fn end(&mut self, kind: ExportKind, output: &OutputPath, result: Result<ExportReport, ExportError>) {
        if matches!(&result, Err(error) if error.is_cancelled()) {
            return;
        }
        let outcome = result.map(|report| losses(&report)).map_err(|error| error.to_string());
        self.ended.push(Ended { kind, path: output.path().to_owned(), outcome });
    }

    /// Cancels the export whose progress is shown.
    pub(crate) fn cancel(&mut self) {
        match self.running.first().map(|export| &export.work) {
            Some(Work::File(job)) => job.cancel(),
            Some(Work::Drawn { .. }) => {
                let export = self.running.remove(0);
                self.give_up(export.work);
            }
            None => {}
        }
    }

    /// Cancels those that are drawn. Returns whether there were any.
    pub(crate) fn cancel_drawn(&mut self) -> bool {
        let drawn: Vec<Running> = self.running.extract_if(.., |export| export.is_drawn()).collect();
        let were_any = !drawn.is_empty();
        drawn.into_iter().for_each(|export| self.give_up(export.work));
        were_any
    }

    /// Cancels everything.
    pub(crate) fn cancel_all(&mut self) {
        self.cancel_drawn();
        for export in &self.running {
            if let Work::File(job) = &export.work {
                job.cancel();
            }
        }
    }

    /// The progress of the first export, as the window shows it.
    pub(crate) fn status(&self) -> Option<ExportStatus> {
        let export = self.running.first()?;
        let (stage, fraction, secs_left, is_cancelled) = match &export.work {
            Work::File(job) => {
                let progress = job.progress();
                (progress.stage, progress.fraction, None, job.is_cancelled())
            }
            Work::Drawn { work, began, .. } => {
                let (done, total) = (work.done(), work.total().max(1));
                let secs = began.map(|began| began.elapsed().as_secs_f64()).filter(|_| done > 0);
                let secs_left = secs.map(|secs| secs / done as f64 * (total - done.min(total)) as f64);
                (work.stage(), done as f32 / total as f32, secs_left, false)
            }
        };
        Some(ExportStatus {
            kind: export.kind,
            stage,
            fraction,
            secs_left,
            waiting: self.running.len() - 1,
            is_cancelled,
        })
    }
}

/// What the files of an export lack, a sentence each.
fn losses(report: &ExportReport) -> Vec<String> {
    const MOST_NAMES: usize = 12;
    let mut losses = Vec::new();
    let unmapped: Vec<_> = report.unmapped_channels.iter().map(|name| printable(name)).collect();
    if !unmapped.is_empty() {
        let names = listed(&unmapped, MOST_NAMES);
        losses.push(format!("The format has no column for channels that are not at rest: {names}."));
    }
    losses.extend(report.lost_motion.map(|lost| lost.in_words().to_owned()));
    losses.extend(report.flattened.as_ref().map(|flattened| printable(&flattened.in_words()).into_owned()));
    losses.extend(report.left_out_correctives.clone());
    losses
}

#[cfg(test)]
mod tests;
