//! What a project names and the head or the disk does not have. It is stored next to the session and saved again.

use std::collections::BTreeMap;

use super::format::{ClipRecord, Project};
use super::takes::TakeRecord;
use crate::document::status::MissingTake;
use crate::session::{Edits, Session, Slider, TakeEntry, TakeId, mesh_names, pair_of};

/// The parts of a project that could not be applied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unresolved {
    /// Channels, and meshes of channels, that the head does not have.
    pub(super) sliders: BTreeMap<String, Slider>,
    /// Linked pairs that the head does not have.
    pub(super) linked: Vec<[String; 2]>,
    /// Clips that the head does not have.
    pub(super) clips: Vec<ClipRecord>,
    /// The clips that play beside them.
    pub(super) clips_beside: Vec<usize>,
    /// The variant that the head does not have, and how many variants of that name came before it.
    pub(super) variant: Option<(String, usize)>,
    /// Takes whose file could not be read.
    pub(super) takes: Vec<MissingTakeRecord>,
    /// The index among them of the take that was to play.
    pub(super) take: Option<usize>,
    /// The index among them of the take that was to be compared.
    pub(super) compared_take: Option<usize>,
}

/// A take whose file could not be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MissingTakeRecord {
    record: TakeRecord,
    /// Why it could not be read.
    problem: String,
    /// The take of the session that it was imported as. Undo may have removed that again.
    imported_as: Option<TakeId>,
}

impl MissingTakeRecord {
    pub(super) fn new(record: TakeRecord, problem: String) -> Self {
        Self { record, problem, imported_as: None }
    }

    fn is_in(&self, edits: &Edits) -> bool {
        let take = self.imported_as.and_then(|id| edits.take_entry(id));
        take.is_some_and(|entry| entry.take.name == self.record.name)
    }
}

impl Unresolved {
    /// What the project has for a take which has just been imported again: its edits and its mapping. The record is kept, since
    /// the import can be undone.
    pub fn record_for(&mut self, entry: &TakeEntry, edits: &Edits) -> Option<&TakeRecord> {
        let is_free = |missing: &MissingTakeRecord| missing.imported_as == Some(entry.id) || !missing.is_in(edits);
        let missing =
            self.takes.iter_mut().find(|missing| missing.record.name == entry.take.name && is_free(missing))?;
        missing.imported_as = Some(entry.id);
        Some(&missing.record)
    }

    /// Drops the records of takes that the session has again.
    pub fn drop_imported(&mut self, edits: &Edits) {
        self.retain_takes(&self.missing(edits));
    }

    /// Drops the record of a take for good.
    pub fn forget_take(&mut self, index: usize) {
        let others: Vec<usize> = (0..self.takes.len()).filter(|&other| other != index).collect();
        self.retain_takes(&others);
    }

    /// Takes that have not been imported again.
    pub fn missing_takes(&self, edits: &Edits) -> Vec<MissingTake> {
        let missing = |index: usize| {
            let MissingTakeRecord { record, problem, .. } = &self.takes[index];
            MissingTake { index, name: record.name.clone(), problem: problem.clone() }
        };
        self.missing(edits).into_iter().map(missing).collect()
    }

    fn retain_takes(&mut self, indices: &[usize]) {
        for chosen in [&mut self.take, &mut self.compared_take] {
            *chosen = chosen.and_then(|chosen| indices.iter().position(|&index| index == chosen));
        }
        self.takes = indices.iter().map(|&index| self.takes[index].clone()).collect();
    }

    /// The indices of the takes that the session does not have.
    fn missing(&self, edits: &Edits) -> Vec<usize> {
        (0..self.takes.len()).filter(|&index| !self.takes[index].is_in(edits)).collect()
    }

    /// Adds these parts to a project made of `session`. Where another head was opened that has what was missing, the session's
    /// own value counts.
    pub(super) fn write_back(&self, session: &Session, project: &mut Project) {
        let head = &session.head;
        for (name, unresolved) in &self.sliders {
            let Some(channel) = head.channel_named(name) else {
                project.sliders.insert(name.clone(), unresolved.clone());
                continue;
            };
            if let Some(slider) = project.sliders.get_mut(name) {
                let has_mesh =
                    |mesh: &str| mesh_names(head, &head.channels[channel].targets).any(|other| other == mesh);
                slider.targets.extend(unresolved.targets.iter().filter(|target| !has_mesh(&target.mesh)).cloned());
            }
        }
        project.linked.extend(self.linked.iter().filter(|pair| pair_of(head, pair).is_none()).cloned());
        if let Some(timeline) = &mut project.playback
            && (timeline.clip.is_none() || session.playing_clips == self.clips_beside)
        {
            let missing = self.clips.iter().filter(|clip| head.clip_names().all(|name| name != clip.name));
            timeline.set_clips(timeline.clips().into_iter().chain(missing.cloned()).collect());
        }
        if let Some((variant, nth)) = &self.variant
            && project.variant.is_none()
            && head.variant_names().all(|name| name != variant)
        {
            (project.variant, project.variant_turn) = (Some(variant.clone()), *nth);
        }
        let (first, missing) = (project.takes.len(), self.missing(&session.edits));
        project.takes.extend(missing.iter().map(|&index| self.takes[index].record.clone()));
        let index_of = |take: Option<usize>| Some(first + missing.iter().position(|&index| Some(index) == take)?);
        project.take = project.take.or_else(|| index_of(self.take));
        project.compared_take = project.compared_take.or_else(|| index_of(self.compared_take));
    }
}
