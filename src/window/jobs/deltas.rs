//! What the renderer prepares of a head in the window, as a job: its deltas, and fewer triangles for previews on a
//! software adapter. The first picture does not wait for it.

use smirk_base::job::{CancelledJobs, Job, Worker};
use smirk_face::head::HeadId;
use smirk_picture::render::Renderer;

/// What is prepared of the head that was followed last.
#[derive(Debug, Default)]
pub(crate) struct DeltasJob {
    head: Option<HeadId>,
    /// It has begun. If it fails, the first blend uploads the deltas.
    has_begun: bool,
    is_reported: bool,
    worker: Worker,
    job: Option<Job<()>>,
    /// What was prepared of heads that are no longer shown.
    cancelled: CancelledJobs<()>,
}

impl DeltasJob {
    /// Starts to prepare a head of which there is a picture, and gives its deltas to the renderer. Returns, once for
    /// each head, whether the head has its deltas: then it is known in which modes it can be blended. `notify` is
    /// called on the job's thread when it ends.
    pub(crate) fn follow(&mut self, renderer: &mut Renderer, notify: impl Fn() + Send + 'static) -> bool {
        self.cancelled.clear_ended();
        let Some(head) = renderer.head().map(HeadId::new) else { return false };
        if self.head.as_ref() != Some(&head) {
            (self.head, self.has_begun, self.is_reported) = (Some(head), false, false);
            self.job.take().into_iter().for_each(|job| self.cancelled.push(job));
        }
        if !self.has_begun
            && let Some(work) = renderer.work_ahead()
        {
            self.has_begun = true;
            self.job = Some(self.worker.spawn("deltas", notify, move |control| {
                // Another head may have been opened before the one before it was prepared.
                if !control.is_cancelled() {
                    work();
                }
            }));
        }
        if let Some(result) = self.job.as_mut().and_then(Job::poll) {
            self.job = None;
            if result.is_ok() {
                renderer.take_deltas();
            }
        }
        renderer.has_deltas() && !std::mem::replace(&mut self.is_reported, true)
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.job.is_some()
    }

    pub(crate) fn cancel(&self) {
        self.job.iter().for_each(Job::cancel);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use smirk_base::progress::Progress;
    use smirk_face::head::Head;
    use smirk_files::import;
    use smirk_graphics::blend::{Precision, VertexOrder};
    use smirk_graphics::gpu::{Gpu, Prefer};
    use smirk_picture::render::HeadOnGpu;
    use smirk_scene::{Camera, Look, Quality, Scene, View};

    fn uploaded(gpu: &Gpu, head: &Arc<Head>) -> HeadOnGpu {
        let order = Arc::new(VertexOrder::new(head));
        HeadOnGpu::for_window(gpu, head.clone(), order, Precision::Packed, Progress::NONE).unwrap()
    }

    fn draw(renderer: &mut Renderer, head: &Arc<Head>, weights: &[f32]) {
        let camera = Camera::framing(head.focus, head.character, View::Front, 1.0);
        let look = Look::default();
        let scene = Scene {
            weights: weights.into(),
            quality: Quality { msaa: 1, scale: 1.0, samples: 0 },
            ..Scene::at_rest(head, &camera, &look, [32; 2])
        };
        renderer.draw(&scene).unwrap();
    }

    #[test]
    fn the_deltas_of_a_head_are_uploaded_once_and_after_its_first_picture() {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let [first, replaced, last] = [(); 3].map(|()| Arc::new(import::embedded().unwrap()));
        let (send, notified) = channel();
        let follow = |job: &mut DeltasJob, renderer: &mut Renderer| {
            let send = send.clone();
            job.follow(renderer, move || send.send(()).unwrap_or_default())
        };
        let notified = || notified.recv_timeout(Duration::from_secs(60)).unwrap();
        let (mut job, mut renderer) = (DeltasJob::default(), Renderer::new(&gpu));
        assert!(!follow(&mut job, &mut renderer), "there is no head");
        renderer.set_head(uploaded(&gpu, &first));
        assert!(!follow(&mut job, &mut renderer) && !job.is_busy(), "there is no picture");
        draw(&mut renderer, &first, &[0.0]);
        assert!(!follow(&mut job, &mut renderer) && job.is_busy());
        notified();
        assert!(follow(&mut job, &mut renderer) && !job.is_busy());
        assert!(renderer.memory().delta_bytes > 0);
        assert!(!follow(&mut job, &mut renderer) && !job.is_busy(), "they are not uploaded again");

        renderer.set_head(uploaded(&gpu, &replaced));
        draw(&mut renderer, &replaced, &[0.0]);
        assert!(!follow(&mut job, &mut renderer) && job.is_busy());
        renderer.set_head(uploaded(&gpu, &last));
        assert!(!follow(&mut job, &mut renderer) && !job.is_busy(), "the upload for the head before is given up");
        draw(&mut renderer, &last, &[0.5]);
        assert!(follow(&mut job, &mut renderer), "the blend has uploaded them");
        // The upload that was given up, and the head that is simplified for previews.
        (0..2).for_each(|_| notified());
        assert!(!follow(&mut job, &mut renderer) && !job.is_busy());
    }
}
