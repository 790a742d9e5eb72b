//! Files whose shapes were added to a head as targets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::{HeadSource, Landmark, SurfacePoint};

#[derive(Clone, Debug, PartialEq)]
pub struct ShapeFile {
    pub source: HeadSource,
    /// How its vertices were to be matched.
    pub matching: Matching,
    /// Where features of the head are, of those that the artist has shown. Only [`Matching::Face`] uses them.
    pub points: BTreeMap<Landmark, SurfacePoint>,
    pub sculpted_on: SculptedOn,
}

/// The face that a mesh was sculpted on, by the names of its shapes and their weights: what the mesh adds to it becomes
/// a corrective. Empty for a mesh that is a shape of its own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SculptedOn(pub Vec<(String, f32)>);

impl SculptedOn {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl ShapeFile {
    pub fn new(path: PathBuf, matching: Matching) -> Self {
        Self { matching, ..Self::of_face(HeadSource::File(path)) }
    }

    /// All shapes of another head, which are carried over.
    pub fn of_face(source: HeadSource) -> Self {
        Self { source, matching: Matching::Face, points: BTreeMap::new(), sculpted_on: SculptedOn::default() }
    }

    /// The file; none for the head that the program contains.
    pub fn file(&self) -> Option<&Path> {
        self.source.file()
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
