//! The mends of the head. The head that is shown is made of the one that was read and of the list in the edits; where
//! that list has changed, the head is made anew.

use std::sync::Arc;

use super::Session;
use smirk_analysis::mend::{Change, Mend, Mended, apply};
use smirk_face::head::{Head, OfHead};

/// What the head that is shown was made of.
#[derive(Clone, Debug)]
pub struct Mending {
    /// The head as it was read.
    pub unmended: Arc<Head>,
    pub mends: Vec<Mend>,
    /// What each mend did; none for one that is off.
    pub changes: Vec<Option<Change>>,
}

impl Session {
    fn mending(&self) -> Option<&Mending> {
        self.mending.as_ref()?.get(&self.head)
    }

    /// The head as it was read, without mends.
    pub fn unmended(&self) -> &Arc<Head> {
        self.mending().map_or(&self.head, |mending| &mending.unmended)
    }

    /// What the mends that are shown did, one for each of the list; none while the list has changed since.
    pub fn mend_changes(&self) -> Option<&[Option<Change>]> {
        self.mending().filter(|_| !self.needs_mending()).map(|mending| &mending.changes[..])
    }

    /// Adds the mends that are not in the list, as far as a list has room. Returns how many were added, and how many
    /// found no room.
    pub fn add_mends(&mut self, mends: impl IntoIterator<Item = Mend>) -> [usize; 2] {
        let list = &self.edits.mends;
        let mut new: Vec<Mend> = mends.into_iter().filter(|mend| !list.contains(mend)).collect();
        let room = Mend::MOST.saturating_sub(list.len());
        let left_out = new.len().saturating_sub(room);
        new.truncate(room);
        let added = new.len();
        if added > 0 {
            self.edits.mends.extend(new);
        }
        [added, left_out]
    }

    /// Whether the head that is shown was made with other mends than those of the edits.
    pub fn needs_mending(&self) -> bool {
        self.mending().map_or(&[][..], |mending| &mending.mends) != self.edits.mends
    }

    /// Notes that a head is shown that was made like this. It is put into the session first.
    pub fn set_mending(&mut self, mending: Mending) {
        self.mending = Some(OfHead::with(&self.head, mending));
    }

    /// The head with the mends of the edits, also while the one that is shown was made with others.
    pub fn mended_head(&self) -> Arc<Head> {
        if !self.needs_mending() {
            return self.head.clone();
        }
        let unmended = self.unmended();
        apply(unmended, &self.edits.mends).head.map_or_else(|| unmended.clone(), Arc::new)
    }

    /// Applies the mends of the edits at once.
    pub fn mend(&mut self) {
        if !self.needs_mending() {
            return;
        }
        let (unmended, mends) = (self.unmended().clone(), self.edits.mends.clone());
        let Mended { head, changes } = apply(&unmended, &mends);
        let head = head.map_or_else(|| unmended.clone(), Arc::new);
        if !Arc::ptr_eq(&head, &self.head) {
            self.reload(head);
        }
        self.set_mending(Mending { unmended, mends, changes });
    }
}
