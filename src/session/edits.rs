//! What undo brings back: plain data, compared and copied whole.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::head::{Channel, Head, Pair, name_and_nth, nth_by_name};
use crate::motion::{
    Aliases, BlendRule, Blink, ColumnMap, Ease, Gaze, Keys, Pose, PoseId, Sequence, Take, TakeMap, starter_poses,
};
use crate::scene::Look;

/// Everything an artist sets by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Edits {
    /// Where the sliders were left, one per target of the head, then one per expression. Counts for the channels the hand holds.
    pub weights: Vec<f32>,
    /// Per channel: the hand holds it, over every layer that would drive it.
    pub manual: Vec<bool>,
    /// Per channel: kept at rest.
    pub muted: Vec<bool>,
    /// Per channel: if any is set, all others are kept at rest.
    pub soloed: Vec<bool>,
    /// Per pair: both sliders move together.
    pub linked: Vec<bool>,
    /// What several expressions at once add up to.
    pub rule: BlendRule,
    /// In the order they are shown.
    pub poses: Vec<Arc<Pose>>,
    /// How much of which pose is on the face; poses that are not named have no part.
    pub posing: Vec<(PoseId, f32)>,
    /// How the face goes from one mix to another.
    pub transition: Transition,
    /// Poses one after the other.
    pub sequence: Sequence,
    /// Automatic blinking.
    pub blink: Blink,
    /// Wandering eyes.
    pub gaze: Gaze,
    /// Imported takes.
    pub takes: Vec<TakeEntry>,
    /// The take that plays.
    pub take: Option<TakeId>,
    /// The take whose curves are drawn beside it.
    pub compared_take: Option<TakeId>,
    /// Keys set by hand, by the full names of this head's channels; other names are kept for the head that has them.
    pub keys: Keys,
    /// What the artist once said a take's column means; goes into the settings.
    pub aliases: Aliases,
    /// Light and surface.
    pub look: Look,
}

/// How the face goes from one mix to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Transition {
    /// How long it takes.
    pub duration_secs: f32,
    /// How it moves.
    pub ease: Ease,
}

impl Transition {
    /// A face that takes longer is a face nobody waits for.
    pub const LONGEST_SECS: f32 = 60.0;
}

impl Default for Transition {
    fn default() -> Self {
        Self { duration_secs: 0.4, ease: Ease::InOut }
    }
}

/// What a take is known by, whatever its name and place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TakeId(pub u32);

/// An imported take and what it drives.
#[derive(Clone, Debug)]
pub struct TakeEntry {
    /// Unique within a session.
    pub id: TakeId,
    /// The curves; never edited, so equal takes are one.
    pub take: Arc<Take>,
    /// Which column drives which channels, and how.
    pub map: TakeMap,
}

impl PartialEq for TakeEntry {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && Arc::ptr_eq(&self.take, &other.take) && self.map == other.map
    }
}

impl TakeEntry {
    /// The same take on another head: matched anew, with the numbers it had.
    fn fitted_to(&self, head: &Head, aliases: &Aliases) -> Self {
        let mut map = TakeMap::matched(&self.take, head, aliases);
        for (route, old) in map.columns.iter_mut().zip(&self.map.columns) {
            *route = ColumnMap { channels: std::mem::take(&mut route.channels), ..old.clone() };
        }
        Self { map, ..self.clone() }
    }
}

impl Edits {
    /// Nothing set by hand but the look.
    pub fn at_rest(head: &Head, look: Look) -> Self {
        let channels = head.channels.len();
        Self {
            weights: head.default_weights(),
            manual: vec![false; channels],
            muted: vec![false; channels],
            soloed: vec![false; channels],
            linked: vec![false; head.pairs.len()],
            rule: BlendRule::default(),
            poses: starter_poses(head).into_iter().map(Arc::new).collect(),
            posing: Vec::new(),
            transition: Transition::default(),
            sequence: Sequence::default(),
            blink: Blink::default(),
            gaze: Gaze::default(),
            takes: Vec::new(),
            take: None,
            compared_take: None,
            keys: Keys::default(),
            aliases: Aliases::default(),
            look,
        }
    }

    /// What goes with the artist from one head to another: everything that is known by name. Starter poses nobody
    /// changed or put into the sequence become those of the new head.
    pub fn moved_to(&self, from: &Head, head: &Head) -> Self {
        let (old, new) = (starter_poses(from), starter_poses(head));
        let mut poses: Vec<Arc<Pose>> = Vec::new();
        for pose in &self.poses {
            let is_own = !old.contains(pose) || self.sequence.poses.contains(&pose.id);
            if is_own {
                poses.push(pose.clone());
            } else if let Some(starter) = new.iter().find(|starter| starter.id == pose.id) {
                poses.push(Arc::new(starter.clone()));
            }
        }
        let is_new =
            |starter: &&Pose| !old.iter().chain(self.poses.iter().map(Arc::as_ref)).any(|pose| pose.id == starter.id);
        poses.extend(new.iter().filter(is_new).cloned().map(Arc::new));
        Self {
            poses,
            transition: self.transition,
            sequence: self.sequence.clone(),
            blink: self.blink.clone(),
            gaze: self.gaze.clone(),
            takes: self.takes.iter().map(|entry| entry.fitted_to(head, &self.aliases)).collect(),
            take: self.take,
            compared_take: self.compared_take,
            keys: self.keys.on(head),
            aliases: self.aliases.clone(),
            ..Self::at_rest(head, self.look.of_any_head())
        }
    }

    /// Takes over what belongs to this head alone from another session of the same file: sliders and links, by channel
    /// name, the rule, the variant it wears and whose lights shine.
    pub(super) fn keep_sliders(&mut self, old: &Self, from: &Head, head: &Head) {
        self.rule = old.rule;
        self.posing.clone_from(&old.posing);
        self.look.variant = old.look.variant.and_then(|variant| same_variant(from, variant, head));
        self.look.lit_by = old.look.lit_by;
        let new_of: Vec<Option<usize>> = from.channels.iter().map(|channel| same_channel(channel, head)).collect();
        for (pair, _) in from.pairs.iter().zip(&old.linked).filter(|(_, linked)| **linked) {
            let (first, second) = (new_of[pair.first], pair.second.map(|second| new_of[second]));
            let is_same = |other: &Pair| Some(other.first) == first && other.second.map(Some) == second;
            if let Some(new) = head.pairs.iter().position(is_same) {
                self.linked[new] = true;
            }
        }
        for (channel, new) in new_of.into_iter().enumerate() {
            let Some(new) = new else { continue };
            self.manual[new] = old.manual[channel];
            self.muted[new] = old.muted[channel];
            self.soloed[new] = old.soloed[channel];
            for (&target, &old_target) in head.channels[new].targets.iter().zip(&from.channels[channel].targets) {
                self.weights[target] = old.weights[old_target];
            }
        }
    }

    /// Whether [`Self::keep_sliders`] would leave something behind.
    pub(super) fn has_more_than(&self, from: &Head, head: &Head) -> bool {
        let rest = from.default_weights();
        let is_touched = |channel: usize| {
            let marks = [&self.manual, &self.muted, &self.soloed];
            marks.iter().any(|marks| marks[channel])
                || from.channels[channel].targets.iter().any(|&target| self.weights[target] != rest[target])
        };
        let is_lost = |channel: usize| same_channel(&from.channels[channel], head).is_none() && is_touched(channel);
        let is_undressed = self.look.variant.is_some_and(|variant| same_variant(from, variant, head).is_none());
        is_undressed || (0..from.channels.len()).any(is_lost)
    }

    /// The pose of that id.
    pub fn pose(&self, id: PoseId) -> Option<&Arc<Pose>> {
        self.poses.iter().find(|pose| pose.id == id)
    }

    /// The take of that id.
    pub fn take_entry(&self, id: TakeId) -> Option<&TakeEntry> {
        self.takes.iter().find(|entry| entry.id == id)
    }
}

/// The channel of the same name on another head.
fn same_channel(channel: &Channel, head: &Head) -> Option<usize> {
    head.channels.iter().position(|other| other.full_name == channel.full_name)
}

/// The variant of the same name on another head.
fn same_variant(from: &Head, variant: usize, head: &Head) -> Option<usize> {
    let (name, turn) = name_and_nth(from.variant_names(), variant)?;
    nth_by_name(head.variant_names(), name, turn)
}
