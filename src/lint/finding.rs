//! What a check finds: the rule, the channels and the measured numbers in words.

use serde::Serialize;

use crate::head::{Head, Level, one_line};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Which of ARKit's 52 shapes a head lacks.
    Coverage,
    /// A channel that moves nothing.
    Empty,
    /// Channels that do the same.
    Duplicate,
    /// Two channels of which each undoes the other.
    Opposite,
    /// A channel that is a mix of two or three others.
    Mix,
    /// Most of what is stored moves nothing to see.
    Noise,
    /// Left and right are not each other's mirror image.
    Asymmetry,
    /// Positions move, normals stay.
    Unturned,
    /// What is one surface at rest parts.
    Crack,
}

impl Rule {
    /// In the order of a report.
    pub const ALL: [Self; 9] = [
        Self::Coverage,
        Self::Empty,
        Self::Duplicate,
        Self::Opposite,
        Self::Mix,
        Self::Crack,
        Self::Unturned,
        Self::Asymmetry,
        Self::Noise,
    ];

    /// What a report puts over its findings.
    pub fn title(self) -> &'static str {
        match self {
            Self::Coverage => "ARKit shapes",
            Self::Empty => "Empty shapes",
            Self::Duplicate => "Duplicate shapes",
            Self::Opposite => "Opposite shapes",
            Self::Mix => "Combinations of other shapes",
            Self::Noise => "Rounding noise",
            Self::Asymmetry => "Asymmetric shapes",
            Self::Unturned => "Shapes without normals",
            Self::Crack => "Cracks along seams",
        }
    }
}

/// One thing to know about a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked for.
    pub rule: Rule,
    /// Whether the picture suffers, or it is only good to know.
    pub level: Level,
    /// Indices into [`Head::channels`]: what it is about, the worst first; empty if it is about the whole head.
    pub channels: Vec<usize>,
    /// What is so, with the numbers, and what to do.
    pub message: String,
}

impl Finding {
    /// What it is about, in words: some names, and how many more.
    pub fn object(&self, head: &Head) -> String {
        const NAMED: usize = 4;
        let name = |&channel: &usize| head.channels.get(channel).map_or("?", |channel| channel.name.as_str());
        let mut names: Vec<String> = self.channels.iter().take(NAMED).map(|channel| name(channel).to_owned()).collect();
        match self.channels.len() {
            0 => return one_line(head.name.clone()),
            count if count > NAMED => names.push(format!("{} more", count - NAMED)),
            _ => {}
        }
        one_line(match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => names.concat(),
        })
    }
}
