//! What is derived from the open head after its first picture. If no thread can be started, these outputs are missing,
//! and everything else works.

use std::sync::{Arc, OnceLock};

use smirk_analysis::lint::{Finding, Settings, lint_while};
use smirk_analysis::{FaceSearch, Marked};
use smirk_base::derived::Derived;
use smirk_base::job::{Job, OnDrop};
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::{Head, HeadId, OfHead, Version};
use smirk_files::import;
use smirk_picture::ambient_occlusion::AmbientOcclusion;
use smirk_picture::render::Renderer;
use smirk_scene::ViewMode;
use smirk_session::{HeadSource, OpenVersion};

pub(crate) type Lint = Derived<HeadId, OfHead<Vec<Finding>>>;
/// The ambient occlusion of the vertices. It is kept for the case that the device is lost.
pub(crate) type Occlusion = Derived<HeadId, AmbientOcclusion>;
/// The comparison with another version, which is made again when the head was read again.
pub(crate) type Comparison = Derived<HeadId, Version>;

/// Checks the shapes of a head by the rules beside its file, once it `is_ready`. Returns whether that has just
/// ended. `notify` is called on the job's thread when it is done.
pub(crate) fn follow_lint(
    lint: &mut Lint,
    head: &Arc<Head>,
    source: &HeadSource,
    is_ready: bool,
    notify: impl Fn() + Send + 'static,
) -> bool {
    lint.follow(HeadId::new(head), is_ready, || {
        let (head, source) = (head.clone(), source.clone());
        Job::spawn("lint", OnDrop::Detach, notify, move |control| {
            let progress = &|stage: &_, part| control.report_quietly(stage, part);
            Ok(OfHead::with(&head, lint_by_rules(&head, &source, Progress::new(progress))?))
        })
    })
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

/// Computes the ambient occlusion of a head of which there is a picture, and gives it to the renderer. Returns
/// whether it did. `notify` is called on the job's thread when it is done.
pub(crate) fn follow_renderer(
    occlusion: &mut Occlusion,
    renderer: &mut Renderer,
    notify: impl Fn() + Send + 'static,
) -> bool {
    let Some(head) = renderer.head().cloned().filter(|_| !renderer.has_ambient_occlusion()) else { return false };
    let id = HeadId::new(&head);
    occlusion.follow(id.clone(), renderer.has_picture(), || {
        Job::spawn("ambient occlusion", OnDrop::Detach, notify, move |_| Ok(AmbientOcclusion::measure(&head)))
    });
    let Some(found) = occlusion.outcome(&id) else { return false };
    renderer.set_ambient_occlusion(found.as_ref().unwrap_or(&AmbientOcclusion::default()));
    true
}

/// Compares an open version with a head, unless that is done. Returns the result once. `notify` is called on the
/// job's thread when it is done.
pub(crate) fn follow_version(
    comparison: &mut Comparison,
    open: &OpenVersion,
    head: &Arc<Head>,
    notify: impl Fn() + Send + 'static,
) -> Option<Version> {
    if open.version.is_of(head) {
        comparison.forget();
        return None;
    }
    comparison.follow(HeadId::new(head), true, || {
        let (this, other) = (head.clone(), open.version.head.clone());
        let times = open.version.frame_times_secs().to_vec();
        Job::spawn("versions", OnDrop::Detach, notify, move |_| match times[..] {
            [] => Ok(import::version_of(&this, other)),
            _ => Ok(Version::of_frames(&this, other, times)),
        })
    });
    comparison.take(&HeadId::new(head))?.ok()
}

/// What a view that is searched shows of up to two faces of one head: that of the picture, and that of the picture
/// beside it. While they are searched, the picture shows the latest.
#[derive(Debug, Default)]
pub(crate) struct FaceSearches {
    search: OfHead<Search>,
    nothing: Arc<Marked>,
}

#[derive(Debug, Default)]
struct Search {
    view: ViewMode,
    search: Arc<OnceLock<Box<dyn FaceSearch>>>,
    found: Derived<Faces, Vec<Arc<Marked>>>,
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

impl FaceSearches {
    /// Searches the faces with these weights, one per target of the head, for a view. Without faces, and for a view
    /// that is not searched, it forgets what was found. `notify` is called on the job's thread when it is done.
    pub(crate) fn follow_faces(
        &mut self,
        head: &Arc<Head>,
        view: ViewMode,
        faces: Vec<Arc<[f32]>>,
        notify: impl Fn() + Send + 'static,
    ) {
        let of_head = self.search.get_or_default(head);
        if of_head.view != view {
            *of_head = Search { view, ..Search::default() };
        }
        let Search { search, found, .. } = of_head;
        let Some(searched) = view.searched().filter(|_| !faces.is_empty()) else { return found.forget() };
        found.follow_latest(Faces(faces), |faces| {
            let (head, faces, search) = (head.clone(), faces.clone(), search.clone());
            Job::spawn("face search", OnDrop::Detach, notify, move |_| {
                let search = search.get_or_init(|| (searched.search_of)(&head));
                Ok(faces.0.iter().map(|weights| search.marked(&head, weights)).collect())
            })
        });
    }

    /// What was found last on one of the faces of a head; `None` before there are any.
    pub(crate) fn found(&self, head: &Arc<Head>, face: usize) -> Option<&Arc<Marked>> {
        self.search.get(head)?.found.latest_output()?.get(face)
    }

    /// Whether nothing is to be searched for a view, or the search of the first face of a head with these weights has
    /// ended, with or without a result.
    pub(crate) fn knows(&self, head: &Arc<Head>, view: ViewMode, weights: &[f32]) -> bool {
        if view.searched().is_none() {
            return true;
        }
        let Some(Search { found, .. }) = self.search.get(head).filter(|of| of.view == view) else { return false };
        let first = found.input().and_then(|faces| faces.0.first());
        !found.is_busy() && first.is_some_and(|first| is_same(first, weights))
    }

    pub(crate) fn shown(&self, head: &Arc<Head>, face: usize) -> &Arc<Marked> {
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
                |lint: &mut Lint, is_ready| follow_lint(lint, &head, &HeadSource::Embedded, is_ready, notifier(&send));
            assert!(!follow(&mut lint, false) && !lint.is_busy() && lint.output(&HeadId::new(&head)).is_none());
            let mut is_found = follow(&mut lint, true);
            while !is_found {
                wait(&notified);
                is_found = follow(&mut lint, true);
            }
            let other = self::head();
            assert!(lint.output(&HeadId::new(&head)).is_some() && lint.output(&HeadId::new(&other)).is_none());
            assert!(!follow(&mut lint, true) && !lint.is_busy(), "it is not checked again");
        }
    }

    #[test]
    fn a_version_is_compared_again_with_a_head_that_was_read_again() {
        let (before, now) = (head(), head());
        let version = Arc::new(import::version_of(&before, head()));
        let open = OpenVersion { version, source: HeadSource::Embedded, problem: None };
        let (mut comparison, (send, notified)) = (Comparison::default(), channel());
        let none = follow_version(&mut comparison, &open, &before, || {});
        assert!(none.is_none() && !comparison.is_busy(), "it belongs to this head");
        let found = loop {
            if let Some(found) = follow_version(&mut comparison, &open, &now, notifier(&send)) {
                break found;
            }
            wait(&notified);
        };
        assert!(found.is_of(&now) && !found.is_of(&before));
    }

    #[test]
    fn what_crosses_is_found_on_the_faces_of_one_head_and_forgotten_for_another() {
        const VIEW: ViewMode = ViewMode::Intersections;
        let (first, second) = (head(), head());
        let (mut searches, (send, notified)) = (FaceSearches::default(), channel());
        let faces: [Arc<[f32]>; 2] = [[0.0].into(), [f32::NAN].into()];
        searches.follow_faces(&first, VIEW, faces.to_vec(), notifier(&send));
        assert_eq!(searches.found(&first, 0), None, "it does not wait");
        while searches.found(&first, 1).is_none() {
            wait(&notified);
            searches.follow_faces(&first, VIEW, faces.to_vec(), notifier(&send));
        }
        let found = searches.found(&first, 0).cloned();
        searches.follow_faces(&first, VIEW, faces.to_vec(), notifier(&send));
        assert!(
            searches.knows(&first, VIEW, &faces[0]) && !searches.knows(&first, VIEW, &faces[1]),
            "nothing has changed"
        );
        // While the next face is searched, what was found last stays.
        searches.follow_faces(&first, VIEW, faces[1..].to_vec(), notifier(&send));
        assert!(!searches.knows(&first, VIEW, &faces[1]) && searches.found(&first, 0) == found.as_ref());
        assert!(searches.found(&second, 0).is_none() && !searches.knows(&second, VIEW, &faces[0]));
        searches.follow_faces(&second, VIEW, Vec::new(), notifier(&send));
        assert!(searches.found(&first, 0).is_none() && searches.found(&second, 0).is_none());
    }
}
