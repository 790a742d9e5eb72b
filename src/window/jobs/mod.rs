//! Work that goes on while the window shows frames: on threads of its own, or one step per frame.

mod deltas;
mod exports;
pub(crate) mod file_dialog;
mod fonts;
mod of_head;
mod pictures;
mod reference;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use winit::window::Window;

use super::event::EventSender;
use deltas::DeltasJob;
pub(super) use exports::Ended;
use exports::Exports;
use file_dialog::{Picked, Question};
use fonts::FontSearch;
use of_head::{Comparison, FaceSearches, Lint, Occlusion};
pub(super) use of_head::{follow_lint, follow_renderer, follow_version};
use pictures::Pictures;
use reference::ReferenceJob;
use smirk_base::derived::Derived;
use smirk_base::job::{Job, OnDrop};
use smirk_editor::bench::{self, SuitedMode};
use smirk_editor::document::{LoadRequest, Loader};
use smirk_export::{OutputPath, SheetScale, version_sheet};
use smirk_face::head::{Head, Version};
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::Gpu;
use smirk_picture::ambient_occlusion::AmbientOcclusion;
use smirk_picture::render::{HeadOnGpu, Renderer, UsualSurfaces};
use smirk_session::Session;
use smirk_ui::UiState;

/// All jobs of the window. Those that use the graphics driver or write a file are joined when it closes.
pub(super) struct Jobs {
    pub events: EventSender,
    pub loader: Loader,
    pub deltas: DeltasJob,
    pub lint: Lint,
    pub searches: FaceSearches,
    pub ambient_occlusion: Occlusion,
    pub version_ambient_occlusion: Occlusion,
    /// Pipelines that many heads need, built once the first head is complete and kept.
    pub usual_surfaces: Derived<(), Option<UsualSurfaces>>,
    pub version: Comparison,
    pub version_sheet: Derived<(), PathBuf>,
    /// Fonts for letters that the window's own lack.
    pub fonts: FontSearch,
    pub bench: Derived<(), Arc<bench::Report>>,
    pub pictures: Pictures,
    pub exports: Exports,
    pub reference: ReferenceJob,
    /// The blend mode that suits the adapter. Without a result, compute is used, and the next start tries again.
    pub suited_mode: Derived<(), SuitedMode>,
    /// The file dialogs that are open, with `Document::opened` when they were shown.
    dialogs: Vec<(Question, u64, Job<Picked>)>,
}

impl Jobs {
    /// No job yet. `precision` is that of the deltas of loaded heads.
    pub(super) fn new(events: EventSender, precision: Precision) -> Self {
        Self {
            events,
            loader: Loader::new(precision),
            deltas: DeltasJob::default(),
            lint: Lint::default(),
            searches: FaceSearches::default(),
            ambient_occlusion: Occlusion::default(),
            version_ambient_occlusion: Occlusion::default(),
            usual_surfaces: Derived::default(),
            version: Comparison::default(),
            version_sheet: Derived::default(),
            fonts: FontSearch::default(),
            bench: Derived::default(),
            pictures: Pictures::default(),
            exports: Exports::default(),
            reference: ReferenceJob::default(),
            suited_mode: Derived::default(),
            dialogs: Vec::new(),
        }
    }

    /// Starts to load, for a window with this session; a load under way is cancelled.
    pub(super) fn load(&mut self, request: LoadRequest, session: &Session, gpu: &Gpu) {
        // If it is the same head, its sliders are kept.
        let is_another = request.name() != session.source.name();
        let at_rest = is_another && session.leaves_another_head_at_rest();
        let heads = [&session.head, session.unmended()];
        self.loader.start_for(request, heads, at_rest, gpu, self.events.job_notifier());
    }

    /// Starts to measure which blend mode suits the adapter.
    pub(super) fn find_suited_mode(&mut self, gpu: &Gpu) {
        let (gpu, notify) = (gpu.clone(), self.events.job_notifier());
        self.suited_mode.start((), || {
            Job::spawn("suited mode", OnDrop::Join, notify, move |control| {
                Ok(bench::suited_mode(&gpu, control.progress()))
            })
        });
    }

    pub(super) fn measure_modes(&mut self, head: &Arc<Head>, gpu: &Gpu, precision: Precision) {
        let (head, gpu, notify) = (head.clone(), gpu.clone(), self.events.job_notifier());
        self.bench.start((), || {
            Job::spawn("bench", OnDrop::Join, notify, move |control| {
                Ok(Arc::new(bench::measure_for_window(&head, &gpu, precision, control.progress())?))
            })
        });
    }

    /// Starts to draw the expressions that differ most between two versions, with a renderer of its own, since it shows
    /// three heads.
    pub(super) fn draw_version_sheet(
        &mut self,
        heads: [Arc<Head>; 2],
        (version, scale): (Arc<Version>, SheetScale),
        gpu: &Gpu,
        output: OutputPath,
    ) {
        let (gpu, notify) = (gpu.clone(), self.events.job_notifier());
        self.version_sheet.start((), || {
            Job::spawn("sheet of versions", OnDrop::Join, notify, move |control| {
                let Version { meshes, changes, .. } = &*version;
                let sheet = version_sheet([&heads[0], &heads[1]], meshes, changes, scale, |column, head, draw| {
                    let stage = format!("pictures of head {} of 3", column + 1);
                    control.progress().report(&stage, column as f32 / 3.0)?;
                    let mut renderer = Renderer::new(&gpu);
                    let layout = Arc::new(Layout::new(head, Precision::default()));
                    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout)?);
                    renderer.set_ambient_occlusion(&AmbientOcclusion::measure(head));
                    Ok::<_, anyhow::Error>(gpu.attempt(|| draw(&mut renderer))??)
                })?;
                let sheet = sheet.context("no expression differs: there is nothing to draw")?;
                control.progress().report("writing", 1.0)?;
                sheet.save(&output)?;
                Ok(output.path().to_owned())
            })
        });
    }

    /// Builds the pipelines that many heads need, unless other work `waits`. Without them, the first picture of a head
    /// takes longer.
    pub(super) fn build_usual_surfaces(&mut self, gpu: &Gpu, waits: bool) {
        let (gpu, notify) = (gpu.clone(), self.events.job_notifier());
        self.usual_surfaces.follow((), !waits, || {
            Job::spawn("usual surfaces", OnDrop::Join, notify, move |_| Ok(UsualSurfaces::new(&gpu)))
        });
    }

    /// Opens a file dialog about a document; `opened` is `Document::opened`.
    pub(super) fn ask(&mut self, parent: &Window, question: Question, suggestion: &Path, opened: u64) {
        let job = file_dialog::show(parent, question, suggestion, self.events.job_notifier());
        self.dialogs.push((question, opened, job));
    }

    /// Whether a file dialog with this question is open.
    pub(super) fn is_asking(&self, question: Question) -> bool {
        self.dialogs.iter().any(|(other, ..)| *other == question)
    }

    /// Cancels everything, so that the threads that are joined when the window closes end side by side and not one
    /// after the other.
    pub(super) fn cancel_all(&mut self) {
        self.loader.cancel();
        self.deltas.cancel();
        self.bench.cancel();
        self.version_sheet.cancel();
        self.exports.cancel_all();
        self.suited_mode.cancel();
    }

    /// A file dialog that was closed, `Document::opened` when it was shown, and its answer.
    pub(super) fn take_answer(&mut self) -> Option<(Question, u64, Picked)> {
        let (index, picked) = self
            .dialogs
            .iter_mut()
            .enumerate()
            .find_map(|(index, (.., job))| Some((index, job.poll()?.unwrap_or(Picked::NoDialog))))?;
        let (question, opened, _) = self.dialogs.remove(index);
        Some((question, opened, picked))
    }

    /// Whether a thumbnail, or a picture of a contact sheet or an export, can be drawn in the next frame without
    /// delaying the artist.
    pub(super) fn has_pictures_to_draw(&self, ui: &UiState) -> bool {
        (self.pictures.is_busy() || self.exports.is_drawing()) && !ui.is_interacting
    }
}
