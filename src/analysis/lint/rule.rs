//! The rules: their names, what they look for, how serious their findings are, and their limits.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Off,
    /// Worth knowing; a check succeeds.
    Note,
    /// Should be mended; a check succeeds unless warnings are denied.
    Warning,
    /// Must be mended; a check fails.
    Error,
}

impl Severity {
    /// The word in files and on the terminal.
    pub fn keyword(self) -> &'static str {
        self.into()
    }
}

#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, VariantArray, IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// What an importer repaired or left out. The notes of a head say it; [`lint`](super::lint) does not.
    Import,
    /// Which of ARKit's 52 shapes a head lacks.
    Coverage,
    /// Channels whose weight at rest is not 0.
    RestWeight,
    Empty,
    /// Channels with in-betweens that move nothing.
    InBetween,
    Duplicate,
    /// Two channels of which each undoes the other.
    Opposite,
    /// A channel that is a multiple of another, or a weighted sum of two or three others.
    Mix,
    /// Channels that move all that another one moves in the same way, and something else besides.
    Contained,
    /// Channels that open seams which are closed at rest.
    Crack,
    /// Channels that move positions and not the normals.
    Unturned,
    /// Pairs of left and right channels that are not mirror images.
    Asymmetry,
    /// Channels that mostly store movements too small to be visible.
    Noise,
    /// Channels whose surfaces cross when they are combined. A check examines it on demand; [`lint`](super::lint) does
    /// not.
    Combination,
    /// Review notes of a project that are not done. A check examines it on demand.
    OpenNote,
}

/// The number that a rule measures with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// More than this is found.
    pub value: f32,
    /// Its unit. Millimetres are those of a human head, see [`Head::mm_per_unit`](smirk_face::head::Head::mm_per_unit).
    pub unit: &'static str,
}

impl Rule {
    /// In the order of a report.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The title of its findings in a report.
    pub fn title(self) -> &'static str {
        match self {
            Self::Import => "Import",
            Self::Coverage => "ARKit shapes",
            Self::RestWeight => "Weights at rest",
            Self::Empty => "Empty shapes",
            Self::InBetween => "Empty in-betweens",
            Self::Duplicate => "Duplicate shapes",
            Self::Opposite => "Opposite shapes",
            Self::Mix => "Combinations of other shapes",
            Self::Contained => "Shapes within shapes",
            Self::Noise => "Rounding noise",
            Self::Combination => "Combinations that break",
            Self::OpenNote => "Open notes",
            Self::Asymmetry => "Asymmetric shapes",
            Self::Unturned => "Shapes without normals",
            Self::Crack => "Cracks along seams",
        }
    }

    /// Its name in files of rules, on the command line and in JSON. It never changes.
    pub fn keyword(self) -> &'static str {
        self.into()
    }

    /// What it looks for, as a sentence.
    pub fn about(self) -> &'static str {
        match self {
            Self::Import => "Something in the file was repaired or left out when it was opened.",
            Self::Coverage => "A head with most of ARKit's 52 shapes lacks some of them.",
            Self::RestWeight => "A shape is not at weight 0 at rest.",
            Self::Empty => "A shape moves nothing at weight 1.",
            Self::InBetween => "An in-between moves nothing, although its shape moves at weight 1.",
            Self::Duplicate => "Two shapes move every vertex alike.",
            Self::Opposite => "Two shapes undo each other.",
            Self::Mix => "A shape is a multiple of another, or a sum of two or three others.",
            Self::Contained => {
                "A shape contains another one whole, because it was exported against a face that was not at rest."
            }
            Self::Crack => "A shape opens a seam that is closed at rest.",
            Self::Unturned => "A shape turns the surface and not its normals.",
            Self::Asymmetry => "A left and a right shape are not mirror images.",
            Self::Noise => "Most of the vertices that a shape stores do not move visibly.",
            Self::Combination => "Shapes let lips, lids, teeth or eyes go through each other (with `--combinations`).",
            Self::OpenNote => "A review note of the project is open (with `--open-notes`).",
        }
    }

    /// How serious its findings are unless a file of rules says otherwise.
    pub fn severity(self) -> Severity {
        match self {
            Self::Import
            | Self::Coverage
            | Self::RestWeight
            | Self::Empty
            | Self::InBetween
            | Self::Duplicate
            | Self::Contained
            | Self::Crack
            | Self::Unturned
            | Self::Combination => Severity::Warning,
            Self::OpenNote => Severity::Error,
            Self::Asymmetry | Self::Noise => Severity::Note,
            // Rigs have such shapes on purpose: `jawLeft` undoes `jawRight`, and `blink` is both eyes.
            Self::Opposite | Self::Mix => Severity::Off,
        }
    }

    /// Its limit; none for a rule that measures nothing.
    pub fn limit(self) -> Option<Limit> {
        let (value, unit) = match self {
            Self::Crack => (0.05, "mm"),
            Self::Unturned => (3.0, "degrees"),
            Self::Asymmetry => (10.0, "%"),
            Self::Noise => (50.0, "%"),
            Self::Combination => (10.0, "mm"),
            Self::Import
            | Self::Coverage
            | Self::RestWeight
            | Self::Empty
            | Self::InBetween
            | Self::Duplicate
            | Self::Opposite
            | Self::Mix
            | Self::Contained
            | Self::OpenNote => return None,
        };
        Some(Limit { value, unit })
    }
}
