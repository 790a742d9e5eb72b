//! Exports beside the window: files that are written on threads of their own, and pictures that are drawn between its
//! frames.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use thiserror::Error;

use smirk_base::derived::Derived;
use smirk_base::job::{CancelledJobs, Job, OnDrop};
use smirk_base::names::printable;
use smirk_export::{
    DrawnWork, ExportError, ExportKind, ExportReport, ExportRequest, ExportWork, Ffmpeg, FilmFormat, OutputPath,
    Renderers,
};
use smirk_face::head::listed;
use smirk_ui::{ExportStatus, ExportView, SheetStatus};

/// The exports that are not complete. Those that are drawn are drawn one after the other.
#[derive(Default)]
pub(crate) struct Exports {
    running: Vec<Running>,
    ended: Vec<Ended>,
    /// Cancelled exports, which end on threads of their own: pictures may still be compressed, and ffmpeg may be
    /// starting.
    given_up: CancelledJobs<()>,
    /// The speed of the last drawing: pixels times samples in a second, in millions.
    megasamples_per_sec: Option<f64>,
    /// The version of the ffmpeg that makes films of a format, or why there is none.
    ffmpeg: Derived<FilmFormat, String>,
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
        work: Box<DrawnWork>,
        began: Option<Instant>,
        /// The work of one picture: pixels times samples, in millions.
        megasamples: f64,
        notify: Box<dyn Fn() + Send>,
    },
}

impl Running {
    fn is_drawn(&self) -> bool {
        matches!(self.work, Work::Drawn { .. })
    }

    /// Whether it is a contact sheet, whose progress is shown apart from that of the others.
    fn is_sheet(&self) -> bool {
        self.kind == ExportKind::Sheet
    }
}

#[derive(Debug)]
pub(in crate::window) struct Ended {
    pub kind: ExportKind,
    pub path: PathBuf,
    /// What the files lack, a sentence each; or why there are none.
    pub outcome: anyhow::Result<Vec<String>>,
}

#[derive(Debug, Error)]
#[error("another export to {} is still running. Wait until it ends, or choose another name", path.display())]
pub(crate) struct SameFile {
    path: PathBuf,
}

impl Exports {
    /// Begins an export. `notify` is called on its thread when it has progressed or ended.
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
                Work::File(Job::spawn("export", OnDrop::Join, notify, move |control| export.run(control.progress())))
            }
            ExportWork::Drawn(work) => {
                Work::Drawn { work, began: None, megasamples: request.megasamples(), notify: Box::new(notify) }
            }
        };
        self.running.push(Running { kind: request.kind, output, work });
        Ok(())
    }

    pub(crate) fn is_drawing(&self) -> bool {
        self.running.iter().any(Running::is_drawn)
    }

    /// Draws for about this long, at least one batch of a picture. After the last picture of an export, its files are
    /// completed on another thread.
    pub(crate) fn draw_next(&mut self, mut renderers: Renderers<'_>, most: Duration) {
        // Contact sheets come first: they take less time.
        let drawn = self.running.iter().enumerate().filter(|(_, export)| export.is_drawn());
        let Some((index, _)) = drawn.min_by_key(|(_, export)| !export.is_sheet()) else { return };
        let Work::Drawn { work, began, megasamples, .. } = &mut self.running[index].work else { return };
        let began = began.get_or_insert_with(Instant::now);
        let stepped = work.step_for(&mut renderers, most);
        if work.done() > 0 && !matches!(**work, DrawnWork::Sheet(..)) {
            let secs = began.elapsed().as_secs_f64().max(1e-3);
            self.megasamples_per_sec = Some(*megasamples * work.done() as f64 / secs);
        }
        if matches!(stepped, Ok(true)) {
            return;
        }
        let Running { kind, output, work } = self.running.remove(index);
        match (stepped, work) {
            (Ok(_), Work::Drawn { work, notify, .. }) => {
                let finishing =
                    Job::spawn("export", OnDrop::Join, notify, move |control| work.finish(control.progress()));
                self.running.insert(index, Running { kind, output, work: Work::File(finishing) });
            }
            (stepped, work) => {
                self.give_up(work);
                self.end(kind, &output, stepped.map(|_| ExportReport::default()));
            }
        }
    }

    fn give_up(&mut self, work: Work) {
        self.given_up.push(Job::spawn("given up export", OnDrop::Join, || {}, move |_| drop(work)));
    }

    /// What the Export page shows of the exports, while it describes this one. Looks for the ffmpeg that the described
    /// export needs, unless it was the last that was looked for; choosing the format again repeats the search, for
    /// example after ffmpeg was installed.
    pub(crate) fn view(&mut self, described: Option<&ExportRequest>, notify: impl Fn() + Send + 'static) -> ExportView {
        let format = described.and_then(ExportRequest::film_of_ffmpeg);
        match format {
            None => self.ffmpeg.forget(),
            Some(format) => {
                self.ffmpeg.follow(format, true, || {
                    Job::spawn("ffmpeg search", OnDrop::Detach, notify, move |control| {
                        Ok(Ffmpeg::find(format, control.progress())?.version)
                    })
                });
            }
        }
        let ffmpeg = format.and_then(|format| self.ffmpeg.outcome(&format));
        ExportView {
            running: self.status(),
            ffmpeg: ffmpeg.map(|found| found.as_ref().map_err(ToString::to_string).cloned()),
            megasamples_per_sec: self.megasamples_per_sec,
        }
    }

    /// An export that has ended, once; none of those that were cancelled.
    pub(crate) fn take_ended(&mut self) -> Option<Ended> {
        self.given_up.clear_ended();
        let mut index = 0;
        while let Some(running) = self.running.get_mut(index) {
            let Work::File(job) = &mut running.work else {
                index += 1;
                continue;
            };
            let Some(result) = job.poll() else {
                index += 1;
                continue;
            };
            let Running { kind, output, .. } = self.running.remove(index);
            match result {
                Ok(result) => self.end(kind, &output, result),
                Err(error) => {
                    let outcome = Err(anyhow!("{}: {error}", output.path().display()));
                    self.ended.push(Ended { kind, path: output.path().to_owned(), outcome });
                }
            }
        }
        if self.ended.is_empty() { None } else { Some(self.ended.remove(0)) }
    }

    fn end(&mut self, kind: ExportKind, output: &OutputPath, result: Result<ExportReport, ExportError>) {
        if matches!(&result, Err(ExportError::Cancelled(_))) {
            return;
        }
        let outcome = result.map(|report| losses(&report)).map_err(anyhow::Error::from);
        self.ended.push(Ended { kind, path: output.path().to_owned(), outcome });
    }

    pub(crate) fn cancel(&mut self) {
        self.cancel_first(|export| !export.is_sheet());
    }

    /// Cancels the contact sheet that is being drawn, unless it is already being written. The next one begins.
    pub(crate) fn cancel_sheet(&mut self) {
        self.cancel_first(|export| export.is_sheet() && export.is_drawn());
    }

    fn cancel_first(&mut self, is_meant: impl Fn(&Running) -> bool) {
        let Some(index) = self.running.iter().position(is_meant) else { return };
        match &self.running[index].work {
            Work::File(job) => job.cancel(),
            Work::Drawn { .. } => {
                let export = self.running.remove(index);
                self.give_up(export.work);
            }
        }
    }

    /// Cancels the contact sheets that are drawn. Returns whether there were any.
    pub(crate) fn cancel_drawn_sheets(&mut self) -> bool {
        self.cancel_drawn_of(Running::is_sheet)
    }

    /// Cancels all that are drawn. Returns whether there were any.
    pub(crate) fn cancel_drawn(&mut self) -> bool {
        self.cancel_drawn_of(|_| true)
    }

    fn cancel_drawn_of(&mut self, is_meant: impl Fn(&Running) -> bool) -> bool {
        let drawn: Vec<Running> = self.running.extract_if(.., |export| export.is_drawn() && is_meant(export)).collect();
        let were_any = !drawn.is_empty();
        drawn.into_iter().for_each(|export| self.give_up(export.work));
        were_any
    }

    pub(crate) fn cancel_all(&mut self) {
        self.cancel_drawn();
        for export in &self.running {
            if let Work::File(job) = &export.work {
                job.cancel();
            }
        }
    }

    /// The progress of the first export, as the window shows it.
    fn status(&self) -> Option<ExportStatus> {
        let mut exports = self.running.iter().filter(|export| !export.is_sheet());
        let export = exports.next()?;
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
        Some(ExportStatus { kind: export.kind, stage, fraction, secs_left, waiting: exports.count(), is_cancelled })
    }

    /// The progress of the first contact sheet, as the window shows it.
    pub(crate) fn sheet_status(&self) -> Option<SheetStatus> {
        let mut sheets = self.running.iter().filter(|export| export.is_sheet());
        let drawing = match &sheets.next()?.work {
            Work::File(_) => None,
            Work::Drawn { work, .. } => Some((work.done(), work.total())),
        };
        Some(SheetStatus { drawing, waiting: sheets.count() })
    }
}

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
    losses.extend(report.left_out.iter().cloned());
    losses.extend(report.unseen.as_ref().map(|unseen| format!("But {unseen}.")));
    losses
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant};

    use super::*;
    use smirk_base::progress::Progress;
    use smirk_export::{
        Dither, ExistingFiles, Ffmpeg, FilmFormat, FilmPlan, FilmQuality, FilmSettings, FrameSpan, Labels,
        PictureFormat, PictureSettings,
    };
    use smirk_face::head::{Asset, Head, Mesh};
    use smirk_face::motion::{FrameRate, Pose, PoseId};
    use smirk_graphics::blend::{Layout, Precision};
    use smirk_graphics::gpu::{Gpu, Prefer};
    use smirk_picture::render::{HeadOnGpu, Renderer};
    use smirk_scene::{BlendMode, Camera, Look, View};
    use smirk_session::{HeadSource, Session, SheetOf};

    fn drawn() -> (Session, Renderer) {
        let (head, gpu) =
            (Arc::new(smirk_files::import::embedded().unwrap()), Gpu::headless(Prefer::Software).unwrap());
        let mut renderer = Renderer::new(&gpu);
        let layout = Arc::new(Layout::new(&head, Precision::Packed));
        renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout).unwrap());
        (Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu), renderer)
    }

    fn one_picture(samples: u32) -> ExportRequest {
        ExportRequest {
            kind: ExportKind::Pictures,
            picture: PictureFormat::Png,
            existing: ExistingFiles::Replace,
            is_one_moment: true,
            size: [64, 48],
            samples,
            ..ExportRequest::default()
        }
    }

    #[test]
    fn a_picture_with_many_samples_gives_the_window_frames_in_between() {
        const SAMPLES: u32 = 24;
        let folder = tempfile::tempdir().unwrap();
        let ((session, mut renderer), mut exports) = (drawn(), Exports::default());
        let (request, path) = (one_picture(SAMPLES), folder.path().join("a.png"));
        let output = OutputPath::new(&path);
        let (send, notified) = channel();
        let work = request.start(&session, output.clone()).unwrap();
        exports.start(&request, work, output, move || _ = send.send(())).unwrap();
        let mut frames = 0;
        while exports.is_drawing() {
            exports.draw_next((&mut renderer).into(), Duration::ZERO);
            frames += 1;
            assert!(frames < 100_000, "it is never drawn");
        }
        assert!(frames > SAMPLES, "{frames} frames");
        let ended = loop {
            match exports.take_ended() {
                Some(ended) => break ended,
                None => notified.recv_timeout(Duration::from_secs(120)).unwrap(),
            }
        };
        assert!(ended.outcome.unwrap().is_empty() && exports.status().is_none());
        assert_eq!(image::open(&path).unwrap().into_rgba8().dimensions(), (64, 48));
    }

    #[test]
    fn cancelling_between_two_batches_of_a_picture_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let ((session, mut renderer), mut exports) = (drawn(), Exports::default());
        let (request, output) = (one_picture(4096), OutputPath::new(folder.path().join("a.png")));
        let work = request.start(&session, output.clone()).unwrap();
        exports.start(&request, work, output, || {}).unwrap();
        for _ in 0..30 {
            exports.draw_next((&mut renderer).into(), Duration::ZERO);
            assert!(exports.is_drawing() && exports.status().is_some());
        }
        exports.cancel();
        assert!(!exports.is_drawing() && exports.status().is_none() && exports.take_ended().is_none());
        drop(exports);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_head_is_exported_beside_the_window_and_the_end_is_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let head = Arc::new(Head::new(Asset { meshes: vec![Mesh::default()], ..Asset::default() }));
        let session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
        let request = ExportRequest::of_head();
        let (mut exports, (send, ended)) = (Exports::default(), channel());
        let mut save = |path: PathBuf| {
            let (send, output) = (send.clone(), OutputPath::new(path));
            let work = request.start(&session, output.clone()).unwrap();
            exports.start(&request, work, output, move || _ = send.send(())).unwrap();
            let mut result = None;
            while result.is_none() {
                ended.recv_timeout(Duration::from_secs(120)).unwrap();
                result = exports.take_ended();
            }
            assert!(exports.take_ended().is_none() && exports.status().is_none());
            result.unwrap()
        };
        let path = folder.path().join("a.glb");
        let saved = save(path.clone());
        assert_eq!((saved.kind, &saved.path, saved.outcome.unwrap().len()), (ExportKind::Head, &path, 0));
        assert!(std::fs::read(&path).unwrap().starts_with(b"glTF"));
        let refused = save(folder.path().join("no/a.glb")).outcome.unwrap_err().to_string();
        assert!(refused.contains("there is no folder"), "{refused}");
    }

    /// A shell script that takes the place of ffmpeg.
    #[cfg(unix)]
    fn stand_in(programs: &Path, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let program = programs.join("ffmpeg");
        let answers = "-version) echo ffmpeg version 9.9;; -encoders) echo ' V..... libx264 H.264';;";
        std::fs::write(&program, format!("#!/bin/sh\ncase $2 in {answers} *) {script};; esac\n")).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// A film of twelve frames in a folder that begins, made by the ffmpeg in another. Each frame has more bytes than a
    /// pipe holds. What is received are notifications.
    fn film(folder: &Path, programs: &Path) -> (Exports, Renderer, Receiver<()>) {
        let ((session, renderer), mut exports) = (drawn(), Exports::default());
        let pictures = PictureSettings {
            size: [256, 256],
            samples: 0,
            camera: Camera::framing(session.head.focus, session.head.character, View::Front, 1.0),
            turn_secs: None,
            mode: BlendMode::Cpu,
            is_transparent: false,
            labels: Labels::default(),
            compared: None,
            with_reference: false,
        };
        let span = FrameSpan::new(FrameRate::nearest(24.0), 0, 11).unwrap();
        let settings = FilmSettings {
            pictures,
            span,
            format: FilmFormat::Mp4,
            quality: FilmQuality::default(),
            dither: Dither::default(),
            sound: None,
        };
        let (output, programs) = (OutputPath::new(folder.join("a.mp4")), programs.as_os_str().to_owned());
        let find = move |format, progress: Progress<'_>| Ffmpeg::find_in(&programs, format, progress);
        let plan = FilmPlan::new(&session, &output, settings).unwrap();
        let work = DrawnWork::Frames(Box::new(plan.start(&session, find).unwrap()));
        let request = ExportRequest { kind: ExportKind::Film, ..ExportRequest::default() };
        let (send, notified) = channel();
        exports.start(&request, ExportWork::Drawn(Box::new(work)), output, move || _ = send.send(())).unwrap();
        (exports, renderer, notified)
    }

    fn files(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[cfg(unix)]
    #[test]
    fn a_film_that_is_cancelled_while_ffmpeg_ends_it_leaves_no_file() {
        let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        // It takes all pictures, and never ends.
        stand_in(programs.path(), "cat >/dev/null; exec sleep 600");
        let (mut exports, mut renderer, notified) = film(folder.path(), programs.path());
        while exports.is_drawing() {
            exports.draw_next((&mut renderer).into(), Duration::ZERO);
        }
        notified.recv_timeout(Duration::from_secs(120)).unwrap();
        assert!(exports.take_ended().is_none() && exports.status().is_some_and(|status| status.fraction == 1.0));
        assert_eq!(files(folder.path()), 1, "the temporary file");
        exports.cancel();
        while exports.status().is_some() {
            notified.recv_timeout(Duration::from_secs(120)).unwrap();
            assert!(exports.take_ended().is_none(), "a cancelled export is not reported");
        }
        assert_eq!(files(folder.path()), 0);
    }

    #[cfg(unix)]
    #[test]
    fn no_frame_and_no_cancelling_waits_for_an_ffmpeg_that_takes_no_pictures() {
        let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        stand_in(programs.path(), "exec sleep 600");
        let (mut exports, mut renderer, _notified) = film(folder.path(), programs.path());
        let mut draw = |exports: &mut Exports| {
            exports.draw_next((&mut renderer).into(), Duration::ZERO);
            exports.status().unwrap().stage
        };
        // ffmpeg is begun; one picture is passed to it, and one waits for that.
        let begun = Instant::now();
        while draw(&mut exports) != "frame 2 of 12" {
            assert!(begun.elapsed() < Duration::from_secs(120), "{}", draw(&mut exports));
        }
        for _ in 0..50 {
            assert_eq!(draw(&mut exports), "frame 2 of 12");
        }
        exports.cancel();
        assert!(exports.status().is_none() && exports.take_ended().is_none());
        drop(exports);
        assert_eq!(files(folder.path()), 0);
    }

    #[cfg(unix)]
    #[test]
    fn an_ffmpeg_that_ends_without_a_film_leaves_the_film_that_is_there() {
        let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let there = folder.path().join("a.mp4");
        for script in ["cat >/dev/null; exit 0", "cat >/dev/null; for last; do :; done; echo nothing > \"$last\""] {
            std::fs::write(&there, "the film before").unwrap();
            stand_in(programs.path(), script);
            let (mut exports, mut renderer, notified) = film(folder.path(), programs.path());
            let told = loop {
                exports.draw_next((&mut renderer).into(), Duration::ZERO);
                match exports.take_ended() {
                    Some(ended) => break ended.outcome.unwrap_err().to_string(),
                    None if exports.is_drawing() => {}
                    None => notified.recv_timeout(Duration::from_secs(120)).unwrap(),
                }
            };
            assert!(told.contains("without an error, and wrote no film") && told.contains("Its command was"), "{told}");
            assert_eq!((std::fs::read(&there).unwrap(), files(folder.path())), (b"the film before".to_vec(), 1));
        }
    }

    #[test]
    fn a_missing_ffmpeg_is_told_and_leaves_no_file() {
        let [folder, programs] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let (mut exports, mut renderer, _notified) = film(folder.path(), programs.path());
        while exports.is_drawing() {
            exports.draw_next((&mut renderer).into(), Duration::ZERO);
        }
        let told = exports.take_ended().unwrap().outcome.unwrap_err().to_string();
        assert!(told.contains("not in the PATH") && told.contains("apt install ffmpeg"), "{told}");
        drop(exports);
        assert_eq!(files(folder.path()), 0);
    }

    fn sheet() -> ExportRequest {
        ExportRequest::of_sheet(SheetOf::Poses)
    }

    fn with_poses() -> (Session, Renderer) {
        let (mut session, renderer) = drawn();
        session.edits.poses.clear();
        for (id, name) in [(1, "a"), (2, "b")] {
            session.edits.poses.push(Arc::new(Pose { id: PoseId(id), name: name.into(), weights: BTreeMap::new() }));
        }
        (session, renderer)
    }

    #[test]
    fn sheets_are_drawn_first_one_after_the_other_and_cancelled_ones_leave_no_file() {
        let (folder, (session, mut renderer)) = (tempfile::tempdir().unwrap(), with_poses());
        let (mut exports, (send, notified)) = (Exports::default(), channel());
        let start = |exports: &mut Exports, request: &ExportRequest, name: &str| {
            let (send, output) = (send.clone(), OutputPath::new(folder.path().join(name)));
            let work = request.start(&session, output.clone()).unwrap();
            exports.start(request, work, output, move || _ = send.send(()))
        };
        start(&mut exports, &one_picture(1), "picture.png").unwrap();
        for name in ["a.png", "b.png", "c.png", "d.png"] {
            start(&mut exports, &sheet(), name).unwrap();
        }
        let again = start(&mut exports, &sheet(), "./b.png").unwrap_err();
        assert!(again.to_string().contains("b.png"), "{again}");
        let status = |done| Some(SheetStatus { drawing: Some((done, 2)), waiting: 3 });
        assert_eq!((exports.sheet_status(), exports.status().map(|status| status.waiting)), (status(0), Some(0)));
        exports.draw_next((&mut renderer).into(), Duration::MAX);
        assert_eq!(exports.sheet_status(), status(1));
        let mut saved = Vec::new();
        while saved.len() < 2 {
            while saved.len() + exports.running.iter().filter(|export| !export.is_drawn()).count() < 2 {
                exports.draw_next((&mut renderer).into(), Duration::MAX);
            }
            notified.recv_timeout(Duration::from_secs(60)).unwrap();
            saved.extend(exports.take_ended().map(|ended| ended.path));
        }
        saved.sort();
        assert_eq!(saved, ["a.png", "b.png"].map(|name| folder.path().join(name)));
        assert_eq!(exports.sheet_status(), Some(SheetStatus { drawing: Some((0, 2)), waiting: 1 }));
        while exports.running.iter().filter(|export| export.is_sheet() && export.is_drawn()).count() == 2 {
            exports.draw_next((&mut renderer).into(), Duration::MAX);
        }
        exports.cancel_sheet();
        while saved.len() < 3 {
            notified.recv_timeout(Duration::from_secs(60)).unwrap();
            saved.extend(exports.take_ended().map(|ended| ended.path));
        }
        assert!(saved[2].ends_with("c.png"), "a sheet that is being written is not cancelled");
        assert!(exports.sheet_status().is_none() && exports.take_ended().is_none() && exports.is_drawing());
        assert!(!exports.cancel_drawn_sheets() && exports.cancel_drawn() && !exports.is_drawing());
        drop(exports);
        assert_eq!(files(folder.path()), 3, "only the sheets that were not cancelled");
    }
}
