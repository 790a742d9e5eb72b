//! The format of a project file. The names of the fields are those of the JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::file_ref::{FileRef, HeadRef};
use super::reference::ReferenceRecord;
use super::takes::{SoundRecord, TakeFiles, TakeRecord};
use super::viewpoint::Viewpoint;
use crate::session::{LiveEdits, Slider, Transition};
use smirk_face::head::{Head, Matching, Note, Role};
use smirk_face::motion::{
    BlendRule, Blink, Clock, Gaze, HeadAndEyes, Keys, Markers, PlayHead, Pose, PoseId, Sequence, TimelineSettings,
};
use smirk_graphics::blend::BlendMode;
use smirk_picture::scene::Look;

/// The content of a project file. Fields that a file does not have get the value of a new session; fields of the file that are
/// not listed here are ignored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Project {
    /// [`Self::KIND`], which tells a project from Smirk's other JSON files.
    pub(super) smirk: String,
    /// The version of the format.
    pub(super) version: u32,
    /// The head.
    pub head: HeadRef,
    /// Shapes that were imported onto the head.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeRecord>,
    /// Channels that were changed, by their full names.
    pub sliders: BTreeMap<String, Slider>,
    /// Pairs whose sliders move together, by the full names of both channels.
    pub linked: Vec<[String; 2]>,
    /// How several expressions on one target add up.
    pub rule: BlendRule,
    /// Whether targets that correctives drive follow them.
    pub plays_correctives: bool,
    /// The poses in the order they are shown; none: the poses that the head comes with.
    pub poses: Option<Vec<Pose>>,
    /// The poses that are mixed into the face, and how much of each.
    pub posing: Vec<PoseAmount>,
    /// How the face changes from one mix to another.
    pub transition: Transition,
    /// The poses that are played one after the other.
    pub sequence: Sequence,
    /// Automatic blinking.
    pub blink: Blink,
    /// Automatic movement of the eyes.
    pub gaze: Gaze,
    /// What turns with the angles of a take; none: nothing, as in projects of versions that did not turn anything.
    pub head_and_eyes: Option<HeadAndEyes>,
    /// Imported takes, without their curves.
    pub takes: Vec<TakeRecord>,
    /// The index of the take that plays.
    pub take: Option<usize>,
    /// The index of the take whose curves are drawn for comparison.
    pub compared_take: Option<usize>,
    /// The sound of the timeline, without its samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sound: Option<SoundRecord>,
    /// Texts at times of the timeline.
    #[serde(skip_serializing_if = "Markers::is_empty")]
    pub markers: Markers,
    /// How live faces are mapped and smoothed.
    pub live: LiveEdits,
    /// Keys that were set by hand.
    pub keys: Keys,
    /// The frame rate of the timeline, how times are shown, and the range that plays; none in files of versions without
    /// these settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeline: Option<TimelineSettings>,
    /// Light and surface.
    pub look: Look,
    /// The material variant of the head, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// How many variants of that name come before it.
    #[serde(skip_serializing_if = "is_first")]
    pub variant_turn: usize,
    /// The head is lit by the lights of its own file, if it has any.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lit_by_file: bool,
    /// What materials show, where the artist has chosen it, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub roles: BTreeMap<String, Role>,
    /// The names of the meshes that are hidden.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub hidden_meshes: BTreeSet<String>,
    /// The full name of the channel that the heat map measures alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heat_channel: Option<String>,
    /// The image or image sequence that is shown beside or over the face.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<ReferenceRecord>,
    /// The camera.
    pub camera: Option<Viewpoint>,
    /// The blend mode.
    pub mode: Option<BlendMode>,
    /// How the timeline plays.
    pub playback: Option<Timeline>,
    /// Notes on what could not be read.
    #[serde(skip)]
    pub(super) lost: Vec<Note>,
}

/// A pose that is mixed into the face.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoseAmount {
    /// The pose.
    pub pose: PoseId,
    /// 1 is the pose as it was saved.
    pub amount: f32,
}

/// A file whose shape was imported onto the head. The head is put together again when the project opens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ShapeRecord {
    /// The file.
    pub file: FileRef,
    /// How its vertices are matched with those of the head.
    pub matching: Matching,
}

/// How the timeline plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timeline {
    /// The clip of the head that plays, by name.
    pub clip: Option<String>,
    /// How many clips of that name come before it.
    #[serde(skip_serializing_if = "is_first")]
    pub clip_turn: usize,
    /// Other clips that play together with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_clips: Vec<ClipRecord>,
    /// Starts again at the end.
    pub looping: bool,
    /// Seconds of the timeline per second.
    pub speed: f32,
}

impl Default for Timeline {
    fn default() -> Self {
        let PlayHead { looping, speed, .. } = Clock::new(false).timeline;
        Self { clip: None, clip_turn: 0, more_clips: Vec::new(), looping, speed }
    }
}

/// A clip of the head.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClipRecord {
    /// Its name.
    pub name: String,
    /// How many clips of that name come before it.
    #[serde(skip_serializing_if = "is_first")]
    pub turn: usize,
}

impl Timeline {
    /// All clips that play.
    pub(super) fn clips(&self) -> Vec<ClipRecord> {
        let first = self.clip.as_ref().map(|name| ClipRecord { name: name.clone(), turn: self.clip_turn });
        first.into_iter().chain(self.more_clips.iter().cloned()).collect()
    }

    /// Sets all clips that play.
    pub(super) fn set_clips(&mut self, clips: Vec<ClipRecord>) {
        let mut clips = clips.into_iter();
        let first = clips.next();
        self.clip_turn = first.as_ref().map_or(0, |clip| clip.turn);
        self.clip = first.map(|clip| clip.name);
        self.more_clips = clips.collect();
    }
}

fn is_first(nth: &usize) -> bool {
    *nth == 0
}

impl Default for Project {
    fn default() -> Self {
        Self {
            smirk: Self::KIND.into(),
            version: Self::VERSION,
            head: HeadRef::Embedded,
            shapes: Vec::new(),
            sliders: BTreeMap::new(),
            linked: Vec::new(),
            rule: BlendRule::default(),
            plays_correctives: true,
            poses: None,
            posing: Vec::new(),
            transition: Transition::default(),
            sequence: Sequence::default(),
            blink: Blink::default(),
            gaze: Gaze::default(),
            head_and_eyes: None,
            takes: Vec::new(),
            take: None,
            compared_take: None,
            sound: None,
            markers: Markers::default(),
            live: LiveEdits::default(),
            keys: Keys::default(),
            timeline: None,
            look: Look::default(),
            variant: None,
            variant_turn: 0,
            lit_by_file: false,
            roles: BTreeMap::new(),
            hidden_meshes: BTreeSet::new(),
            heat_channel: None,
            reference: None,
            camera: None,
            mode: None,
            playback: None,
            lost: Vec::new(),
        }
    }
}

impl Project {
    /// The value of `"smirk"` in a project file.
    pub const KIND: &str = "project";
    /// The version of the format that this program writes, and the newest that it reads.
    pub const VERSION: u32 = 1;

    /// Whether the head has to be framed anew: the project has no camera, or one that does not show a head of this size.
    pub fn needs_framing(&self, head: &Head) -> bool {
        self.camera.is_none_or(|viewpoint| !viewpoint.is_in_reach_of(head.bounds))
    }

    /// Reads the captures of the project's takes.
    pub fn read_takes(&self) -> TakeFiles {
        TakeFiles::read(&self.takes)
    }
}
