//! Files whose shapes were added to a head as targets.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeFile {
    pub path: PathBuf,
    /// How its vertices were to be matched.
    pub matching: Matching,
}

/// How the vertices of a shape are matched with those of the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Matching {
    /// By order if the topology is the same, else by texture coordinates, and the rest by position.
    #[default]
    Auto,
    /// Vertex by vertex.
    Order,
    Uv,
    /// By position, and along triangles from the vertices that do not move.
    Position,
}

impl Matching {
    /// In the order of the menu.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The name on the command line and in project files.
    pub fn keyword(self) -> &'static str {
        self.into()
    }

    pub fn label(self) -> &'static str {
        match self {
            Self::Auto => "Automatically",
            Self::Order => "By vertex order",
            Self::Uv => "By texture coordinates",
            Self::Position => "By position",
        }
    }
}
