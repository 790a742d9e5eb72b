//! What of a session is work: what an artist would miss if it were lost.

use std::collections::BTreeSet;

use super::{Edits, Session};
use smirk_base::names::printable;
use smirk_face::head::{Head, PairKind, listed};
use smirk_face::motion::starter_poses;
use smirk_scene::Look;

/// A face that so many sliders and poses together make was made by an artist. Fewer were only touched.
const MADE_FACE: usize = 3;

impl Edits {
    /// Whether an artist who has one of both would not miss the other. Touched sliders, applied poses, mute and solo,
    /// and what the picture shows of the surface are no work.
    pub fn is_same_work(&self, other: &Self, head: &Head) -> bool {
        let is_made = self.face_controls(head).max(other.face_controls(head)) >= MADE_FACE;
        self.without_touches(is_made) == other.without_touches(is_made)
    }

    /// How many pairs of sliders, single sliders and poses set the face.
    fn face_controls(&self, head: &Head) -> usize {
        let held = self.sliders.iter().filter(|(_, slider)| slider.held).map(|(name, _)| name);
        // Neighbours share a row, and are no pair.
        let is_pair = |pair: &usize| head.pairs[*pair].kind != PairKind::Neighbours;
        let pair_of = |name| head.channel_named(name).and_then(|channel| head.pair_of(channel)).filter(is_pair);
        let controls: BTreeSet<_> = held.map(|name| pair_of(name).ok_or(name)).collect();
        controls.len() + self.applied_poses.len()
    }

    fn without_touches(&self, keeps_face: bool) -> Self {
        let mut work = self.clone();
        if !keeps_face {
            work.sliders.clear();
            work.applied_poses.clear();
        }
        work.edit_sliders(|slider| (slider.muted, slider.soloed) = (false, false));
        (work.heat_channel, work.timeline.auto_keys, work.compared_take) = (None, false, None);
        let Look { view, heat, isolates_face, .. } = Look::default();
        work.last_note_number = 0;
        work.look = Look { view, heat, isolates_face, ..work.look };
        work
    }
}

impl Session {
    /// What would play on another head, in a few words for each kind of it; empty if there is nothing.
    pub fn work_in_words(&self) -> Vec<String> {
        let edits = &*self.edits;
        let (mut keys, mut names) = (0, BTreeSet::new());
        for of in edits.timed() {
            let timing = edits.timing(&of);
            for name in timing.keys.channels() {
                keys += timing.keys.keys_of(name).len();
                names.insert(name.to_owned());
            }
        }
        let starters = starter_poses(&self.head);
        let poses = edits.poses.iter().filter(|pose| !starters.contains(pose)).count();
        let counts = [(keys, "key", "keys"), (edits.takes.len(), "take", "takes"), (poses, "pose", "poses")];
        let marked = [(edits.markers.all().len(), "marker", "markers"), (edits.notes.len(), "note", "notes")];
        let counts = counts.into_iter().chain(marked);
        let mut words: Vec<String> = counts
            .filter(|(count, ..)| *count > 0)
            .map(|(count, one, several)| format!("{count} {}", if count == 1 { one } else { several }))
            .collect();
        let others = [
            (edits.sound.is_some(), "a sound"),
            (!edits.sequence.steps.is_empty(), "a sequence"),
            (edits.reference.is_some(), "a reference"),
        ];
        words.extend(others.into_iter().filter(|(is_there, _)| *is_there).map(|(_, words)| words.to_owned()));
        words
    }

    /// The keyed channels that the head lacks, in words; none if it has all of them.
    pub fn keys_without_channel(&self) -> Option<String> {
        let edits = &*self.edits;
        let timings = edits.timed().into_iter().map(|of| edits.timing(&of));
        let names: BTreeSet<String> =
            timings.flat_map(|timing| timing.keys.channels().map(str::to_owned).collect::<Vec<_>>()).collect();
        let lacking: Vec<String> = names.into_iter().filter(|name| self.head.channel_alike(name).is_empty()).collect();
        let shown: Vec<String> = lacking.iter().map(|name| printable(name).into_owned()).collect();
        (!shown.is_empty()).then(|| listed(&shown, 12))
    }
}
