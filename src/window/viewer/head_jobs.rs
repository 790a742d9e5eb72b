//! What is done for the head after a picture of it is shown: first what blending needs, then what else is found out about it, and last
//! what another head may need.

use super::Viewer;
use smirk_editor::session::Session;

impl Viewer {
    /// Goes on with the jobs of the head that is open.
    pub(super) fn follow_head(&mut self) {
        if self.jobs.deltas.follow(&mut self.viewport.renderer, self.jobs.events.job_notifier()) {
            // It is known only now in which modes the head can be blended.
            self.choose_mode();
            self.request_frame();
        }
        if self.viewport.waits_for_deltas() && !self.jobs.deltas.is_busy() {
            self.request_frame();
        }
        let Session { head, source, .. } = &self.document.session;
        let is_shown = self.viewport.renderer.has_picture() || self.viewport.is_broken();
        // What else is found out about the head must not keep the first slider waiting.
        let is_ready = is_shown && !self.jobs.deltas.is_busy();
        if self.jobs.lint.follow(head, source, is_ready, self.jobs.events.job_notifier()) {
            self.request_frame();
        }
        if is_ready && self.jobs.ambient_occlusion.follow(&mut self.viewport.renderer, self.jobs.events.job_notifier())
        {
            self.request_frame();
        }
        if let Some(version) = &mut self.viewport.version
            && self.jobs.version_ambient_occlusion.follow(version, self.jobs.events.job_notifier())
        {
            self.request_frame();
        }
        let waits = !is_ready || self.is_occupied();
        self.jobs.usual_surfaces.follow(&self.viewport.gpu, waits, self.jobs.events.job_notifier());
    }

    /// Whether something is going on that what may be needed later should not disturb. A run that only takes a screenshot needs nothing
    /// later.
    pub(in crate::window) fn is_occupied(&self) -> bool {
        let Self { jobs, viewport, .. } = self;
        let finds_out = jobs.lint.is_busy() || !viewport.renderer.has_ambient_occlusion() || jobs.finds_suited_mode();
        let draws = viewport.is_refining() || viewport.is_unfinished() || self.ui.is_interacting;
        finds_out || draws || jobs.loader.is_busy() || self.screenshot.is_some()
    }
}
