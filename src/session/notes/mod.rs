//! Review notes: texts pinned to the face, to channels, to a time or to a finding, with a state, replies, strokes over
//! the picture, and the picture of the moment.

mod editing;
mod merge;

pub use editing::{NotesMut, PinnedTo};
pub(super) use merge::merged;
pub use merge::{MergedNotes, TooManyNotes};

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::{Display, EnumString};

use super::Session;
use smirk_base::date::Date;
use smirk_base::json::BoundedList;
use smirk_face::head::{FaceTurns, SurfacePoint, Turn};
use smirk_face::motion::{Pose, PoseId, TimeChange};
use smirk_scene::{Camera, Look, View, Viewpoint};

/// The identity of a note or a reply, the same in the files of all people. As text, 16 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NoteId(pub u64);

impl NoteId {
    /// The first digit is a letter, because a program that shows tables takes digits alone for a number.
    const LETTER: u64 = 0xa << 60;

    /// An id that no other note has: the hash function of every [`RandomState`] is another one.
    fn random() -> Self {
        Self(RandomState::new().hash_one(Date::now().to_string()) | Self::LETTER)
    }

    /// The id of a note or reply that came without one, so that it gets the same each time it is read (FNV-1a).
    pub fn of_content(parts: &[&str]) -> Self {
        let bytes = parts.iter().flat_map(|part| part.bytes().chain([0xff]));
        let hash =
            bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Self(hash | Self::LETTER)
    }
}

impl fmt::Display for NoteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an id of a note is 16 hexadecimal digits")]
pub struct NotAnId;

impl FromStr for NoteId {
    type Err = NotAnId;

    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let is_hex = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let id = u64::from_str_radix(text, 16).ok().filter(|_| is_hex);
        id.map(Self).ok_or(NotAnId)
    }
}

impl Serialize for NoteId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for NoteId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Display, EnumString)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum NoteState {
    #[default]
    Open,
    Done,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewNote {
    pub id: NoteId,
    /// What people call it; no other note of the project has it, or had it. 0 until it is in a list.
    #[serde(default)]
    pub number: u32,
    #[serde(default)]
    pub text: String,
    #[serde(default)]
    pub author: String,
    #[serde(default)]
    pub created: Date,
    /// When the text and what it is pinned to were changed last.
    #[serde(default)]
    pub edited: Date,
    #[serde(default)]
    pub state: NoteState,
    /// When the state was set last.
    #[serde(default)]
    pub state_set: Date,
    /// In the order of their dates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replies: Vec<NoteReply>,
    #[serde(flatten)]
    pub pinned_to: PinnedTo,
    /// Lines that were drawn over the picture, through the camera of [`Self::moment`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strokes: Vec<NoteStroke>,
    /// The face that was seen; none if the note came from a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moment: Option<NotedMoment>,
    /// The picture of that moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<NotePicture>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteReply {
    pub id: NoteId,
    #[serde(default)]
    pub date: Date,
    #[serde(default)]
    pub author: String,
    #[serde(default)]
    pub text: String,
}

/// Sorts replies by their dates, and those of one date by their ids, so that the order does not depend on that before.
fn sort_by_date(replies: &mut [NoteReply]) {
    replies.sort_by_key(|reply| (reply.date, reply.id));
}

/// A moment or a range of the timeline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotedTime {
    /// The name of the clip or take that played; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub plays: String,
    pub start_secs: f32,
    /// Not before the start; the same for one frame.
    pub end_secs: f32,
}

impl NotedTime {
    pub fn is_moment(&self) -> bool {
        self.end_secs <= self.start_secs
    }

    pub(crate) fn rippled(&self, change: TimeChange) -> Self {
        let [start_secs, end_secs] = [self.start_secs, self.end_secs].map(|secs| change.of_point(secs));
        Self { start_secs, end_secs, ..self.clone() }
    }
}

/// A finding of the lint, or a combination of shapes that breaks the face.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotedFinding {
    /// The keyword of its rule.
    pub rule: String,
    /// What it was found of.
    pub of: String,
}

/// Points in picture heights from the middle of the picture (x to the right, y down).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteStroke {
    /// Whether it ends in the head of an arrow.
    #[serde(default)]
    pub is_arrow: bool,
    pub points: Vec<[f32; 2]>,
}

impl NoteStroke {
    /// A stroke of more points is thinned.
    const MOST_POINTS: usize = 2000;
    const FARTHEST: f32 = 16.0;

    fn within_reason(mut self) -> Self {
        let step = self.points.len().div_ceil(Self::MOST_POINTS).max(1);
        self.points = self.points.into_iter().step_by(step).collect();
        for number in self.points.iter_mut().flatten() {
            *number = if number.is_finite() { number.clamp(-Self::FARTHEST, Self::FARTHEST) } else { 0.0 };
        }
        self
    }

    /// The two ends of the head of an arrow, of a length in picture heights.
    pub fn arrow_head(&self, length: f32) -> Option<[[f32; 2]; 2]> {
        let end = glam::Vec2::from_array(*self.points.last().filter(|_| self.is_arrow)?);
        let mut before = self.points.iter().rev().map(|point| glam::Vec2::from_array(*point));
        let from = before.find(|point| point.distance(end) >= length * 0.5)?;
        let back = (from - end).normalize_or_zero() * length;
        Some([0.5_f32, -0.5].map(|angle| (end + glam::Vec2::from_angle(angle).rotate(back)).to_array()))
    }
}

/// What was seen when a note was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NotedMoment {
    pub camera: Viewpoint,
    /// Width by height of the picture.
    pub aspect: f32,
    /// The weights of the channels that were not at rest, by full name.
    #[serde(default)]
    pub weights: BTreeMap<String, f32>,
    /// Yaw, pitch and roll of the head, the left and the right eye, in radians.
    #[serde(default)]
    pub turns: [[f32; 3]; 3],
    /// None if the note is of an earlier version: the look of the session then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look: Option<NotedLook>,
    /// Where the point of the note was in the picture, as strokes have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub point: Option<[f32; 2]>,
}

/// Light, background and shading of a picture. What belongs to one head is named, as in [`Edits`](crate::Edits).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NotedLook {
    pub look: Look,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    pub variant_turn: usize,
    pub lit_by_file: bool,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub hidden_meshes: BTreeSet<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heat_channel: Option<String>,
}

impl NotedMoment {
    /// The width of the picture of a note, in pixels.
    pub const WIDTH_PX: u32 = 640;
    const ASPECTS: std::ops::RangeInclusive<f32> = 0.6..=2.4;

    /// Width and height of the picture of the note, in pixels.
    pub fn size_px(&self) -> [u32; 2] {
        let aspect = if self.aspect.is_finite() { self.aspect } else { 1.0 };
        let aspect = aspect.clamp(*Self::ASPECTS.start(), *Self::ASPECTS.end());
        [Self::WIDTH_PX, (Self::WIDTH_PX as f32 / aspect).round() as u32]
    }

    fn face_turns(&self) -> FaceTurns {
        let [head, left, right] = self.turns.map(|[yaw, pitch, roll]| Turn { yaw, pitch, roll });
        FaceTurns { head, eyes: [left, right] }
    }

    /// The face of the moment as a pose.
    pub(crate) fn pose(&self) -> Pose {
        Pose { id: PoseId(0), name: String::new(), weights: self.weights.clone() }
    }
}

/// The bytes of a PNG. They are shared by the steps of undo; in a file they are in Base64.
#[derive(Clone)]
pub struct NotePicture(pub Arc<[u8]>);

impl NotePicture {
    /// As a text of an HTML file.
    pub fn base64(&self) -> String {
        STANDARD.encode(&self.0)
    }
}

impl PartialEq for NotePicture {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0 == other.0
    }
}

impl fmt::Debug for NotePicture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NotePicture({} bytes)", self.0.len())
    }
}

impl Serialize for NotePicture {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.base64())
    }
}

impl<'de> Deserialize<'de> for NotePicture {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = STANDARD.decode(String::deserialize(deserializer)?).map_err(serde::de::Error::custom)?;
        Ok(Self(bytes.into()))
    }
}

impl ReviewNote {
    /// The longest text, in letters, that is made here. That of a file is shown up to there.
    pub const LONGEST_TEXT: usize = 4000;

    pub fn is_open(&self) -> bool {
        self.state == NoteState::Open
    }

    /// The first line of the text, for where there is room for one.
    pub fn title(&self) -> &str {
        self.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
    }

    /// What it is pinned to, in words: `jawOpen, frames 24 to 48 of walk`.
    pub fn place_text(&self, time_text: impl Fn(f32) -> String) -> String {
        let PinnedTo { point, channels, time, finding } = &self.pinned_to;
        let mut parts: Vec<String> = point.iter().map(|point| format!("on {}", point.mesh)).collect();
        parts.extend((!channels.is_empty()).then(|| channels.join(", ")));
        parts.extend(time.as_ref().map(|time| {
            let of = if time.plays.is_empty() { String::new() } else { format!(" of {}", time.plays) };
            match time.is_moment() {
                true => format!("at {}{of}", time_text(time.start_secs)),
                false => format!("{} to {}{of}", time_text(time.start_secs), time_text(time.end_secs)),
            }
        }));
        parts.extend(finding.as_ref().map(|finding| format!("{}: {}", finding.rule, finding.of)));
        parts.join(" · ")
    }

    /// The same with numbers that make sense, and replies in order.
    pub(crate) fn within_reason(mut self) -> Self {
        self.pinned_to.point = self.pinned_to.point.and_then(SurfacePoint::within_reason);
        self.pinned_to.time =
            self.pinned_to.time.filter(|time| time.start_secs.is_finite() && time.end_secs.is_finite());
        self.strokes = self.strokes.into_iter().map(NoteStroke::within_reason).collect();
        if let Some(look) = self.moment.as_mut().and_then(|moment| moment.look.as_mut()) {
            look.look = look.look.within_reason();
        }
        sort_by_date(&mut self.replies);
        let mut known = HashSet::new();
        self.replies.retain(|reply| known.insert(reply.id));
        self
    }
}

/// What a picture of a note shows of a head.
#[derive(Clone, Debug, PartialEq)]
pub struct NotedFace {
    /// One weight per target, after the blend rule.
    pub weights: Vec<f32>,
    pub expression_outputs: Vec<f32>,
    pub world_from_nodes: Vec<glam::Mat4>,
    pub look: Look,
    /// One that looks at the face if that of the moment would not show the head.
    pub camera: Camera,
}

impl Session {
    /// The face of a moment on the head that is open, in the light of that moment.
    pub fn noted_face(&self, moment: &NotedMoment) -> NotedFace {
        let (head, bound) = (&self.head, self.bound());
        let mut weights = moment.pose().weights_on(head, &bound.sliders.rest);
        let expression_outputs = self.edits.rule.apply(head, &mut weights, &bound.sliders.silent_correctives);
        let turns = moment.face_turns();
        let joints = self.edits.head_and_eyes.joints_of(head);
        let nodes = head.world_from_nodes(std::iter::empty(), None, &expression_outputs, &turns, &joints);
        let of_session = || self.look().without_comparison();
        let look = moment.look.as_ref().map_or_else(of_session, |look| look.on(head, self.edits.rests_at_zero));
        let [width, height] = moment.size_px().map(|side| side as f32);
        let mut camera = Camera::framing(head.focus, head.character, View::Front, width / height);
        moment.camera.apply(&mut camera);
        NotedFace { weights, expression_outputs, world_from_nodes: nodes.unwrap_or_default(), look, camera }
    }

    /// Whether a time of a note is one of what plays now.
    pub fn plays_noted(&self, time: &NotedTime) -> bool {
        time.plays == self.noted_name()
    }

    /// The times of the notes on what plays.
    pub(super) fn times_of_notes(&self) -> Vec<(NoteId, NotedTime)> {
        let timed = self.edits.notes.iter().filter_map(|note| Some((note.id, note.pinned_to.time.clone()?)));
        timed.filter(|(_, time)| self.plays_noted(time)).collect()
    }

    /// The name of the clip or take that plays, as notes have it; empty for none.
    fn noted_name(&self) -> String {
        match self.take() {
            Some(entry) => entry.name.clone(),
            None => self.clips().next().map(|clip| clip.name.clone()).unwrap_or_default(),
        }
    }
}

/// Notes are shared by the steps of undo; in a file they are a list.
pub(super) mod shared {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(notes: &[Arc<ReviewNote>], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(notes.iter().map(Arc::as_ref))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Arc<ReviewNote>>, D::Error> {
        Ok(BoundedList::deserialize(deserializer)?.0.into_iter().map(Arc::new).collect())
    }
}
