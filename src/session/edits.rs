//! The part of a session that undo restores: plain data that is compared and copied as a whole.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Not;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::notes::{self, MergedNotes, NoteId, ReviewNote, TooManyNotes};
use super::{ClipTiming, FileRef, LiveEdits, Reference, Slider, SoundTrack, TakeId, Timing, TimingOf};
use smirk_analysis::mend::Mend;
use smirk_analysis::voice::Voice;
use smirk_base::file_kind::Content;
use smirk_face::head::{ChosenAxes, Head, Pair, PairKind, Role, ShapeFile, name_and_nth, nth_by_name};
use smirk_face::motion::{
    BlendRule, Blink, ColumnMap, ColumnMatching, Ease, EditedTake, FrameRate, Gaze, HeadAndEyes, Keys, Markers, Pose,
    PoseAmount, PoseId, Reduction, Sequence, Take, TakeEdit, TakeMap, TimelineSettings, starter_poses,
};
use smirk_scene::{HeatAgainst, Look, ViewMode};

/// Everything that the user edits and can undo. Parts of the head are named, and stay named when the head lacks them;
/// [`BoundEdits`](super::BoundEdits) has their indices. The fields, by their names in the order of this list, are also
/// those of a project file; what a file does not have is as in a new session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Edits {
    /// Whether the head rests with all weights at 0, whatever weights its file has at rest.
    #[serde(skip_serializing_if = "Not::not")]
    pub rests_at_zero: bool,
    /// What was done to single channels, by their full names. A channel that is as the head's file has it is not
    /// listed.
    pub sliders: BTreeMap<String, Slider>,
    /// The files whose shapes are added to the head, in that order. Some may no longer exist. A project has them beside
    /// its edits.
    #[serde(skip)]
    pub shapes: Vec<ShapeFile>,
    /// How the shapes of the head are mended, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mends: Vec<Mend>,
    /// Whether the sliders of every left and right move together.
    #[serde(skip_serializing_if = "Not::not")]
    pub links_sides: bool,
    /// The pairs of which that is not so, and others whose sliders move together, by the full names of both channels.
    pub linked: BTreeSet<[String; 2]>,
    pub rule: BlendRule,
    /// Whether correctives play. If not, their targets are like all others.
    pub plays_correctives: bool,
    /// The poses, in the order of the grid.
    #[serde(with = "shared_poses")]
    pub poses: Vec<Arc<Pose>>,
    /// The poses that number keys apply, by their digits.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pose_keys: BTreeMap<u8, PoseId>,
    #[serde(rename = "posing")]
    pub applied_poses: Vec<PoseAmount>,
    /// How the face changes from one mix to another.
    pub transition: Transition,
    pub sequence: Sequence,
    pub blink: Blink,
    pub gaze: Gaze,
    #[serde(skip_serializing_if = "is_zero")]
    pub voice: Voice,
    /// Which joints turn with the angles of a take. In project files without this field, none.
    pub head_and_eyes: HeadAndEyes,
    pub takes: Vec<TakeEntry>,
    /// The selected take, which drives the head.
    pub take: Option<TakeId>,
    /// The take whose curves are drawn for comparison.
    pub compared_take: Option<TakeId>,
    /// The sound of the timeline, for everything but takes that have one of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sound: Option<SoundTrack>,
    /// Texts at times of the timeline.
    #[serde(skip_serializing_if = "Markers::is_empty")]
    pub markers: Markers,
    pub live: LiveEdits,
    /// Keys set by the user, by full channel name, while neither clip nor take plays.
    pub keys: Keys,
    /// The keys, in and out points of clips. Those of takes are with the takes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clip_timings: Vec<ClipTiming>,
    /// Whose keys, in and out points apply, whatever plays. `None` if those of what plays.
    #[serde(skip_serializing_if = "is_that_of_the_head")]
    pub timing_for_all: Option<TimingOf>,
    /// The frame rate of the timeline, how times are shown, and the range that plays while neither clip nor take does.
    pub timeline: TimelineSettings,
    /// How columns of takes and of live faces find their channels. It is saved in the settings.
    #[serde(skip)]
    pub matching: ColumnMatching,
    /// Which axes of the head's file are up and front, where the artist has chosen them.
    #[serde(skip_serializing_if = "ChosenAxes::are_as_found")]
    pub axes: ChosenAxes,
    /// Light, background and shading. What it says by index, and which lights shine, is set by the fields below.
    pub look: Look,
    /// The name of the chosen variant of the materials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// How many variants of that name come before it.
    #[serde(skip_serializing_if = "is_zero")]
    pub variant_turn: usize,
    /// Whether the lights of the head's file shine, if it has any, instead of key, fill and rim.
    #[serde(skip_serializing_if = "Not::not")]
    pub lit_by_file: bool,
    /// What materials show, where the artist has chosen it, by the names of the materials.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, Role>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub hidden_meshes: BTreeSet<String>,
    /// The full name of the channel that the heat map measures alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heat_channel: Option<String>,
    /// The image or image sequence that is looked at together with the face.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// What people have noted in reviews, in the order of the numbers.
    #[serde(with = "notes::shared", skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Arc<ReviewNote>>,
    /// The highest number that a note has or had: that of a deleted note is given to no other.
    #[serde(skip_serializing_if = "is_zero")]
    pub last_note_number: u32,
}

/// Whether it is as in projects from before there was a choice.
fn is_that_of_the_head(timing_for_all: &Option<TimingOf>) -> bool {
    *timing_for_all == Some(TimingOf::Head)
}

fn is_zero<T: Default + PartialEq>(number: &T) -> bool {
    *number == T::default()
}

/// Poses are shared by the steps of undo; in a file they are a list.
mod shared_poses {
    use super::{Arc, Pose};
    use serde::{Deserialize, Deserializer, Serializer};
    use smirk_base::json::BoundedList;

    pub(super) fn serialize<S: Serializer>(poses: &[Arc<Pose>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(poses.iter().map(Arc::as_ref))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Arc<Pose>>, D::Error> {
        Ok(BoundedList::deserialize(deserializer)?.0.into_iter().map(Arc::new).collect())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Transition {
    pub duration_secs: f32,
    pub ease: Ease,
}

impl Transition {
    pub const LONGEST_SECS: f32 = 60.0;
}

impl Default for Transition {
    fn default() -> Self {
        Self { duration_secs: 0.4, ease: Ease::InOut }
    }
}

/// An imported take, its edits and its mapping to the head. Its curves stay in the capture that it came from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TakeEntry {
    /// Unique within a session.
    #[serde(skip)]
    pub id: TakeId,
    /// The capture that it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<FileRef>,
    /// Its name in the capture.
    pub name: String,
    /// What is changed of it before it is mapped, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<TakeEdit>,
    pub map: TakeMap,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sound: Option<SoundTrack>,
    /// Its keys, in point and out point.
    #[serde(skip_serializing_if = "Timing::is_empty")]
    pub timing: Timing,
    /// Whether its file has frames of meshes, from which it is solved.
    #[serde(rename = "solved", skip_serializing_if = "Not::not")]
    pub is_solved: bool,
    /// Whether the artist has marked it as a good one.
    #[serde(rename = "starred", skip_serializing_if = "Not::not")]
    pub is_starred: bool,
    /// The recorded data. It is never edited, so takes are compared by address. Without columns if it could not be
    /// read.
    #[serde(skip)]
    pub take: Arc<Take>,
    /// Why the capture could not be read. The take is kept until it is imported again.
    #[serde(skip)]
    pub problem: Option<String>,
    /// What [`Self::edited`] computed last.
    #[serde(skip)]
    pub cache: EditedTake,
}

impl PartialEq for TakeEntry {
    fn eq(&self, other: &Self) -> bool {
        let Self { id, file, name, edits, map, sound, timing, is_solved, is_starred, take, problem: _, cache: _ } =
            self;
        let has_same_data = Arc::ptr_eq(take, &other.take) || (take.is_empty() && other.take.is_empty());
        has_same_data
            && (id, file, name, edits) == (&other.id, &other.file, &other.name, &other.edits)
            && (map, sound, timing) == (&other.map, &other.sound, &other.timing)
            && (is_solved, is_starred) == (&other.is_solved, &other.is_starred)
    }
}

impl TakeEntry {
    /// The take as it was recorded: its columns drive the same channels, without the edits of the artist.
    pub(super) fn untouched(&self) -> Self {
        let mut map = self.map.clone();
        for column in &mut map.columns {
            let ColumnMap { column: name, channels, .. } = std::mem::take(column);
            *column = ColumnMap { column: name, channels, ..ColumnMap::default() };
        }
        Self { map, edits: Vec::new(), timing: Timing::default(), ..self.clone() }
    }

    pub fn new(id: TakeId, take: Arc<Take>, map: TakeMap) -> Self {
        Self { id, map, ..Self::default() }.with_data(take)
    }

    /// What its file is opened as.
    pub fn content(&self) -> Content {
        if self.is_solved { Content::Frames } else { Content::Takes }
    }

    pub(super) fn open_as(&mut self, content: Content) {
        self.is_solved = content == Content::Frames;
    }

    /// The same with its recorded data.
    #[must_use]
    pub fn with_data(self, take: Arc<Take>) -> Self {
        let file = take.source.as_deref().map(FileRef::new);
        Self { file, name: take.name.clone(), take, problem: None, cache: EditedTake::default(), ..self }
    }

    /// The same without its recorded data, and why.
    #[must_use]
    pub fn without_data(self, problem: Option<String>) -> Self {
        let take = Take { name: self.name.clone(), ..Take::default() };
        Self { take: Arc::new(take), problem, cache: EditedTake::default(), ..self }
    }

    pub fn is_missing(&self) -> bool {
        self.problem.is_some()
    }

    /// The take with its edits, which is what plays. It is the recording itself if no edit is switched on, and computed
    /// only if the edits have changed since the last call.
    pub fn edited(&self) -> Arc<Take> {
        self.cache.get(&self.take, &self.edits)
    }

    /// What the edit at `index` left, if it reduces keys and is switched on.
    pub fn reduction(&self, index: usize) -> Option<Reduction> {
        self.cache.reduction(&self.take, &self.edits, index)
    }

    /// The same take for another head: its columns are matched with the new channels and keep their gain, offset and
    /// other numbers.
    pub(super) fn fitted_to(&self, head: &Head, matching: &ColumnMatching) -> Self {
        if self.is_missing() {
            return self.clone();
        }
        let mut map = matching.map_of(self.take.column_names(), head);
        for (column, old) in map.columns.iter_mut().zip(&self.map.columns) {
            *column = std::mem::take(column).with_numbers(old);
        }
        Self { map, ..self.clone() }
    }
}

impl Default for Edits {
    fn default() -> Self {
        Self {
            rests_at_zero: false,
            sliders: BTreeMap::new(),
            shapes: Vec::new(),
            mends: Vec::new(),
            links_sides: false,
            linked: BTreeSet::new(),
            rule: BlendRule::default(),
            plays_correctives: true,
            poses: Vec::new(),
            pose_keys: BTreeMap::new(),
            applied_poses: Vec::new(),
            transition: Transition::default(),
            sequence: Sequence::default(),
            blink: Blink::default(),
            gaze: Gaze::default(),
            voice: Voice::default(),
            head_and_eyes: HeadAndEyes::OFF,
            takes: Vec::new(),
            take: None,
            compared_take: None,
            sound: None,
            markers: Markers::default(),
            live: LiveEdits::default(),
            keys: Keys::default(),
            clip_timings: Vec::new(),
            // Before there was a choice, keys belonged to nothing.
            timing_for_all: Some(TimingOf::Head),
            timeline: TimelineSettings::default(),
            matching: ColumnMatching::default(),
            axes: ChosenAxes::default(),
            look: Look::default(),
            variant: None,
            variant_turn: 0,
            lit_by_file: false,
            roles: BTreeMap::new(),
            hidden_meshes: BTreeSet::new(),
            heat_channel: None,
            reference: None,
            notes: Vec::new(),
            last_note_number: 0,
        }
    }
}

/// The clip that plays when a head is opened.
pub(super) fn first_clip(head: &Head) -> Option<usize> {
    head.clips.iter().position(|clip| !clip.is_reference_pose())
}

/// The frame rate of the clip that plays when a head is opened.
pub(super) fn first_clip_rate(head: &Head) -> Option<FrameRate> {
    clip_rate(head, first_clip(head)?)
}

/// The frame rate of a clip of a head.
pub(super) fn clip_rate(head: &Head, clip: usize) -> Option<FrameRate> {
    head.clips.get(clip)?.frames_per_sec().map(|rate| FrameRate::nearest(rate.into()))
}

impl Edits {
    /// The edits of a head as it is opened, with a look.
    pub fn at_rest(head: &Head, look: Look) -> Self {
        let mut edits = Self {
            poses: starter_poses(head).into_iter().map(Arc::new).collect(),
            head_and_eyes: HeadAndEyes::default(),
            look,
            hidden_meshes: head.hidden_at_first(),
            timing_for_all: None,
            timeline: TimelineSettings {
                rate: first_clip_rate(head).unwrap_or_default(),
                ..TimelineSettings::default()
            },
            ..Self::default()
        };
        edits.number_starters(|_| true);
        edits
    }

    /// Changes what was done to a channel of this full name.
    pub(super) fn edit_slider(&mut self, channel: &str, edit: impl FnOnce(&mut Slider)) {
        if let Some(slider) = self.sliders.get_mut(channel) {
            edit(slider);
            if *slider == Slider::default() {
                self.sliders.remove(channel);
            }
            return;
        }
        let mut slider = Slider::default();
        edit(&mut slider);
        if slider != Slider::default() {
            self.sliders.insert(channel.to_owned(), slider);
        }
    }

    /// Changes what was done to each channel, also to those that the head lacks.
    pub(super) fn edit_sliders(&mut self, mut edit: impl FnMut(&mut Slider)) {
        self.sliders.retain(|_, slider| {
            edit(slider);
            *slider != Slider::default()
        });
    }

    pub fn unsolo_all(&mut self) {
        self.edit_sliders(|slider| slider.soloed = false);
    }

    pub fn unmute_all(&mut self) {
        self.edit_sliders(|slider| slider.muted = false);
    }

    /// Makes the sliders of a pair of a head move together, or not. A channel alone cannot be linked.
    pub fn link_pair(&mut self, head: &Head, pair: usize, is_linked: bool) {
        self.linked.retain(|names| pair_named(head, names) != Some(pair));
        let Pair { first, second, kind, .. } = head.pairs[pair];
        let is_usual = is_linked == (self.links_sides && kind == PairKind::Sides);
        if let Some(second) = second.filter(|_| !is_usual) {
            self.linked.insert([first, second].map(|channel| head.channels[channel].full_name.clone()));
        }
    }

    /// Links every left with its right and no other pair, or unlinks all pairs.
    pub fn link_all(&mut self, is_linked: bool) {
        self.links_sides = is_linked;
        self.linked.clear();
    }

    /// Shows the heat map of what a channel of a head alone does.
    pub fn show_heat_of(&mut self, head: &Head, channel: usize) {
        self.heat_channel = Some(head.channels[channel].full_name.clone());
        (self.look.view, self.look.heat.against) = (ViewMode::Heat, HeatAgainst::Rest);
        self.look.heat.is_whole = false;
    }

    /// Chooses a variant of a head, or its own materials.
    pub fn choose_variant(&mut self, head: &Head, variant: Option<usize>) {
        let name = variant.and_then(|variant| name_and_nth(head.variant_names(), variant));
        (self.variant, self.variant_turn) = name.map_or((None, 0), |(name, nth)| (Some(name.to_owned()), nth));
    }

    pub fn variant_of(&self, head: &Head) -> Option<usize> {
        nth_by_name(head.variant_names(), self.variant.as_deref()?, self.variant_turn)
    }

    /// The references to the files that the edits use: captures, sounds and the reference.
    pub fn files_mut(&mut self) -> impl Iterator<Item = &mut FileRef> {
        let Self { takes, sound, reference, .. } = self;
        let takes = takes
            .iter_mut()
            .flat_map(|entry| entry.file.iter_mut().chain(entry.sound.as_mut().map(|sound| &mut sound.file)));
        let sound = sound.as_mut().map(|sound| &mut sound.file);
        takes.chain(sound).chain(reference.as_mut().map(|reference| &mut reference.file))
    }

    /// Where what lies on the timeline beside the animation ends: the sound and the last marker.
    pub(super) fn attachments_end_secs(&self) -> f32 {
        self.sound.as_ref().map_or(0.0, SoundTrack::end_secs).max(self.markers.end_secs())
    }

    /// The same with values that make sense: those of a file may be any.
    #[must_use]
    pub fn within_reason(mut self) -> Self {
        self.transition.duration_secs = self.transition.duration_secs.clamp(0.0, Transition::LONGEST_SECS);
        self.live = self.live.within_reason();
        self.voice = self.voice.within_reason();
        self.mends.truncate(Mend::MOST);
        self.sound = self.sound.map(SoundTrack::within_reason);
        self.markers = Markers::new(self.markers.all().to_vec());
        self.timeline = self.timeline.within_reason();
        self.axes = self.axes.within_reason();
        self.look = self.look.renewed().within_reason();
        self.reference = self.reference.map(Reference::within_reason);
        let notes = self.notes.into_iter();
        self.notes = notes.map(|note| Arc::new(Arc::unwrap_or_clone(note).within_reason())).collect();
        self.put_notes_in_order();
        self
    }

    pub fn note(&self, id: NoteId) -> Option<&Arc<ReviewNote>> {
        self.notes.iter().find(|note| note.id == id)
    }

    /// Puts the notes in the order of their numbers, each id once. Those without a number, or with that of a note
    /// before them, get the next numbers, in the order of their dates.
    pub fn put_notes_in_order(&mut self) {
        /// Higher numbers can only come from a file that no program wrote.
        const MOST: u32 = 1 << 30;
        let (mut ids, mut numbers) = (HashSet::new(), HashSet::new());
        self.notes.retain(|note| ids.insert(note.id));
        let (mut numbered, mut others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.notes)
            .into_iter()
            .partition(|note| (1..=MOST).contains(&note.number) && numbers.insert(note.number));
        let last = if self.last_note_number <= MOST { self.last_note_number } else { 0 };
        self.last_note_number = numbers.into_iter().fold(last, u32::max);
        others.sort_by_key(|note| (note.created, note.id));
        for note in &mut others {
            self.last_note_number += 1;
            Arc::make_mut(note).number = self.last_note_number;
        }
        numbered.append(&mut others);
        numbered.sort_by_key(|note| note.number);
        self.notes = numbered;
    }

    /// Adds the notes and replies of others, and takes over what is newer. Nothing is changed if there would be too
    /// many.
    pub fn merge_notes(&mut self, others: impl IntoIterator<Item = ReviewNote>) -> Result<MergedNotes, TooManyNotes> {
        let (notes, changed) = notes::merged(&self.notes, others)?;
        self.notes = notes;
        self.put_notes_in_order();
        Ok(changed)
    }

    pub fn open_notes(&self) -> usize {
        self.notes.iter().filter(|note| note.is_open()).count()
    }

    pub fn pose(&self, id: PoseId) -> Option<&Arc<Pose>> {
        self.poses.iter().find(|pose| pose.id == id)
    }

    /// The amount at which a pose is applied; 0 if it is not.
    pub fn pose_amount(&self, id: PoseId) -> f32 {
        self.applied_poses.iter().find(|applied| applied.pose == id).map_or(0.0, |applied| applied.amount)
    }

    pub fn take_mut(&mut self, id: TakeId) -> Option<&mut TakeEntry> {
        self.takes.iter_mut().find(|entry| entry.id == id)
    }

    /// The take with this id, unless its data could not be read.
    pub fn take_entry(&self, id: TakeId) -> Option<&TakeEntry> {
        self.playable_takes().find(|entry| entry.id == id)
    }

    pub(super) fn playing_take_mut(&mut self) -> Option<&mut TakeEntry> {
        let playing = self.take?;
        self.takes.iter_mut().find(|entry| entry.id == playing && !entry.is_missing())
    }

    /// The takes whose data could be read.
    pub fn playable_takes(&self) -> impl Iterator<Item = &TakeEntry> + Clone {
        self.takes.iter().filter(|entry| !entry.is_missing())
    }
}

/// The pair of two channels, by their names. None if the head lacks a channel, or pairs them otherwise.
pub fn pair_named(head: &Head, names: &[String; 2]) -> Option<usize> {
    let [first, second] = [&names[0], &names[1]].map(|name| head.channel_named(name));
    head.pairs.iter().position(|pair| {
        let both = [Some(pair.first), pair.second];
        first.is_some() && second.is_some() && both.contains(&first) && both.contains(&second)
    })
}
