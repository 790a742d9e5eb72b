//! Undo by comparison: code that edits the session does not report the edit. [`History::commit`] is called at the end
//! of a gesture and adds an undo step if the edits differ from those of the last call.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Revision, Tracked};
use crate::session::Edits;

/// The undo and redo steps.
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

    /// A history without steps.
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

    /// Applies a change to every step.
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

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_face::head::{Asset, Head};
    use smirk_picture::scene::Look;

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
}
