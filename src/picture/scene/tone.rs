//! Tone mapping: from the light of the scene, which has no limit, to colours that a screen can show.

use serde::{Deserialize, Serialize};

/// How the light of the scene is shown. Colours that are shown without lighting (KHR_materials_unlit, MToon) are never changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tone {
    /// As film does: bright colours go to white without changing their hue (T. Sobotka's AgX).
    #[default]
    AgX,
    /// Colours stay as they are, and only highlights are compressed (Khronos PBR Neutral).
    Neutral,
}

impl Tone {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::AgX, Self::Neutral];

    /// What it is called on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::AgX => "Film (AgX)",
            Self::Neutral => "True colours",
        }
    }
}
