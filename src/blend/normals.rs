//! Where the normals of a moved surface come from.

use serde::{Deserialize, Serialize};

use crate::head::Mesh;

/// The choice an artist has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Normals {
    /// The file's deltas; recomputed for a mesh with a target that moves positions but brings no normals.
    #[default]
    Auto,
    /// The file's deltas, and none where it has none.
    Authored,
    /// From the deformed surface: smooth, but for the hard edges of the mesh at rest.
    Recomputed,
}

impl Normals {
    /// In the order of the Look panel.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Authored, Self::Recomputed];

    /// What the Look panel says.
    pub fn label(self) -> &'static str {
        match self {
            Self::Auto => "Automatic",
            Self::Authored => "From the file",
            Self::Recomputed => "Recomputed",
        }
    }

    /// Whether a mesh's normals are recomputed.
    pub fn recomputes(self, mesh: &Mesh) -> bool {
        match self {
            Self::Auto => mesh.targets.iter().any(|target| !target.positions.is_empty() && target.normals.is_empty()),
            Self::Authored => false,
            Self::Recomputed => !mesh.targets.is_empty(),
        }
    }
}
