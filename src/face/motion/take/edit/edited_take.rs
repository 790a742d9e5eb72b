//! A take with its edits applied. It is computed when the list of edits changes, from the first edit that is different on.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::apply::Stage;
use super::operations::Reduction;
use super::take_edit::TakeEdit;
use crate::motion::{Take, TakeColumn};

/// What was computed last for one take. Copies share it.
#[derive(Clone, Default)]
pub struct EditedTake(Arc<Mutex<Cache>>);

#[derive(Default)]
struct Cache {
    recording: Weak<Take>,
    /// The columns after each edit that is switched on.
    stages: Vec<(TakeEdit, Stage)>,
    edited: Option<Arc<Take>>,
    computed: usize,
}

impl fmt::Debug for EditedTake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EditedTake").finish_non_exhaustive()
    }
}

impl EditedTake {
    /// The recording with these edits. Without any that is switched on, the recording itself.
    pub fn of(&self, recording: &Arc<Take>, edits: &[TakeEdit]) -> Arc<Take> {
        if !edits.iter().any(|edit| edit.enabled) {
            return recording.clone();
        }
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cache.update(recording, edits);
        cache.edited.clone().unwrap_or_else(|| recording.clone())
    }

    /// What the edit at `index` of the list left, if it reduces keys and is switched on.
    pub fn reduction(&self, recording: &Arc<Take>, edits: &[TakeEdit], index: usize) -> Option<Reduction> {
        edits.get(index).filter(|edit| edit.enabled)?;
        let before = edits[..index].iter().filter(|edit| edit.enabled).count();
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cache.update(recording, edits);
        cache.stages.get(before)?.1.reduction
    }

    /// How many edits were computed so far. What has not changed must not be computed again.
    pub fn computed(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).computed
    }
}

impl Cache {
    fn update(&mut self, recording: &Arc<Take>, edits: &[TakeEdit]) {
        if !std::ptr::eq(self.recording.as_ptr(), Arc::as_ptr(recording)) {
            *self = Self { recording: Arc::downgrade(recording), computed: self.computed, ..Self::default() };
        }
        let enabled = || edits.iter().filter(|edit| edit.enabled);
        let same = self.stages.iter().zip(enabled()).take_while(|((known, _), edit)| known == *edit).count();
        if same == self.stages.len() && same == enabled().count() && self.edited.is_some() {
            return;
        }
        self.stages.truncate(same);
        for edit in enabled().skip(same) {
            let stage = match self.stages.last() {
                Some((_, before)) => before.after(edit, recording),
                None => Stage::of(recording).after(edit, recording),
            };
            self.stages.push((edit.clone(), stage));
            self.computed += 1;
        }
        self.edited = self.stages.last().map(|(_, stage)| Arc::new(take_of(recording, stage)));
    }
}

/// A take with other columns. Those that did not change share the curves of the recording.
fn take_of(recording: &Take, stage: &Stage) -> Take {
    let mut tracks = recording.tracks.clone();
    let mut columns = recording.columns.clone();
    for (index, (column, edited)) in columns.iter_mut().zip(&stage.columns).enumerate() {
        let is_unchanged = recording
            .curve_of(index)
            .is_none_or(|(curve, element)| curve.is_copy_of(&edited.curve) && element == edited.element);
        if !is_unchanged {
            *column = TakeColumn { name: column.name.clone(), track: tracks.len(), element: edited.element };
            tracks.push(edited.curve.clone());
        }
    }
    Take { tracks, columns, duration_secs: stage.duration_secs, ..recording.clone() }
}
