//! When unsaved work is written to the recovery folder: shortly after the last edit, and at intervals while edits go
//! on.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use smirk_scene::{BlendMode, Viewpoint};
use smirk_session::{ClipName, Edits, HeadSource, Revision, Session};

/// The time of edits that are not written yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Autosave {
    first_edit: Option<Instant>,
    last_edit: Option<Instant>,
    retry_at: Option<Instant>,
}

impl Autosave {
    const DELAY_AFTER_LAST_EDIT: Duration = Duration::from_secs(1);
    /// Edits that never pause for that long, such as a slider dragged on and on, are written after this time. With one
    /// second for the frame and the writing, a crash loses at most the last 3 seconds, as docs/promises.md says.
    const DELAY_AFTER_FIRST_EDIT: Duration = Duration::from_secs(2);
    /// The cause of a failed write, such as a full disk, rarely goes away within a second.
    const RETRY_DELAY: Duration = Duration::from_secs(10);

    pub(super) fn edited(&mut self, now: Instant) {
        self.first_edit.get_or_insert(now);
        self.last_edit = Some(now);
    }

    /// Schedules another attempt after a write that failed.
    pub(super) fn failed(&mut self, now: Instant) {
        self.retry_at = Some(now + Self::RETRY_DELAY);
    }

    /// Forgets all edits: they are being written, or need not be.
    pub(super) fn done(&mut self) {
        *self = Self::default();
    }

    /// Whether a write will be due at some time.
    pub(super) fn is_pending(&self) -> bool {
        self.due_at().is_some()
    }

    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.due_at().is_some_and(|due| due <= now)
    }

    pub(super) fn due_in(&self, now: Instant) -> Option<Duration> {
        Some(self.due_at()?.saturating_duration_since(now))
    }

    fn due_at(&self) -> Option<Instant> {
        let edits = self.last_edit.zip(self.first_edit);
        let after_edits =
            edits.map(|(last, first)| (last + Self::DELAY_AFTER_LAST_EDIT).min(first + Self::DELAY_AFTER_FIRST_EDIT));
        [after_edits, self.retry_at].into_iter().flatten().min()
    }
}

/// The part of a session that counts as work.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    source: HeadSource,
    edits: Arc<Edits>,
    /// The revision that `edits` was last compared with, and whether they were equal.
    compared: Cell<(Revision, bool)>,
    /// The same, for what an artist would miss.
    compared_work: Cell<(Revision, bool)>,
}

impl Snapshot {
    pub(super) fn take(session: &Session) -> Self {
        Self {
            source: session.source.clone(),
            edits: session.edits.snapshot(),
            compared: Cell::new((session.edits.revision(), true)),
            compared_work: Cell::new((session.edits.revision(), true)),
        }
    }

    pub(super) fn is_in(&self, session: &Session) -> bool {
        self.is_of(session) && self.holds_edits_of(session)
    }

    /// Whether nothing that an artist would miss is in the session and not here.
    pub(super) fn has_work_of(&self, session: &Session) -> bool {
        let revision = session.edits.revision();
        if self.is_of(session) && self.compared_work.get().0 != revision {
            let has_work = self.holds_edits_of(session) || self.edits.is_same_work(&session.edits, &session.head);
            self.compared_work.set((revision, has_work));
        }
        self.is_of(session) && self.compared_work.get().1
    }

    /// The edits, if they are those of the session's head.
    pub(super) fn edits_for(&self, session: &Session) -> Option<Arc<Edits>> {
        self.is_of(session).then(|| self.edits.clone())
    }

    /// Whether this is work on the head of the session.
    pub(super) fn is_of(&self, session: &Session) -> bool {
        self.source == session.source
    }

    /// The same work on another state of the same head.
    pub(super) fn change(&mut self, change: impl Fn(&mut Edits)) {
        change(Arc::make_mut(&mut self.edits));
        // The same edits have the same revision as before, although they are others on this head.
        self.compared = Cell::new((Revision::next(), false));
        self.compared_work = Cell::new((Revision::next(), false));
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
    pub(super) fn take(session: &Session) -> Self {
        Self {
            camera: Viewpoint::from_camera(&session.camera),
            mode: session.mode,
            clips: session.clip_names().to_vec(),
            looping: session.clock.timeline.looping,
            speed: session.clock.timeline.speed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_due_after_a_pause_and_not_much_later_if_edits_never_pause() {
        let start = Instant::now();
        let at = |secs: f32| start + Duration::from_secs_f32(secs);
        let mut autosave = Autosave::default();
        assert_eq!((autosave.is_due(at(99.0)), autosave.due_in(start)), (false, None));
        autosave.edited(start);
        autosave.edited(at(0.5));
        assert!(!autosave.is_due(at(1.4)) && autosave.is_due(at(1.5)));
        assert_eq!(autosave.due_in(at(1.25)), Some(Duration::from_millis(250)));
        (2..40).for_each(|half| autosave.edited(at(half as f32 * 0.5)));
        assert!(!autosave.is_due(at(1.9)) && autosave.is_due(at(2.0)));
        autosave.done();
        assert!(!autosave.is_pending());
        autosave.failed(start);
        assert!(
            !autosave.is_due(at(9.9)) && autosave.is_due(at(10.0)),
            "a failure is retried later than an edit is written"
        );
        autosave.edited(start);
        assert!(autosave.is_due(at(1.0)), "an edit is written at its own time, retry or not");
    }
}
