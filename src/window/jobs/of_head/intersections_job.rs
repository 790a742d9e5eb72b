//! What crosses on the faces that the window shows, as a job: on a large head it takes longer than a frame. The picture shows what was
//! found last.

use std::sync::{Arc, Weak};

use smirk_base::job::{Job, OnDrop};
use smirk_face::head::Head;
use smirk_face::judge::{FaceIntersections, IntersectionFinder};

/// What crosses on up to two faces of one head: that of the picture, and that of the picture beside it.
#[derive(Debug, Default)]
pub(crate) struct IntersectionsJob {
    head: Weak<Head>,
    /// None before the first job, and while one has it.
    finder: Option<IntersectionFinder>,
    job: Option<Job<(IntersectionFinder, Vec<Arc<FaceIntersections>>)>>,
    /// The weights that the last job was given.
    asked: Vec<Arc<[f32]>>,
    /// What the last job that has ended found.
    found: Vec<Arc<FaceIntersections>>,
    nothing: Arc<FaceIntersections>,
}

impl IntersectionsJob {
    /// Takes what was found, and begins with the weights of these faces, one per target of the head, unless they are those of the last job,
    /// or a job is running. Without faces, it forgets what was found. `notify` is called on the job's thread when it is done.
    pub(crate) fn follow(&mut self, head: &Arc<Head>, faces: &[Arc<[f32]>], notify: impl Fn() + Send + 'static) {
        if !std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head)) {
            *self = Self { head: Arc::downgrade(head), ..Self::default() };
        }
        if let Some(result) = self.job.as_mut().and_then(Job::poll) {
            self.job = None;
            // Without a result, nothing new is coloured before the weights change.
            if let Ok((finder, found)) = result {
                (self.finder, self.found) = (Some(finder), found);
            }
        }
        if faces.is_empty() {
            (self.asked, self.found) = (Vec::new(), Vec::new());
        }
        if self.job.is_some() || is_same(faces, &self.asked) {
            return;
        }
        self.asked = faces.to_vec();
        let (head, faces, finder) = (head.clone(), self.asked.clone(), self.finder.take());
        self.job = Some(Job::spawn("intersections", OnDrop::Detach, notify, move |_| {
            let finder = finder.unwrap_or_else(|| IntersectionFinder::new(&head));
            let found = faces.iter().map(|weights| Arc::new(finder.find(&head, weights))).collect();
            (finder, found)
        }));
    }

    /// What was found last on one of the faces; none before anything was found.
    pub(crate) fn found(&self, face: usize) -> Option<&Arc<FaceIntersections>> {
        self.found.get(face)
    }

    /// Whether it is known what crosses on the first face with these weights, or that this cannot be found.
    pub(crate) fn knows(&self, weights: &Arc<[f32]>) -> bool {
        self.job.is_none() && self.asked.first().is_some_and(|asked| bits(asked).eq(bits(weights)))
    }

    /// What the picture of one of the faces shows: the same, or nothing.
    pub(crate) fn shown(&self, face: usize) -> &Arc<FaceIntersections> {
        self.found(face).unwrap_or(&self.nothing)
    }
}

/// Compares by bits, so that NaN equals itself; otherwise a face with a NaN would be searched again and again.
fn is_same(faces: &[Arc<[f32]>], others: &[Arc<[f32]>]) -> bool {
    faces.len() == others.len() && faces.iter().zip(others).all(|(face, other)| bits(face).eq(bits(other)))
}

fn bits(weights: &[f32]) -> impl Iterator<Item = u32> {
    weights.iter().map(|weight| weight.to_bits())
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;
    use smirk_face::head::Asset;

    #[test]
    fn it_finds_what_crosses_on_the_faces_of_one_head_and_forgets_those_of_another() {
        let head = || Arc::new(Head::new(Asset::default()));
        let (first, second) = (head(), head());
        let mut job = IntersectionsJob::default();
        let (send, notified) = channel();
        let notify = || {
            let send = send.clone();
            move || send.send(()).unwrap_or_default()
        };
        let faces: [Arc<[f32]>; 2] = [[0.0].into(), [1.0].into()];
        job.follow(&first, &faces, notify());
        assert_eq!(job.found(0), None, "it does not wait");
        while job.found(1).is_none() {
            notified.recv_timeout(Duration::from_secs(20)).unwrap();
            job.follow(&first, &faces, notify());
        }
        let found = job.found(0).cloned();
        job.follow(&first, &faces, notify());
        assert!(job.job.is_none() && job.finder.is_some(), "nothing has changed");
        // While the next face is looked at, what was found last stays.
        job.follow(&first, &faces[1..], notify());
        assert!(job.job.is_some() && job.found(0) == found.as_ref());
        job.follow(&second, &[], notify());
        assert!(job.job.is_none() && job.found(0).is_none());
    }
}
