//! What an artist keeps of a session: a `.smirk` file, JSON with a version.
//!
//! ```text
//! Session ── Project::of ──► Project ── write ──► file
//!    ▲                          │  ▲                │
//!    └── apply (head, takes) ───┘  └───── read ─────┘
//! ```
//!
//! Channels, pairs and clips go by name, so that a head exported anew still fits; names a head lacks are kept beside the
//! session ([`Unresolved`]) and written back. Heads and captures stay in their own files. Knows no window and no GPU.

mod apply;
mod error;
mod file;
mod file_ref;
mod pending;
mod shapes;
mod sliders;
mod takes;
mod unresolved;
mod viewpoint;

pub use error::ProjectError;
pub use file_ref::{FileRef, HeadRef};
pub use pending::PendingProject;
pub use shapes::ShapeRecord;
pub use sliders::{MeshWeight, Slider};
pub use takes::{TakeFiles, TakeRecord};
pub use unresolved::Unresolved;
pub use viewpoint::Viewpoint;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::blend::BlendMode;
use crate::head::{Head, name_and_nth};
use crate::motion::{BlendRule, Blink, Clock, Gaze, Keys, PlayHead, Pose, PoseId, Sequence};
use crate::scene::{LitBy, Look};
use crate::session::{Session, Transition};

/// Everything a project file holds. Fields that are missing in a file have what a new session has; fields that are not
/// known are passed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Project {
    /// What kind of file it is.
    smirk: String,
    /// Of the format.
    version: u32,
    /// The head.
    pub head: HeadRef,
    /// What was added to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<ShapeRecord>,
    /// Channels that are not as they were at rest, by full name.
    pub sliders: BTreeMap<String, Slider>,
    /// Pairs whose sliders move together, by the full names of both channels.
    pub linked: Vec<[String; 2]>,
    /// What several expressions at once add up to.
    pub rule: BlendRule,
    /// In the order they are shown; none: those that the head starts with.
    pub poses: Option<Vec<Pose>>,
    /// How much of which pose is on the face.
    pub posing: Vec<PoseAmount>,
    /// How the face goes from one mix to another.
    pub transition: Transition,
    /// Poses one after the other.
    pub sequence: Sequence,
    /// Automatic blinking.
    pub blink: Blink,
    /// Wandering eyes.
    pub gaze: Gaze,
    /// Imported takes, without their curves.
    pub takes: Vec<TakeRecord>,
    /// The take that plays: its place in the list.
    pub take: Option<usize>,
    /// The take drawn beside it: its place in the list.
    pub compared_take: Option<usize>,
    /// Keys set by hand.
    pub keys: Keys,
    /// Light and surface.
    pub look: Look,
    /// Which of the head's variants it wears, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// How many variants before it have that name.
    #[serde(skip_serializing_if = "is_first")]
    pub variant_turn: usize,
    /// The lights of the head's file shine, if it has some.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lit_by_file: bool,
    /// Where the head is looked at from.
    pub camera: Option<Viewpoint>,
    /// Who adds up the targets.
    pub mode: Option<BlendMode>,
    /// How the timeline plays.
    pub playback: Option<Timeline>,
}

/// A pose, and how much of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PoseAmount {
    /// Which.
    pub pose: PoseId,
    /// 1 is all of it.
    pub amount: f32,
}

/// How the timeline plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timeline {
    /// The head's clip that drives its channels, by name.
    pub clip: Option<String>,
    /// How many clips before it have that name.
    #[serde(skip_serializing_if = "is_first")]
    pub clip_turn: usize,
    /// Start again at the end.
    pub looping: bool,
    /// Seconds of timeline per second of clock.
    pub speed: f32,
}

impl Default for Timeline {
    fn default() -> Self {
        let PlayHead { looping, speed, .. } = Clock::new(false).timeline;
        Self { clip: None, clip_turn: 0, looping, speed }
    }
}

fn is_first(turn: &usize) -> bool {
    *turn == 0
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
            poses: None,
            posing: Vec::new(),
            transition: Transition::default(),
            sequence: Sequence::default(),
            blink: Blink::default(),
            gaze: Gaze::default(),
            takes: Vec::new(),
            take: None,
            compared_take: None,
            keys: Keys::default(),
            look: Look::default(),
            variant: None,
            variant_turn: 0,
            lit_by_file: false,
            camera: None,
            mode: None,
            playback: None,
        }
    }
}

impl Project {
    /// What `"smirk"` says in a project file.
    pub const KIND: &str = "project";
    /// The newest format this program reads, and the one it writes.
    pub const VERSION: u32 = 1;

    /// What is worth keeping of a session, and of what its head could not take in.
    pub fn of(session: &Session, unresolved: &Unresolved) -> Self {
        let (head, edits) = (&session.head, &session.edits);
        let variant = edits.look.variant.and_then(|variant| name_and_nth(head.variant_names(), variant));
        let clip = session.clip_index.and_then(|clip| name_and_nth(head.clip_names(), clip));
        let mut project = Self {
            head: HeadRef::of(&session.source),
            shapes: session.shapes.iter().map(ShapeRecord::of).collect(),
            sliders: sliders::of(session),
            linked: sliders::linked(session),
            rule: edits.rule,
            poses: Some(edits.poses.iter().map(|pose| pose.as_ref().clone()).collect()),
            posing: edits.posing.iter().map(|&(pose, amount)| PoseAmount { pose, amount }).collect(),
            transition: edits.transition,
            sequence: edits.sequence.clone(),
            blink: edits.blink.clone(),
            gaze: edits.gaze.clone(),
            takes: edits.takes.iter().map(TakeRecord::of).collect(),
            take: takes::place_of(edits, edits.take),
            compared_take: takes::place_of(edits, edits.compared_take),
            keys: edits.keys.clone(),
            look: edits.look.of_any_head(),
            variant: variant.map(|(name, _)| name.to_owned()),
            variant_turn: variant.map_or(0, |(_, turn)| turn),
            lit_by_file: edits.look.lit_by == LitBy::File,
            camera: Some(Viewpoint::of(&session.camera)),
            mode: Some(session.mode),
            playback: Some(Timeline {
                clip: clip.map(|(name, _)| name.to_owned()),
                clip_turn: clip.map_or(0, |(_, turn)| turn),
                looping: session.clock.timeline.looping,
                speed: session.clock.timeline.speed,
            }),
            ..Self::default()
        };
        unresolved.write_back(session, &mut project);
        project
    }

    /// Whether it leaves open where a head is looked at from: it does not say, or of another head than it is now.
    pub fn leaves_framing(&self, head: &Head) -> bool {
        self.camera.is_none_or(|viewpoint| !viewpoint.is_in_reach_of(head.bounds))
    }

    /// What the captures it names hold now, read from disk.
    pub fn read_takes(&self) -> TakeFiles {
        TakeFiles::read(&self.takes)
    }
}
