//! Copies of a session that the document compares with its present state.

use std::cell::Cell;
use std::sync::Arc;

use super::project::Viewpoint;
use crate::session::{ClipName, Edits, HeadSource, Revision, Session};
use smirk_face::head::ShapeFile;
use smirk_graphics::blend::BlendMode;

/// The part of a session that counts as work.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    source: HeadSource,
    shapes: Vec<ShapeFile>,
    edits: Arc<Edits>,
    /// The revision that `edits` was last compared with, and whether they were equal.
    compared: Cell<(Revision, bool)>,
}

impl Snapshot {
    /// A copy of the work in a session.
    pub(super) fn of(session: &Session) -> Self {
        Self {
            source: session.source.clone(),
            shapes: session.shapes.clone(),
            edits: session.edits.snapshot(),
            compared: Cell::new((session.edits.revision(), true)),
        }
    }

    /// Whether the session holds exactly this work.
    pub(super) fn is_in(&self, session: &Session) -> bool {
        self.is_of(session) && self.holds_edits_of(session)
    }

    /// The edits, if they are those of the session's head.
    pub(super) fn edits_for(&self, session: &Session) -> Option<Arc<Edits>> {
        self.is_of(session).then(|| self.edits.clone())
    }

    /// Whether this is work on the head and the shapes of the session.
    pub(super) fn is_of(&self, session: &Session) -> bool {
        self.source == session.source && self.shapes == session.shapes
    }

    /// The same work on another state of the same head.
    pub(super) fn change(&mut self, change: impl Fn(&mut Edits)) {
        change(Arc::make_mut(&mut self.edits));
        // The same edits have the same revision as before, although they are others on this head.
        self.compared = Cell::new((Revision::next(), false));
    }

    /// Compares the edits once per revision, since this is called several times in every frame.
    fn holds_edits_of(&self, session: &Session) -> bool {
        let revision = session.edits.revision();
        if self.compared.get().0 != revision {
            self.compared.set((revision, *self.edits == *session.edits));
        }
        self.compared.get().1
    }
}

/// The part of a session that is saved with the work, but does not count as work: camera, blend mode and playback.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ViewSnapshot {
    camera: Viewpoint,
    mode: BlendMode,
    clips: Vec<ClipName>,
    looping: bool,
    speed: f32,
}

impl ViewSnapshot {
    /// A copy of how a session is viewed.
    pub(super) fn of(session: &Session) -> Self {
        Self {
            camera: Viewpoint::of(&session.camera),
            mode: session.mode,
            clips: session.clip_names().to_vec(),
            looping: session.clock.timeline.looping,
            speed: session.clock.timeline.speed,
        }
    }
}
