//! Keys, in point and out point belong to what they were made for: to a take, to a clip, or to the head without either.
//! The artist may choose that those of one of them apply whatever plays ([`timing_edits`](super::timing_edits)).

use serde::{Deserialize, Serialize};

use smirk_face::head::{Head, name_and_nth, nth_by_name};
use smirk_face::motion::{Keys, TimelineSettings};

/// Identifies a take independently of its name and its position in the list. In a file, it is that position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TakeId(pub u32);

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClipName {
    pub name: String,
    /// How many clips of that name come before it.
    #[serde(skip_serializing_if = "is_first")]
    pub turn: usize,
}

fn is_first(nth: &usize) -> bool {
    *nth == 0
}

impl ClipName {
    pub(super) fn at(head: &Head, clip: usize) -> Option<Self> {
        let (name, turn) = name_and_nth(head.clip_names(), clip)?;
        Some(Self { name: name.to_owned(), turn })
    }

    /// The index of the clip on a head that has it.
    pub fn index_on(&self, head: &Head) -> Option<usize> {
        nth_by_name(head.clip_names(), &self.name, self.turn)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimingOf {
    /// The head without a clip or take. In projects of versions in which keys belonged to nothing, all of them are
    /// here.
    #[default]
    Head,
    Clip(ClipName),
    Take(TakeId),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timing {
    /// Keys set by the user, by full channel name.
    #[serde(skip_serializing_if = "Keys::is_empty")]
    pub keys: Keys,
    /// Where playback starts, if not at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_secs: Option<f32>,
    /// Where playback ends, if not at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out_secs: Option<f32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClipTiming {
    pub clip: ClipName,
    pub timing: Timing,
}

impl Timing {
    /// Whether there is nothing that could be lost.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same with a usable range, where a file may hold another, and with keys in order and under the names of a
    /// head's channels.
    pub fn within_reason(&self, head: &Head) -> Self {
        let range = TimelineSettings { in_secs: self.in_secs, out_secs: self.out_secs, ..TimelineSettings::default() };
        let TimelineSettings { in_secs, out_secs, .. } = range.within_reason();
        Self { keys: self.keys.sorted().on(head), in_secs, out_secs }
    }

    /// What there is, such as "2 keyed channels, an out point".
    pub fn words(&self) -> String {
        let keyed = match self.keys.channels().count() {
            0 => None,
            1 => Some("1 keyed channel".to_owned()),
            count => Some(format!("{count} keyed channels")),
        };
        let start = self.in_secs.map(|_| "an in point".to_owned());
        let end = self.out_secs.map(|_| "an out point".to_owned());
        [keyed, start, end].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}
