//! Collects the readings of a frame, and runs the panels.

use std::sync::Arc;

use super::Viewer;
use smirk_face::head::HeadId;
use smirk_scene::BlendMode;
use smirk_ui::{Command, Notice, Readings, Readout};

impl Viewer {
    /// Runs the panels with what they show. Returns what egui draws, and the commands of the artist.
    pub(super) fn run_ui(&mut self) -> (egui::FullOutput, Vec<Command>) {
        let readout = self.readout();
        let notice = match (self.notices.shown(), self.viewport.renderer.first_picture()) {
            (Some(shown), _) => shown.clone(),
            (None, Some(fraction)) if !self.jobs.loader.is_busy() => {
                Notice::Drawing { name: self.document.session.head.name.clone(), fraction }
            }
            _ => self.jobs.loader.status().into(),
        };
        let document = self.document.status();
        self.jobs.reference.follow(&self.document.session, self.jobs.events.job_notifier());
        let reference = self.jobs.reference.view(&self.document.session);
        let notify = self.jobs.events.job_notifier();
        let export = self.jobs.exports.view(self.ui.described_export(), notify);
        let head = self.document.session.head.clone();
        let version_sheet = self.jobs.version_sheet.progress();
        let unseen = self.viewport.unseen();
        let problem = self.services.iter().find_map(|service| service.problem());
        let events = &self.jobs.events;
        let readings = Readings {
            readout: &readout,
            notice: &notice,
            status: self.notices.status(self.times.last_frame),
            problem: self.notices.problem().or(unseen.as_deref()).or(problem),
            sheet: self.jobs.exports.sheet_status(),
            version_sheet: version_sheet.as_ref().map(|progress| (&*progress.stage, progress.fraction)),
            export: &export,
            prompt: self.prompt.as_ref(),
            document: &document,
            recent: &self.settings.recent,
            thumbnails: &self.jobs.pictures.thumbnails,
            reference: reference.as_ref(),
            findings: self.jobs.lint.output(&HeadId::new(&head)),
            marked: self.jobs.searches.found(&head, 0).map(Arc::as_ref),
            notifier: &|| Box::new(events.job_notifier()),
            is_file_hovering: self.is_file_hovering,
        };
        let mode = self.document.session.mode;
        let (session, state, panels) = (&mut self.document.session, &mut self.ui, &mut self.panels);
        let mut commands = Vec::new();
        let output = self.egui_window.run(|ui| commands.extend(panels.show(ui, session, state, &readings)));
        let session = &self.document.session;
        if self.jobs.reference.is_behind(session) {
            self.request_frame();
        }
        if session.mode != mode {
            // A mode that the artist chooses replaces the one that the project was saved with.
            self.settings.mode = Some(session.mode);
            self.viewport.project_mode = None;
        }
        (output, commands)
    }

    fn readout(&mut self) -> Readout {
        let Self { viewport, jobs, .. } = self;
        let timing = viewport.renderer.timing();
        let modes = BlendMode::ALL.iter().copied();
        let unavailable_modes = modes.filter_map(|mode| Some((mode, viewport.renderer.unavailable(mode)?.to_string())));
        Readout {
            adapter: format!("{} · {}", viewport.gpu.info.name, viewport.gpu.info.backend),
            is_software: viewport.gpu.is_software(),
            frame_ms: viewport.frame_ms(),
            blend_ms: timing.blend,
            draw_ms: timing.draw_ms,
            quality: viewport.quality,
            memory: viewport.renderer.memory(),
            error: viewport.error,
            measuring: jobs.bench.status(&()),
            unavailable_modes: unavailable_modes.collect(),
        }
    }
}
