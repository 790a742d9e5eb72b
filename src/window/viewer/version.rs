//! Another version of the head: opens it, compares again when one of the two is read again, and closes it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Viewer;
use super::loaded::lines;
use crate::window::jobs::follow_version;
use smirk_base::names::printable;
use smirk_base::watch::{FileWatch, FilesRead};
use smirk_editor::document::LoadRequest;
use smirk_export::{OutputPath, SheetScale};
use smirk_face::head::Version;
use smirk_picture::render::HeadOnGpu;
use smirk_session::{HeadSource, VersionProblem};
use smirk_ui::Page;

pub(in crate::window) struct VersionFiles {
    watch: FileWatch,
    /// The file without which it is gone: that of the head, or the first of its frames.
    first: PathBuf,
    /// A file of the command line that is read once the others are open.
    pub(super) wanted: Option<PathBuf>,
}

impl VersionFiles {
    /// Watches nothing yet. `notify` is called on another thread when a file may have changed; `wanted` is read once
    /// the files of the command line are open.
    pub(super) fn new(wanted: Option<PathBuf>, notify: impl Fn() + Send + 'static) -> Self {
        Self { watch: FileWatch::new(notify), first: PathBuf::new(), wanted }
    }

    /// Checks the files at the next opportunity: they may have changed in a way that the system does not report.
    pub(super) fn look_soon(&mut self, now: Instant) {
        self.watch.look_soon(now);
    }

    /// How long until the files are to be checked without an event.
    pub(super) fn due_in(&self, now: Instant) -> Option<Duration> {
        self.watch.due_in(now)
    }
}

impl Viewer {
    /// Begins to read another version of the head.
    pub(super) fn load_version(&mut self, path: PathBuf) {
        // An absolute path, so that it is found again wherever the program is.
        let source = HeadSource::File(std::path::absolute(&path).unwrap_or(path));
        self.load(LoadRequest::Version(source));
    }

    pub(super) fn show_version(
        &mut self,
        head: HeadOnGpu,
        version: Arc<Version>,
        source: HeadSource,
        read: &FilesRead,
    ) {
        let now = Instant::now();
        if let HeadSource::File(path) = &source {
            // A folder of frames, or a name with `#` in place of their numbers, was not read itself.
            let named = Some(path.clone()).filter(|path| path.is_file() || head.head().side_files.is_empty());
            let files: Vec<PathBuf> = named.into_iter().chain(head.head().side_files.iter().cloned()).collect();
            self.version_files.first.clone_from(&files[0]);
            // Changes that the system does not report are noticed when the window gets the focus.
            self.version_files.watch.follow(files, read, now).ok();
        }
        let name = source.name();
        let text = match version.frame_times_secs().len() {
            0 => format!("Compared with {}: {}", printable(&name), version.changes.summary()),
            frames => format!("{frames} frames of {} are B", printable(&name)),
        };
        if !version.frame_times_secs().is_empty() && !version.head.notes.is_empty() {
            self.notices.add_information(format!("{name} was read"), lines(&version.head.notes));
        }
        self.viewport.set_version(Some(head));
        self.document.session.compare_with(version, source);
        self.ui.open_page(Page::Report);
        self.notices.show_status(text, now);
    }

    pub(super) fn close_version(&mut self) {
        self.jobs.version_sheet.cancel();
        self.document.session.close_version();
        self.forget_version();
    }

    /// Frees the window's resources for a version that the session no longer has.
    fn forget_version(&mut self) {
        self.version_files.watch.stop();
        self.viewport.set_version(None);
        self.jobs.version.forget();
    }

    /// Compares again after the head was read again, and watches the files of the version.
    pub(super) fn follow_version(&mut self, now: Instant) {
        let session = &mut self.document.session;
        let Some(open) = &mut session.open_version else {
            if self.viewport.version.is_some() {
                self.forget_version();
                self.notices.show_status("The comparison has ended: another head is open".into(), now);
            }
            return;
        };
        if let Some(version) =
            follow_version(&mut self.jobs.version, open, &session.head, self.jobs.events.job_notifier())
        {
            open.version = Arc::new(version);
            self.window.request_redraw();
        }
        if !self.version_files.watch.take_change(now) {
            return;
        }
        let (problem, what) = match self.version_files.first.exists() {
            true => (VersionProblem::Changed, "has changed since it was read; the Report page reads it again"),
            false => (VersionProblem::Gone, "is gone from its folder; it is compared as it was read"),
        };
        open.problem = Some(problem);
        self.notices.show_status(format!("{} {what}", printable(&open.source.name())), now);
        self.request_frame();
    }

    /// Begins to draw the expressions that differ most.
    pub(super) fn draw_version_sheet(&mut self, scale: SheetScale, path: PathBuf) {
        let session = &self.document.session;
        let Some(open) = session.version() else { return };
        let mut files = self.document.files();
        files.extend(open.version.head.side_files.iter().cloned());
        if let HeadSource::File(file) = &open.source {
            files.push(file.clone());
        }
        let output = OutputPath::new(&path).protecting(files);
        if let Err(error) = output.check() {
            return self.notices.fail("Cannot save the sheet", error.to_string());
        }
        let heads = [session.head.clone(), open.version.head.clone()];
        self.jobs.draw_version_sheet(heads, (open.version.clone(), scale), &self.viewport.gpu, output);
    }
}
