//! The part of a session that undo restores: plain data that is compared and copied as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{LiveEdits, NamedEdits, Reference, SoundTrack};
use smirk_face::head::{Channel, Head, Role, name_and_nth, nth_by_name};
use smirk_face::motion::{
    Aliases, BlendRule, Blink, ColumnMap, Ease, EditedTake, Gaze, HeadAndEyes, Keys, Markers, Pose, PoseId, Reduction,
    Sequence, Take, TakeEdit, TakeMap, TimelineSettings, starter_poses,
};
use smirk_picture::scene::Look;

/// Everything that the user edits and can undo.
#[derive(Clone, Debug, PartialEq)]
pub struct Edits {
    /// The positions of the sliders: one per target of the head, then one per expression. They apply to the manual
    /// channels only.
    pub weights: Vec<f32>,
    /// Per channel, whether its slider sets its value and overrides the layers below.
    pub manual: Vec<bool>,
    /// Per channel, whether it is muted.
    pub muted: Vec<bool>,
    /// Per channel, whether it is soloed. If any channel is, all others are at rest.
    pub soloed: Vec<bool>,
    /// Per pair, whether both sliders move together.
    pub linked: Vec<bool>,
    /// How several expressions are combined.
    pub rule: BlendRule,
    /// Whether correctives play. If not, their targets are like all others.
    pub plays_correctives: bool,
    /// The poses, in the order of the grid.
    pub poses: Vec<Arc<Pose>>,
    /// The applied poses, with their amounts.
    pub applied_poses: Vec<(PoseId, f32)>,
    /// How the face changes from one mix to another.
    pub transition: Transition,
    /// The sequence of poses.
    pub sequence: Sequence,
    /// Automatic blinking.
    pub blink: Blink,
    /// Automatic eye movement.
    pub gaze: Gaze,
    /// What turns with the angles of a take.
    pub head_and_eyes: HeadAndEyes,
    /// Imported takes.
    pub takes: Vec<TakeEntry>,
    /// The selected take, which drives the head.
    pub take: Option<TakeId>,
    /// The take whose curves are drawn for comparison.
    pub compared_take: Option<TakeId>,
    /// The sound of the timeline, for everything but takes that have one of their own.
    pub sound: Option<SoundTrack>,
    /// Texts at times of the timeline.
    pub markers: Markers,
    /// How live faces are mapped and smoothed.
    pub live: LiveEdits,
    /// Keys set by the user, by full channel name. Names that this head lacks are kept for another head.
    pub keys: Keys,
    /// The frame rate of the timeline, how times are shown, and the range that plays.
    pub timeline: TimelineSettings,
    /// The channels chosen for column names. They are also saved in the settings.
    pub aliases: Aliases,
    /// Light, background and shading.
    pub look: Look,
    /// What materials show, where the artist has chosen it, by the names of the materials. Names that the head lacks are kept.
    pub roles: BTreeMap<String, Role>,
    /// The names of the meshes that are hidden. Names that the head lacks are kept.
    pub hidden_meshes: BTreeSet<String>,
    /// The full name of the channel that the heat map measures alone. A name that the head lacks is kept.
    pub heat_channel: Option<String>,
    /// The image or image sequence that is looked at together with the face.
    pub reference: Option<Reference>,
    /// What is kept for parts that the head had before it was read again, and may have again.
    pub absent: NamedEdits,
}

/// The transition from one mix of weights to another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Transition {
    /// The duration of the transition.
    pub duration_secs: f32,
    /// The easing curve.
    pub ease: Ease,
}

impl Transition {
    /// The longest duration of a transition.
    pub const LONGEST_SECS: f32 = 60.0;
}

impl Default for Transition {
    fn default() -> Self {
        Self { duration_secs: 0.4, ease: Ease::InOut }
    }
}

/// Identifies a take independently of its name and its position in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TakeId(pub u32);

/// An imported take, its edits and its mapping to the head.
#[derive(Clone, Debug)]
pub struct TakeEntry {
    /// Unique within a session.
    pub id: TakeId,
    /// The recorded data. It is never edited, so takes are compared by address.
    pub take: Arc<Take>,
    /// What is changed of it before it is mapped, in this order.
    pub edits: Vec<TakeEdit>,
    /// Which columns drive which channels.
    pub map: TakeMap,
    /// The sound that was recorded with it.
    pub sound: Option<SoundTrack>,
    /// Whether the artist has marked it as a good one.
    pub is_starred: bool,
    edited: EditedTake,
}

impl PartialEq for TakeEntry {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
            && Arc::ptr_eq(&self.take, &other.take)
            && self.edits == other.edits
            && self.map == other.map
            && self.sound == other.sound
            && self.is_starred == other.is_starred
    }
}

impl TakeEntry {
    /// The take as it was recorded: its columns drive the same channels, without the edits of the artist.
    pub(super) fn untouched(&self) -> Self {
        let untouched = |column: &ColumnMap| ColumnMap {
            column: column.column.clone(),
            channels: column.channels.clone(),
            ..ColumnMap::default()
        };
        Self {
            map: TakeMap { columns: self.map.columns.iter().map(untouched).collect() },
            edits: Vec::new(),
            ..self.clone()
        }
    }

    /// A take without edits.
    pub fn new(id: TakeId, take: Arc<Take>, map: TakeMap) -> Self {
        Self { id, take, edits: Vec::new(), map, sound: None, is_starred: false, edited: EditedTake::default() }
    }

    /// The take with its edits, which is what plays. It is the recording itself if no edit is switched on, and computed
    /// only if the edits have changed since the last call.
    pub fn edited(&self) -> Arc<Take> {
        self.edited.of(&self.take, &self.edits)
    }

    /// What the edit at `index` left, if it reduces keys and is switched on.
    pub fn reduction(&self, index: usize) -> Option<Reduction> {
        self.edited.reduction(&self.take, &self.edits, index)
    }

    /// How many edits of this take were computed so far.
    pub fn computed_edits(&self) -> usize {
        self.edited.computed()
    }

    /// The same take for another head: its columns are matched with the new channels and keep their gain, offset and
    /// other numbers.
    fn fitted_to(&self, head: &Head, aliases: &Aliases) -> Self {
        let mut map = TakeMap::matched(&self.take, head, aliases);
        for (column, old) in map.columns.iter_mut().zip(&self.map.columns) {
            *column = ColumnMap { channels: std::mem::take(&mut column.channels), ..old.clone() };
        }
        Self { map, ..self.clone() }
    }
}

impl Edits {
    /// The edits of a head as it is opened, with a look.
    pub fn at_rest(head: &Head, look: Look) -> Self {
        let channels = head.channels.len();
        Self {
            weights: head.default_weights(),
            manual: vec![false; channels],
            muted: vec![false; channels],
            soloed: vec![false; channels],
            linked: vec![false; head.pairs.len()],
            rule: BlendRule::default(),
            plays_correctives: true,
            poses: starter_poses(head).into_iter().map(Arc::new).collect(),
            applied_poses: Vec::new(),
            transition: Transition::default(),
            sequence: Sequence::default(),
            blink: Blink::default(),
            gaze: Gaze::default(),
            head_and_eyes: HeadAndEyes::default(),
            takes: Vec::new(),
            take: None,
            compared_take: None,
            sound: None,
            markers: Markers::default(),
            live: LiveEdits::default(),
            keys: Keys::default(),
            timeline: TimelineSettings::default(),
            aliases: Aliases::default(),
            look,
            roles: BTreeMap::new(),
            hidden_meshes: BTreeSet::new(),
            heat_channel: None,
            reference: None,
            absent: NamedEdits::default(),
        }
    }

    /// The edits after another head has replaced this one: everything that refers to channels by name is kept. Starter
    /// poses that are unchanged and not in the sequence are replaced by those of the new head.
    pub fn moved_to(&self, from: &Head, head: &Head) -> Self {
        let (old, new) = (starter_poses(from), starter_poses(head));
        let mut poses: Vec<Arc<Pose>> = Vec::new();
        for pose in &self.poses {
            let is_own = !old.contains(pose) || self.sequence.steps.iter().any(|step| step.pose == pose.id);
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
            head_and_eyes: self.head_and_eyes.clone(),
            takes: self.takes.iter().map(|entry| entry.fitted_to(head, &self.aliases)).collect(),
            take: self.take,
            compared_take: self.compared_take,
            sound: self.sound.clone(),
            markers: self.markers.clone(),
            live: self.live.clone(),
            keys: self.keys.on(head),
            timeline: self.timeline,
            aliases: self.aliases.clone(),
            reference: self.reference.clone(),
            ..Self::at_rest(head, self.look.of_any_head())
        }
    }

    /// Whether [`Self::copy_sliders`] would lose something.
    pub(super) fn has_more_than(&self, from: &Head, head: &Head) -> bool {
        let rest = from.default_weights();
        let is_touched = |channel: usize| {
            let marks = [&self.manual, &self.muted, &self.soloed];
            marks.iter().any(|marks| marks[channel])
                || from.channels[channel].targets.iter().any(|&target| self.weights[target] != rest[target])
        };
        let is_lost = |channel: usize| same_channel(&from.channels[channel], head).is_none() && is_touched(channel);
        let lacks_variant = self.look.variant.is_some_and(|variant| same_variant(from, variant, head).is_none());
        lacks_variant || (0..from.channels.len()).any(is_lost)
    }

    /// Whether they have an entry for each channel, pair and target of a head.
    pub(super) fn fits(&self, head: &Head) -> bool {
        let channels = head.channels.len();
        [&self.manual, &self.muted, &self.soloed].iter().all(|marks| marks.len() == channels)
            && self.linked.len() == head.pairs.len()
            && self.weights.len() == head.target_count() + head.expressions.len()
    }

    /// The pose with this id.
    pub fn pose(&self, id: PoseId) -> Option<&Arc<Pose>> {
        self.poses.iter().find(|pose| pose.id == id)
    }

    /// The take with this id.
    pub fn take_entry(&self, id: TakeId) -> Option<&TakeEntry> {
        self.takes.iter().find(|entry| entry.id == id)
    }
}

/// The index of the channel of the same name on another head.
fn same_channel(channel: &Channel, head: &Head) -> Option<usize> {
    head.channels.iter().position(|other| other.full_name == channel.full_name)
}

/// The index of the variant of the same name on another head.
fn same_variant(from: &Head, variant: usize, head: &Head) -> Option<usize> {
    let (name, turn) = name_and_nth(from.variant_names(), variant)?;
    nth_by_name(head.variant_names(), name, turn)
}
