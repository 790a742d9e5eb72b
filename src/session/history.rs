//! Undo by comparison: whoever edits need not announce it. The history keeps what it last saw and, when told that a
//! gesture is over, keeps that as a step if the edits are different by now.

use std::collections::VecDeque;

use super::Edits;

/// The steps behind and ahead of the edits in use.
#[derive(Clone, Debug)]
pub struct History {
    past: VecDeque<Edits>,
    future: Vec<Edits>,
    committed: Edits,
}

impl History {
    /// Older steps are forgotten.
    pub const MAX_STEPS: usize = 200;

    /// No steps yet.
    pub fn new(edits: &Edits) -> Self {
        Self { past: VecDeque::new(), future: Vec::new(), committed: edits.clone() }
    }

    /// Makes what changed since the last call one step.
    pub fn commit(&mut self, edits: &Edits) {
        if *edits == self.committed {
            return;
        }
        if self.past.len() == Self::MAX_STEPS {
            self.past.pop_front();
        }
        self.past.push_back(std::mem::replace(&mut self.committed, edits.clone()));
        self.future.clear();
    }

    /// Changes every step alike.
    pub fn each(&mut self, change: impl Fn(&mut Edits)) {
        self.past.iter_mut().chain(&mut self.future).chain([&mut self.committed]).for_each(change);
    }

    /// Goes back one step; what is not committed yet counts as one.
    pub fn undo(&mut self, edits: &mut Edits) -> bool {
        self.commit(edits);
        let Some(previous) = self.past.pop_back() else { return false };
        self.future.push(std::mem::replace(&mut self.committed, previous));
        edits.clone_from(&self.committed);
        true
    }

    /// Goes forward one step.
    pub fn redo(&mut self, edits: &mut Edits) -> bool {
        self.commit(edits);
        let Some(next) = self.future.pop() else { return false };
        self.past.push_back(std::mem::replace(&mut self.committed, next));
        edits.clone_from(&self.committed);
        true
    }

    /// Whether [`Self::undo`] would change anything.
    pub fn can_undo(&self, edits: &Edits) -> bool {
        !self.past.is_empty() || *edits != self.committed
    }

    /// Whether [`Self::redo`] would change anything.
    pub fn can_redo(&self, edits: &Edits) -> bool {
        !self.future.is_empty() && *edits == self.committed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Head};
    use crate::scene::Look;

    fn edits(weight: f32) -> Edits {
        let head = Head::new(Asset { ..Asset::default() });
        Edits { weights: vec![weight], ..Edits::at_rest(&head, Look::default()) }
    }

    #[test]
    fn steps_go_back_and_forth() {
        let mut now = edits(0.0);
        let mut history = History::new(&now);
        for weight in [0.25, 0.5] {
            now.weights[0] = weight;
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
        now.weights[0] = 0.5;
        assert!(history.undo(&mut now), "an edit that is not committed yet is a step");
        now.weights[0] = 0.75;
        assert!(!history.can_redo(&now));
        assert!(!history.redo(&mut now));
        assert_eq!(now, edits(0.75));
    }

    #[test]
    fn the_oldest_steps_are_forgotten() {
        let mut now = edits(0.0);
        let mut history = History::new(&now);
        for step in 1..=History::MAX_STEPS + 10 {
            now.weights[0] = step as f32;
            history.commit(&now);
        }
        let mut steps = 0;
        while history.undo(&mut now) {
            steps += 1;
        }
        assert_eq!((steps, now), (History::MAX_STEPS, edits(10.0)));
    }
}
