//! How shapes are matched.

use serde::{Deserialize, Serialize};

/// How the vertices of a shape are brought together with those of the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Matching {
    /// By order if the meshes are the same, else by texture coordinates, the rest by position.
    #[default]
    Auto,
    /// Vertex by vertex.
    Order,
    /// By texture coordinates alone.
    Uv,
    /// By position, and along triangles from what stands still.
    Position,
}

impl Matching {
    /// In the order they are offered.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Order, Self::Uv, Self::Position];

    /// On the command line and in project files.
    pub fn keyword(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Order => "order",
            Self::Uv => "uv",
            Self::Position => "position",
        }
    }

    /// What the window says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Auto => "Automatically",
            Self::Order => "By vertex order",
            Self::Uv => "By texture coordinates",
            Self::Position => "By position",
        }
    }
}
