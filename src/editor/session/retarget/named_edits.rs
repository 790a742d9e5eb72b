//! What an artist did to channels, pairs and the variant of a head, by their names: as projects save it, and as it is kept for
//! parts that a head lacks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The edits that refer to parts of a head. With their names, they can be moved to another head or saved.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedEdits {
    /// The sliders that are not as they were when the head was opened, by the full names of their channels.
    pub sliders: BTreeMap<String, Slider>,
    /// The full names of the channels of each pair whose sliders move together.
    pub linked: Vec<[String; 2]>,
    /// The name of the chosen variant of the materials, and how many variants of that name come before it.
    pub variant: Option<(String, usize)>,
}

/// What an artist did to one channel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Slider {
    /// The weight of all its targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f32>,
    /// The weights of its targets on single meshes, where they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<MeshWeight>,
    /// The slider decides the channel's weight, whatever plays.
    #[serde(skip_serializing_if = "is_false")]
    pub held: bool,
    /// The channel stays at its default weight.
    #[serde(skip_serializing_if = "is_false")]
    pub muted: bool,
    /// Channels that are not soloed stay at their default weights.
    #[serde(skip_serializing_if = "is_false")]
    pub soloed: bool,
}

/// The weight of a channel's target on one mesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeshWeight {
    /// The name of the mesh. Several meshes of one name are listed in the head's order.
    pub mesh: String,
    /// The weight.
    pub value: f32,
}

fn is_false(flag: &bool) -> bool {
    !flag
}
