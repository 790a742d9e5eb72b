//! The pipelines of surfaces that many heads have, built as a job once the first head is complete.

use smirk_base::job::{Job, OnDrop};
use smirk_graphics::gpu::Gpu;
use smirk_picture::render::UsualSurfaces;

/// The pipelines, and the job that builds them.
#[derive(Debug, Default)]
pub(crate) struct UsualSurfacesJob {
    has_begun: bool,
    job: Option<Job<Option<UsualSurfaces>>>,
    built: Option<UsualSurfaces>,
}

impl UsualSurfacesJob {
    /// Builds the pipelines once, unless that `waits` for something else, and keeps them. `notify` is called on the job's thread when they
    /// are there.
    pub(crate) fn follow(&mut self, gpu: &Gpu, waits: bool, notify: impl Fn() + Send + 'static) {
        if !waits && !std::mem::replace(&mut self.has_begun, true) {
            let gpu = gpu.clone();
            self.job = Some(Job::spawn("usual surfaces", OnDrop::Join, notify, move |_| UsualSurfaces::new(&gpu)));
        }
        if let Some(result) = self.job.as_mut().and_then(Job::poll) {
            // Without them, the first picture of a head takes longer, and everything else works.
            (self.job, self.built) = (None, result.ok().flatten());
        }
    }
}
