//! The ambient occlusion of the head in the window, as a job: it takes longer than a frame, and the first picture does not wait for it.

use std::sync::{Arc, Weak};

use smirk_base::job::{Job, OnDrop};
use smirk_face::head::Head;
use smirk_picture::ambient_occlusion::AmbientOcclusion;
use smirk_picture::render::Renderer;

/// The ambient occlusion of the head that was followed last.
#[derive(Debug, Default)]
pub(crate) struct AmbientOcclusionJob {
    head: Weak<Head>,
    job: Option<Job<AmbientOcclusion>>,
    /// It is kept for the case that the device is lost.
    found: Option<AmbientOcclusion>,
}

impl AmbientOcclusionJob {
    /// Starts the search for a head of which there is a picture, and gives the renderer what was found. Returns whether it did.
    /// `notify` is called on the job's thread when it is done.
    pub(crate) fn follow(&mut self, renderer: &mut Renderer, notify: impl Fn() + Send + 'static) -> bool {
        let Some(head) = renderer.head().cloned().filter(|_| !renderer.has_ambient_occlusion()) else { return false };
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(&head)) {
            *self = Self { head: Arc::downgrade(&head), job: None, found: None };
        }
        if self.found.is_none() && self.job.is_none() && renderer.has_picture() {
            self.job =
                Some(Job::spawn("ambient occlusion", OnDrop::Detach, notify, move |_| AmbientOcclusion::of(&head)));
        }
        if let Some(result) = self.job.as_mut().and_then(Job::poll) {
            // Without a thread, all vertices stay open, and everything else works.
            (self.job, self.found) = (None, Some(result.unwrap_or_default()));
        }
        if let Some(found) = &self.found {
            renderer.set_ambient_occlusion(found);
        }
        self.found.is_some()
    }
}
