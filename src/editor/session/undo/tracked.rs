//! Change detection: a value with a revision number that changes whenever the value changes.

use std::cell::{Cell, RefCell};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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
    /// The value at that revision.
    snapshot: RefCell<Arc<T>>,
}

impl<T: Clone + PartialEq> Tracked<T> {
    /// A value with a new revision.
    pub(in crate::session) fn new(value: T) -> Self {
        let snapshot = RefCell::new(Arc::new(value.clone()));
        Self { value, may_differ: Cell::new(false), revision: Cell::new(Revision::next()), snapshot }
    }

    /// The revision of the current value.
    pub fn revision(&self) -> Revision {
        self.settle();
        self.revision.get()
    }

    /// A copy of the current value, shared by all readers until the value changes.
    pub fn snapshot(&self) -> Arc<T> {
        self.settle();
        self.snapshot.borrow().clone()
    }

    /// Replaces the value with a snapshot, as a new revision.
    pub(in crate::session) fn restore(&mut self, snapshot: &Arc<T>) {
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
    fn two_values_never_have_one_revision_once_they_differ() {
        let mut first = Tracked::new(1);
        let mut copy = first.clone();
        assert_eq!(first.revision(), copy.revision());
        (*first, *copy) = (2, 3);
        assert!(first.revision() != copy.revision() && first.revision() != Tracked::new(2).revision());
    }
}
