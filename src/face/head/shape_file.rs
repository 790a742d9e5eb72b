//! Files whose shapes were added to a head as targets.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapeFile {
    /// Empty for the head that the program contains.
    pub path: PathBuf,
    /// How its vertices were to be matched.
    pub matching: Matching,
}

impl ShapeFile {
    /// All shapes of the head that the program contains.
    pub fn bundled() -> Self {
        Self { path: PathBuf::new(), matching: Matching::Face }
    }

    /// The file; none for the head that the program contains.
    pub fn file(&self) -> Option<&PathBuf> {
        Some(&self.path).filter(|path| !path.as_os_str().is_empty())
    }
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
    /// By the features of two faces: the file is another head, all of whose shapes are carried over. Single meshes have
    /// no such features, and are matched by position.
    Face,
}

impl Matching {
    /// In the order of the menu.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Those of vertices that two files have in common.
    pub const OF_VERTICES: &'static [Self] = &[Self::Auto, Self::Order, Self::Uv, Self::Position];

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
            Self::Face => "By the face, from another head",
        }
    }
}
