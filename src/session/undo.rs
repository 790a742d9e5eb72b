//! Undo by comparison: code that edits the session does not report the edit. [`History::commit`] is called at the end
//! of a gesture and adds an undo step if the edits differ from those of the last call.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Edits;

#[derive(Clone, Debug)]
pub struct History {
    past: VecDeque<Arc<Edits>>,
    future: Vec<Arc<Edits>>,
    committed: Arc<Edits>,
    /// A revision that is known to equal `committed`, so that unchanged edits are not compared.
    committed_revision: Revision,
}

impl History {
    /// The largest number of steps; the oldest are dropped.
    pub(crate) const MAX_STEPS: usize = 200;

    pub fn new(edits: &Tracked<Edits>) -> Self {
        Self {
            past: VecDeque::new(),
            future: Vec::new(),
            committed: edits.snapshot(),
            committed_revision: edits.revision(),
        }
    }

    /// Adds all changes since the last call as one step.
    pub fn commit(&mut self, edits: &Tracked<Edits>) {
        let is_step = !self.is_committed(edits);
        self.committed_revision = edits.revision();
        if !is_step {
            return;
        }
        if self.past.len() == Self::MAX_STEPS {
            self.past.pop_front();
        }
        self.past.push_back(std::mem::replace(&mut self.committed, edits.snapshot()));
        self.future.clear();
    }

    pub fn each(&mut self, change: impl Fn(&mut Edits)) {
        let steps = self.past.iter_mut().chain(&mut self.future).chain([&mut self.committed]);
        steps.for_each(|edits| change(Arc::make_mut(edits)));
    }

    /// Goes back one step. Edits that are not committed yet count as a step. Returns false if there is none.
    pub fn undo(&mut self, edits: &mut Tracked<Edits>) -> bool {
        self.commit(edits);
        let Some(previous) = self.past.pop_back() else { return false };
        self.future.push(std::mem::replace(&mut self.committed, previous));
        self.restore_committed(edits);
        true
    }

    /// Goes forward one step. Returns false if there is none.
    pub fn redo(&mut self, edits: &mut Tracked<Edits>) -> bool {
        self.commit(edits);
        let Some(next) = self.future.pop() else { return false };
        self.past.push_back(std::mem::replace(&mut self.committed, next));
        self.restore_committed(edits);
        true
    }

    /// Whether [`Self::undo`] would change anything.
    pub fn can_undo(&self, edits: &Tracked<Edits>) -> bool {
        !self.past.is_empty() || !self.is_committed(edits)
    }

    /// Whether [`Self::redo`] would change anything.
    pub fn can_redo(&self, edits: &Tracked<Edits>) -> bool {
        !self.future.is_empty() && self.is_committed(edits)
    }

    fn is_committed(&self, edits: &Tracked<Edits>) -> bool {
        edits.revision() == self.committed_revision || **edits == *self.committed
    }

    fn restore_committed(&mut self, edits: &mut Tracked<Edits>) {
        edits.restore(&self.committed);
        self.committed_revision = edits.revision();
    }
}

/// The number of one state of a [`Tracked`] value. Numbers are unique within the program, not only within one value, so
/// that a stored revision can be compared with that of any other value, for example after another head was opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision(u64);

impl Revision {
    /// A number that no state has.
    pub fn next() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

/// A value with a revision number.
///
/// Every mutable borrow marks the value as possibly changed. The next call of [`Self::revision`] or [`Self::snapshot`]
/// then compares it once with the last snapshot, and only a real difference makes a new revision. So no change can be
/// missed; a widget that borrows a field in every frame without changing it costs one comparison per frame; and without
/// mutable borrows, nothing is compared.
#[derive(Clone, Debug)]
pub struct Tracked<T> {
    value: T,
    may_differ: Cell<bool>,
    revision: Cell<Revision>,
    snapshot: RefCell<Arc<T>>,
}

impl<T: Clone + PartialEq> Tracked<T> {
    pub(crate) fn new(value: T) -> Self {
        let snapshot = RefCell::new(Arc::new(value.clone()));
        Self { value, may_differ: Cell::new(false), revision: Cell::new(Revision::next()), snapshot }
    }

    pub fn revision(&self) -> Revision {
        self.settle();
        self.revision.get()
    }

    /// A copy of the current value, shared by all readers until the value changes.
    pub fn snapshot(&self) -> Arc<T> {
        self.settle();
        self.snapshot.borrow().clone()
    }

    /// Makes a change after which the value differs for certain, so that nothing is compared, and the value is copied
    /// at most once until [`Self::snapshot`] is called again: the change is made to the value, and to the snapshot of
    /// it. Returns the revisions before and after it.
    pub(crate) fn change(&mut self, change: impl Fn(&mut T)) -> [Revision; 2] {
        let before = self.revision();
        change(&mut self.value);
        change(Arc::make_mut(self.snapshot.get_mut()));
        self.revision.set(Revision::next());
        [before, self.revision.get()]
    }

    /// Replaces the value with a snapshot, as a new revision.
    pub(crate) fn restore(&mut self, snapshot: &Arc<T>) {
        self.value.clone_from(snapshot);
        self.may_differ.set(false);
        self.revision.set(Revision::next());
        self.snapshot.replace(snapshot.clone());
    }

    fn settle(&self) {
        if self.may_differ.take() && self.value != **self.snapshot.borrow() {
            self.snapshot.replace(Arc::new(self.value.clone()));
            self.revision.set(Revision::next());
        }
    }
}

impl<T> Deref for Tracked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Tracked<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.may_differ.set(true);
        &mut self.value
    }
}

impl<T: PartialEq> PartialEq for Tracked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Head};
    use smirk_scene::Look;

    fn edits(secs: f32) -> Tracked<Edits> {
        let head = Head::new(Asset { ..Asset::default() });
        let mut edits = Edits::at_rest(&head, Look::default());
        edits.transition.duration_secs = secs;
        Tracked::new(edits)
    }

    #[test]
    fn steps_go_back_and_forth() {
        let mut now = edits(0.0);
        let mut history = History::new(&now);
        for secs in [0.25, 0.5] {
            now.transition.duration_secs = secs;
            history.commit(&now);
        }
        assert!(history.undo(&mut now) && now == edits(0.25));
        assert!(history.undo(&mut now) && now == edits(0.0));
        assert!(!history.undo(&mut now) && !history.can_undo(&now));
        assert!(history.redo(&mut now) && history.redo(&mut now) && now == edits(0.5));
        assert!(!history.redo(&mut now));
    }

    #[test]
    fn a_new_edit_drops_what_was_ahead() {
        let mut now = edits(0.0);
        let mut history = History::new(&now);
        now.transition.duration_secs = 0.5;
        assert!(history.undo(&mut now), "an edit that is not committed yet is a step");
        now.transition.duration_secs = 0.75;
        assert!(!history.can_redo(&now));
        assert!(!history.redo(&mut now));
        assert_eq!(now, edits(0.75));
    }

    #[test]
    fn the_oldest_steps_are_forgotten() {
        let mut now = edits(0.0);
        let mut history = History::new(&now);
        for step in 1..=History::MAX_STEPS + 10 {
            now.transition.duration_secs = step as f32;
            history.commit(&now);
        }
        let mut steps = 0;
        while history.undo(&mut now) {
            steps += 1;
        }
        assert_eq!((steps, now), (History::MAX_STEPS, edits(10.0)));
    }

    #[test]
    fn only_a_difference_makes_a_new_revision() {
        let mut tracked = Tracked::new(vec![1, 2]);
        let (revision, snapshot) = (tracked.revision(), tracked.snapshot());
        tracked[0] = 1;
        assert_eq!((tracked.revision(), Arc::ptr_eq(&tracked.snapshot(), &snapshot)), (revision, true));
        tracked[0] = 3;
        assert!(tracked.revision() != revision && *tracked.snapshot() == [3, 2]);
    }

    #[test]
    fn a_value_that_is_changed_and_changed_back_keeps_its_revision_if_it_was_not_read_in_between() {
        let mut tracked = Tracked::new(1);
        let revision = tracked.revision();
        *tracked = 2;
        *tracked = 1;
        assert_eq!(tracked.revision(), revision);
        *tracked = 2;
        let between = tracked.revision();
        *tracked = 1;
        assert!(tracked.revision() != between && tracked.revision() != revision);
    }

    #[test]
    fn a_change_that_is_told_is_a_new_revision_and_leaves_snapshots_taken_before_as_they_were() {
        let mut tracked = Tracked::new(vec![1, 2]);
        let (revision, before) = (tracked.revision(), tracked.snapshot());
        let [from, to] = tracked.change(|value| value[0] = 3);
        assert!(from == revision && to != revision && tracked.revision() == to);
        assert_eq!((&*before, &*tracked.snapshot(), &*tracked), (&vec![1, 2], &vec![3, 2], &vec![3, 2]));
        tracked[0] = 3;
        assert_eq!(tracked.revision(), to, "it is compared with what it was changed to");
    }

    #[test]
    fn two_values_never_have_one_revision_once_they_differ() {
        let mut first = Tracked::new(1);
        let mut copy = first.clone();
        assert_eq!(first.revision(), copy.revision());
        (*first, *copy) = (2, 3);
        assert!(first.revision() != copy.revision() && first.revision() != Tracked::new(2).revision());
    }
}
