//! What a project names and the head on screen, or the disk, lacks. It is kept beside the session and saved again.

use std::collections::BTreeMap;

use super::sliders::{self, mesh_names};
use super::{Project, Slider, TakeRecord};
use crate::document::MissingTake;
use crate::motion::TakeMap;
use crate::session::{Edits, Session, TakeEntry, TakeId};

/// Names without a home.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unresolved {
    /// Channels, and meshes of channels, that the head lacks.
    pub(super) sliders: BTreeMap<String, Slider>,
    /// Pairs that the head lacks.
    pub(super) linked: Vec<[String; 2]>,
    /// The clip that the head lacks, and its turn among those of the name.
    pub(super) clip: Option<(String, usize)>,
    /// The variant that the head lacks, likewise.
    pub(super) variant: Option<(String, usize)>,
    /// Takes whose file is gone.
    pub(super) takes: Vec<UnresolvedTake>,
    /// Which of them was to play.
    pub(super) take: Option<usize>,
    /// Which of them was to be drawn beside it.
    pub(super) compared_take: Option<usize>,
}

/// A take whose file is gone.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct UnresolvedTake {
    record: TakeRecord,
    /// Why it could not be read.
    problem: String,
    /// The take of the session that it was imported as. Undo may have taken that away again.
    import: Option<TakeId>,
}

impl UnresolvedTake {
    pub(super) fn new(record: TakeRecord, problem: String) -> Self {
        Self { record, problem, import: None }
    }

    fn is_in(&self, edits: &Edits) -> bool {
        let take = self.import.and_then(|id| edits.take_entry(id));
        take.is_some_and(|entry| entry.take.name == self.record.name)
    }
}

impl Unresolved {
    /// How a take was mapped that has been imported again. The record stays, for as long as that can be undone.
    pub fn map_for(&mut self, entry: &TakeEntry, edits: &Edits) -> Option<&TakeMap> {
        let is_free = |stray: &UnresolvedTake| stray.import == Some(entry.id) || !stray.is_in(edits);
        let stray = self.takes.iter_mut().find(|stray| stray.record.name == entry.take.name && is_free(stray))?;
        stray.import = Some(entry.id);
        Some(&stray.record.map)
    }

    /// Takes that the session holds again are no strays any more.
    pub fn drop_imported(&mut self, edits: &Edits) {
        self.keep_takes(&self.waiting(edits));
    }

    /// The artist does without the take at this place of the list.
    pub fn forget_take(&mut self, place: usize) {
        let others: Vec<usize> = (0..self.takes.len()).filter(|&other| other != place).collect();
        self.keep_takes(&others);
    }

    /// Takes that still wait for their file.
    pub fn missing_takes(&self, edits: &Edits) -> Vec<MissingTake> {
        let lost = |place: usize| {
            let UnresolvedTake { record, problem, .. } = &self.takes[place];
            MissingTake { index: place, name: record.name.clone(), problem: problem.clone() }
        };
        self.waiting(edits).into_iter().map(lost).collect()
    }

    fn keep_takes(&mut self, places: &[usize]) {
        for chosen in [&mut self.take, &mut self.compared_take] {
            *chosen = chosen.and_then(|chosen| places.iter().position(|&place| place == chosen));
        }
        self.takes = places.iter().map(|&place| self.takes[place].clone()).collect();
    }

    /// Places of takes that the session does not hold.
    fn waiting(&self, edits: &Edits) -> Vec<usize> {
        (0..self.takes.len()).filter(|&place| !self.takes[place].is_in(edits)).collect()
    }

    /// Adds what has no home on this head to what the session holds. Another head may have come that has one: then the
    /// session's word counts.
    pub(super) fn write_back(&self, session: &Session, project: &mut Project) {
        let head = &session.head;
        for (name, stray) in &self.sliders {
            let Some(channel) = head.channel_named(name) else {
                project.sliders.insert(name.clone(), stray.clone());
                continue;
            };
            if let Some(slider) = project.sliders.get_mut(name) {
                let is_here = |mesh: &str| mesh_names(head, &head.channels[channel].targets).any(|other| other == mesh);
                slider.targets.extend(stray.targets.iter().filter(|target| !is_here(&target.mesh)).cloned());
            }
        }
        project.linked.extend(self.linked.iter().filter(|pair| sliders::pair_of(head, pair).is_none()).cloned());
        if let (Some(timeline), Some((clip, turn))) = (&mut project.playback, &self.clip)
            && timeline.clip.is_none()
            && head.clip_names().all(|name| name != clip)
        {
            (timeline.clip, timeline.clip_turn) = (Some(clip.clone()), *turn);
        }
        if let Some((variant, turn)) = &self.variant
            && project.variant.is_none()
            && head.variant_names().all(|name| name != variant)
        {
            (project.variant, project.variant_turn) = (Some(variant.clone()), *turn);
        }
        let (first, waiting) = (project.takes.len(), self.waiting(&session.edits));
        project.takes.extend(waiting.iter().map(|&place| self.takes[place].record.clone()));
        let place_of = |stray: Option<usize>| Some(first + waiting.iter().position(|&place| Some(place) == stray)?);
        project.take = project.take.or_else(|| place_of(self.take));
        project.compared_take = project.compared_take.or_else(|| place_of(self.compared_take));
    }
}
