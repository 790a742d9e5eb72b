//! Work that goes on while the window shows frames: on threads of its own, or one step per frame.

mod deltas;
mod derived;
mod exports;
pub(crate) mod file_dialog;
mod fonts;
mod of_head;
mod pictures;
mod reference;
mod sound_player;
mod version_sheet;

use std::path::Path;

use winit::window::Window;

use super::event::EventSender;
use deltas::DeltasJob;
use derived::Derived;
pub(super) use exports::Ended;
use exports::Exports;
use file_dialog::{Picked, Question};
use fonts::FontSearch;
use of_head::{Comparison, Intersections, Lint, Occlusion};
use pictures::Pictures;
use reference::ReferenceJob;
use smirk_base::job::{Job, OnDrop};
use smirk_editor::bench::{self, SuitedMode};
use smirk_editor::document::{LoadRequest, Loader};
use smirk_editor::export::{Ffmpeg, FilmFormat};
use smirk_editor::session::Session;
use smirk_face::judge;
use smirk_graphics::blend::Precision;
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::UsualSurfaces;
use smirk_ui::UiState;
pub(super) use sound_player::WindowSound;
use version_sheet::VersionSheetJob;

/// All jobs of the window. Those that use the graphics driver or write a file are joined when it closes.
pub(super) struct Jobs {
    /// Notifies the event loop.
    pub events: EventSender,
    /// Reads heads, projects, takes and poses.
    pub loader: Loader,
    /// The upload of the head's deltas.
    pub deltas: DeltasJob,
    /// The findings of the head's lint.
    pub lint: Lint,
    /// The combinations of expressions that break the face.
    pub combinations: judge::Worker,
    /// The intersections of the face.
    pub intersections: Intersections,
    /// The ambient occlusion of the head's vertices.
    pub ambient_occlusion: Occlusion,
    /// The ambient occlusion of another version's vertices.
    pub version_ambient_occlusion: Occlusion,
    /// Pipelines that many heads need, built once the first head is complete and kept.
    pub usual_surfaces: Derived<(), Option<UsualSurfaces>>,
    /// The comparison with another version.
    pub version: Comparison,
    /// The sheet of what differs most between two versions.
    pub version_sheet: VersionSheetJob,
    /// Fonts for letters that the window's own lack.
    pub fonts: FontSearch,
    /// The measurement of all blend modes.
    pub bench: bench::Worker,
    /// Thumbnails.
    pub pictures: Pictures,
    /// Exports that are not complete.
    pub exports: Exports,
    /// The frames of the reference.
    pub reference: ReferenceJob,
    /// The version of the ffmpeg that makes films of a format, or why there is none.
    ffmpeg: Derived<FilmFormat, Result<String, String>>,
    suited_mode: Option<Job<SuitedMode>>,
    dialogs: Vec<(Question, Job<Picked>)>,
}

impl Jobs {
    /// No job yet. `precision` is that of the deltas of loaded heads.
    pub(super) fn new(events: EventSender, precision: Precision) -> Self {
        Self {
            events,
            loader: Loader::new(precision),
            deltas: DeltasJob::default(),
            lint: Lint::default(),
            combinations: judge::Worker::default(),
            intersections: Intersections::default(),
            ambient_occlusion: Occlusion::default(),
            version_ambient_occlusion: Occlusion::default(),
            usual_surfaces: Derived::default(),
            version: Comparison::default(),
            version_sheet: VersionSheetJob::default(),
            fonts: FontSearch::default(),
            bench: bench::Worker::default(),
            pictures: Pictures::default(),
            exports: Exports::default(),
            reference: ReferenceJob::default(),
            ffmpeg: Derived::default(),
            suited_mode: None,
            dialogs: Vec::new(),
        }
    }

    /// Starts to load, for a window with this session; a load under way is cancelled.
    pub(super) fn load(&mut self, request: LoadRequest, session: &Session, gpu: &Gpu) {
        // If it is the same head, its sliders are kept.
        let is_another = request.name() != session.source.name();
        self.loader.expect_rest(is_another && session.leaves_another_head_at_rest());
        self.loader.start(request, gpu, self.events.job_notifier());
    }

    /// Starts to measure which blend mode suits the adapter.
    pub(super) fn find_suited_mode(&mut self, gpu: &Gpu) {
        self.suited_mode = Some(bench::find_suited_mode(gpu, self.events.job_notifier()));
    }

    /// Whether the blend modes are being measured.
    pub(super) fn finds_suited_mode(&self) -> bool {
        self.suited_mode.is_some()
    }

    /// The blend mode that suits the adapter, once.
    pub(super) fn take_suited_mode(&mut self) -> Option<SuitedMode> {
        let result = self.suited_mode.as_mut()?.poll()?;
        self.suited_mode = None;
        // Without a result, compute is used, and the next start tries again.
        result.ok()
    }

    /// Builds the pipelines that many heads need, unless other work `waits`. Without them, the first picture of a head takes longer.
    pub(super) fn build_usual_surfaces(&mut self, gpu: &Gpu, waits: bool) {
        let (gpu, notify) = (gpu.clone(), self.events.job_notifier());
        self.usual_surfaces.follow((), !waits, || {
            Job::spawn("usual surfaces", OnDrop::Join, notify, move |_| UsualSurfaces::new(&gpu))
        });
    }

    /// Looks for the ffmpeg that makes films of a format, unless it was the last that was looked for. Choosing the format again repeats the
    /// search, for example after ffmpeg was installed.
    pub(super) fn find_ffmpeg(&mut self, format: Option<FilmFormat>) {
        let Some(format) = format else { return self.ffmpeg.forget() };
        let notify = self.events.job_notifier();
        self.ffmpeg.follow(format, true, || {
            Job::spawn("ffmpeg search", OnDrop::Detach, notify, move |_| {
                Ffmpeg::find(format).map(|ffmpeg| ffmpeg.version).map_err(|error| error.to_string())
            })
        });
    }

    /// The version of that ffmpeg, or why there is none; `None` while it is not known.
    pub(super) fn found_ffmpeg(&self) -> Option<Result<String, String>> {
        let found = self.ffmpeg.outcome()?;
        Some(found.as_ref().map_or_else(|error| Err(error.to_string()), Clone::clone))
    }

    /// Opens a file dialog.
    pub(super) fn ask(&mut self, parent: &Window, question: Question, suggestion: &Path) {
        let job = file_dialog::show(parent, question, suggestion, self.events.job_notifier());
        self.dialogs.push((question, job));
    }

    /// Whether a file dialog with this question is open.
    pub(super) fn is_asking(&self, question: Question) -> bool {
        self.dialogs.iter().any(|(other, _)| *other == question)
    }

    /// Cancels everything, so that the threads that are joined when the window closes end side by side and not one after the other.
    pub(super) fn cancel_all(&mut self) {
        self.loader.cancel();
        self.deltas.cancel();
        self.bench.cancel();
        self.version_sheet.cancel();
        self.exports.cancel_all();
        if let Some(job) = &self.suited_mode {
            job.cancel();
        }
    }

    /// A file dialog that was closed, and its answer.
    pub(super) fn take_answer(&mut self) -> Option<(Question, Picked)> {
        let (index, picked) = self
            .dialogs
            .iter_mut()
            .enumerate()
            .find_map(|(index, (_, job))| Some((index, job.poll()?.unwrap_or(Picked::NoDialog))))?;
        Some((self.dialogs.remove(index).0, picked))
    }

    /// Whether a thumbnail, or a picture of a contact sheet or an export, can be drawn in the next frame without delaying the artist.
    pub(super) fn has_pictures_to_draw(&self, ui: &UiState) -> bool {
        (self.pictures.is_busy() || self.exports.is_drawing()) && !ui.is_interacting
    }
}
