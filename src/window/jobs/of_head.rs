//! What is derived from the open head after its first picture. If no thread can be started, these outputs are missing,
//! and everything else works.

use std::sync::{Arc, OnceLock};

use super::derived::Derived;
use smirk_analysis::judge::{FaceIntersections, IntersectionFinder};
use smirk_analysis::lint::{Finding, Settings, lint_while};
use smirk_base::job::{Job, OnDrop};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Head, HeadId, OfHead, Version};
use smirk_files::import;
use smirk_picture::ambient_occlusion::AmbientOcclusion;
use smirk_picture::render::Renderer;
use smirk_session::{HeadSource, OpenVersion};

pub(crate) type Lint = Derived<HeadId, OfHead<Vec<Finding>>>;
/// The ambient occlusion of the vertices. It is kept for the case that the device is lost.
pub(crate) type Occlusion = Derived<HeadId, AmbientOcclusion>;
/// The comparison with another version, which is made again when the head was read again.
pub(crate) type Comparison = Derived<HeadId, Version>;

impl Lint {
    /// Checks the shapes of a head by the rules beside its file, once it `is_ready`. Returns whether that has just
    /// ended. `notify` is called on the job's thread when it is done.
    pub(crate) fn follow_head(
        &mut self,
        head: &Arc<Head>,
        source: &HeadSource,
        is_ready: bool,
        notify: impl Fn() + Send + 'static,
    ) -> bool {
        self.follow(HeadId::new(head), is_ready, || {
            let (head, source) = (head.clone(), source.clone());
            Job::spawn("lint", OnDrop::Detach, notify, move |control| {
                let progress = &|stage: &_, part| control.report_quietly(stage, part);
                Ok(OfHead::with(&head, lint_by_rules(&head, &source, Progress::new(progress))?))
            })
        })
    }

    /// The findings in a head; `None` until they are known.
    pub(crate) fn findings(&self, head: &Arc<Head>) -> Option<&OfHead<Vec<Finding>>> {
        self.output(&HeadId::new(head))
    }
}

/// The findings by the rules beside the file of a head. If those cannot be read, that is a finding too.
fn lint_by_rules(head: &Head, source: &HeadSource, progress: Progress<'_>) -> Result<Vec<Finding>, Cancelled> {
    let settings = match source {
        HeadSource::Embedded => Ok(Settings::default()),
        HeadSource::File(path) => Settings::beside(path),
    };
    let (settings, problem) = match settings {
        Ok(settings) => (settings, None),
        Err(error) => (Settings::default(), Some(Finding::unreadable_rules(head, error.to_string()))),
    };
    let findings = lint_while(head, &settings, progress)?;
    Ok(problem.into_iter().chain(findings).collect())
}

impl Occlusion {
    /// Computes the ambient occlusion of a head of which there is a picture, and gives it to the renderer. Returns
    /// whether it did. `notify` is called on the job's thread when it is done.
    pub(crate) fn follow_renderer(&mut self, renderer: &mut Renderer, notify: impl Fn() + Send + 'static) -> bool {
        let Some(head) = renderer.head().cloned().filter(|_| !renderer.has_ambient_occlusion()) else { return false };
        let id = HeadId::new(&head);
        self.follow(id.clone(), renderer.has_picture(), || {
            Job::spawn("ambient occlusion", OnDrop::Detach, notify, move |_| Ok(AmbientOcclusion::measure(&head)))
        });
        let Some(found) = self.outcome(&id) else { return false };
        renderer.set_ambient_occlusion(found.as_ref().unwrap_or(&AmbientOcclusion::default()));
        true
    }
}

impl Comparison {
    /// Compares an open version with a head, unless that is done. Returns the result once. `notify` is called on the
    /// job's thread when it is done.
    pub(crate) fn follow_version(
        &mut self,
        open: &OpenVersion,
        head: &Arc<Head>,
        notify: impl Fn() + Send + 'static,
    ) -> Option<Version> {
        if open.version.is_of(head) {
            self.forget();
            return None;
        }
        self.follow(HeadId::new(head), true, || {
            let (this, other) = (head.clone(), open.version.head.clone());
            let times = open.version.frame_times_secs().to_vec();
            Job::spawn("versions", OnDrop::Detach, notify, move |_| match times[..] {
                [] => Ok(import::version_of(&this, other)),
                _ => Ok(Version::of_frames(&this, other, times)),
            })
        });
        self.take(&HeadId::new(head))?.ok()
    }
}

/// The intersections of up to two faces of one head: that of the picture, and that of the picture beside it. While new
/// ones are searched, the picture shows the latest.
#[derive(Debug, Default)]
pub(crate) struct Intersections {
    search: OfHead<Search>,
    nothing: Arc<FaceIntersections>,
}

#[derive(Debug, Default)]
struct Search {
    finder: Arc<OnceLock<IntersectionFinder>>,
    found: Derived<Faces, Vec<Arc<FaceIntersections>>>,
}

/// The weights of faces. They are compared by bits, so that NaN equals itself; otherwise a face with a NaN would be
/// searched again and again.
#[derive(Clone, Debug)]
struct Faces(Vec<Arc<[f32]>>);

impl PartialEq for Faces {
    fn eq(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&other.0).all(|(a, b)| is_same(a, b))
    }
}

fn is_same(a: &[f32], b: &[f32]) -> bool {
    a.iter().map(|weight| weight.to_bits()).eq(b.iter().map(|weight| weight.to_bits()))
}

impl Intersections {
    /// Searches the faces with these weights, one per target of the head. Without faces, it forgets what was found.
    /// `notify` is called on the job's thread when it is done.
    pub(crate) fn follow_faces(
        &mut self,
        head: &Arc<Head>,
        faces: Vec<Arc<[f32]>>,
        notify: impl Fn() + Send + 'static,
    ) {
        let Search { finder, found } = self.search.get_or_default(head);
        if faces.is_empty() {
            return found.forget();
        }
        found.follow_latest(Faces(faces), |faces| {
            let (head, faces, finder) = (head.clone(), faces.clone(), finder.clone());
            Job::spawn("intersections", OnDrop::Detach, notify, move |_| {
                let finder = finder.get_or_init(|| IntersectionFinder::new(&head));
                Ok(faces.0.iter().map(|weights| Arc::new(finder.find(&head, weights))).collect())
            })
        });
    }

    /// The latest intersections of one of the faces of a head; `None` before there are any.
    pub(crate) fn found(&self, head: &Arc<Head>, face: usize) -> Option<&Arc<FaceIntersections>> {
        self.search.get(head)?.found.latest_output()?.get(face)
    }

    /// Whether the search of the first face of a head with these weights has ended, with or without a result.
    pub(crate) fn knows(&self, head: &Arc<Head>, weights: &[f32]) -> bool {
        let Some(Search { found, .. }) = self.search.get(head) else { return false };
        let first = found.input().and_then(|faces| faces.0.first());
        !found.is_busy() && first.is_some_and(|first| is_same(first, weights))
    }

    pub(crate) fn shown(&self, head: &Arc<Head>, face: usize) -> &Arc<FaceIntersections> {
        self.found(head, face).unwrap_or(&self.nothing)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use super::*;
    use smirk_face::head::Asset;

    fn head() -> Arc<Head> {
        Arc::new(Head::new(Asset::default()))
    }

    fn notifier(send: &Sender<()>) -> impl Fn() + Send + 'static {
        let send = send.clone();
        move || send.send(()).unwrap_or_default()
    }

    fn wait(notified: &Receiver<()>) {
        notified.recv_timeout(Duration::from_secs(120)).unwrap();
    }

    #[test]
    fn a_head_is_checked_once_and_after_its_first_picture() {
        let (mut lint, (send, notified)) = (Lint::default(), channel());
        for head in [head(), head()] {
            let follow =
                |lint: &mut Lint, is_ready| lint.follow_head(&head, &HeadSource::Embedded, is_ready, notifier(&send));
            assert!(!follow(&mut lint, false) && !lint.is_busy() && lint.findings(&head).is_none());
            let mut is_found = follow(&mut lint, true);
            while !is_found {
                wait(&notified);
                is_found = follow(&mut lint, true);
            }
            let other = self::head();
            assert!(lint.findings(&head).is_some() && lint.findings(&other).is_none());
            assert!(!follow(&mut lint, true) && !lint.is_busy(), "it is not checked again");
        }
    }

    #[test]
    fn a_version_is_compared_again_with_a_head_that_was_read_again() {
        let (before, now) = (head(), head());
        let version = Arc::new(import::version_of(&before, head()));
        let open = OpenVersion { version, source: HeadSource::Embedded, problem: None };
        let (mut comparison, (send, notified)) = (Comparison::default(), channel());
        let none = comparison.follow_version(&open, &before, || {});
        assert!(none.is_none() && !comparison.is_busy(), "it belongs to this head");
        let found = loop {
            if let Some(found) = comparison.follow_version(&open, &now, notifier(&send)) {
                break found;
            }
            wait(&notified);
        };
        assert!(found.is_of(&now) && !found.is_of(&before));
    }

    #[test]
    fn what_crosses_is_found_on_the_faces_of_one_head_and_forgotten_for_another() {
        let (first, second) = (head(), head());
        let (mut intersections, (send, notified)) = (Intersections::default(), channel());
        let faces: [Arc<[f32]>; 2] = [[0.0].into(), [f32::NAN].into()];
        intersections.follow_faces(&first, faces.to_vec(), notifier(&send));
        assert_eq!(intersections.found(&first, 0), None, "it does not wait");
        while intersections.found(&first, 1).is_none() {
            wait(&notified);
            intersections.follow_faces(&first, faces.to_vec(), notifier(&send));
        }
        let found = intersections.found(&first, 0).cloned();
        intersections.follow_faces(&first, faces.to_vec(), notifier(&send));
        assert!(
            intersections.knows(&first, &faces[0]) && !intersections.knows(&first, &faces[1]),
            "nothing has changed"
        );
        // While the next face is searched, the latest intersections stay.
        intersections.follow_faces(&first, faces[1..].to_vec(), notifier(&send));
        assert!(!intersections.knows(&first, &faces[1]) && intersections.found(&first, 0) == found.as_ref());
        assert!(intersections.found(&second, 0).is_none() && !intersections.knows(&second, &faces[0]));
        intersections.follow_faces(&second, Vec::new(), notifier(&send));
        assert!(intersections.found(&first, 0).is_none() && intersections.found(&second, 0).is_none());
    }
}
