//! The formats of animations.

use std::path::Path;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use smirk_base::file_kind::{self, FileKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum AnimationFormat {
    /// glTF 2.0: an animation of weights in a `.glb`.
    #[strum(serialize = "glb")]
    Gltf,
    /// FBX 7.4, binary.
    Fbx,
    /// Universal Scene Description as text.
    #[strum(serialize = "usda")]
    Usd,
    /// A VRM animation: weights of expressions, the head and the gaze.
    Vrma,
    /// The table of Live Link Face: ARKit's 52 shapes and nine angles, with timecode.
    #[strum(serialize = "live-link")]
    LiveLink,
    Audio2Face,
    /// JSON of frames with scores, as MediaPipe Face Landmarker gives them.
    MediaPipe,
    #[strum(serialize = "csv")]
    Table,
    /// JSON with a list of keys per channel.
    Keys,
}

impl AnimationFormat {
    /// All formats, in the order of menus.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::Gltf => "glTF binary",
            Self::LiveLink => "Live Link Face CSV",
            Self::Audio2Face => "Audio2Face JSON",
            Self::MediaPipe => "MediaPipe-style JSON",
            Self::Table => "CSV of channels",
            Self::Keys => "JSON of keys",
            Self::Usd => "USD",
            Self::Fbx => "FBX",
            Self::Vrma => "VRM animation",
        }
    }

    pub fn keyword(self) -> &'static str {
        self.into()
    }

    pub fn file_kind(self) -> &'static FileKind {
        match self {
            Self::Gltf => &file_kind::GLB,
            Self::LiveLink | Self::Table => &file_kind::CAPTURE_TABLE,
            Self::Audio2Face | Self::MediaPipe | Self::Keys => &file_kind::CAPTURE_JSON,
            Self::Usd => &file_kind::USD,
            Self::Fbx => &file_kind::FBX,
            Self::Vrma => &file_kind::VRM_ANIMATION,
        }
    }

    /// The format that a file name stands for, where nothing else was asked for.
    pub fn of_path(path: &Path) -> Option<Self> {
        let formats = [Self::Gltf, Self::Table, Self::Keys, Self::Usd, Self::Fbx, Self::Vrma];
        formats.into_iter().find(|format| format.file_kind().matches(path))
    }

    /// Whether the file can also hold the head that the animation moves.
    pub fn can_hold_head(self) -> bool {
        match self {
            Self::Gltf | Self::Usd | Self::Fbx => true,
            Self::Vrma | Self::LiveLink | Self::Audio2Face | Self::MediaPipe | Self::Table | Self::Keys => false,
        }
    }

    pub fn can_hold_clips(self) -> bool {
        match self {
            Self::Gltf | Self::Fbx => true,
            Self::Vrma | Self::LiveLink | Self::Audio2Face | Self::MediaPipe | Self::Table | Self::Keys | Self::Usd => {
                false
            }
        }
    }

    /// Whether it says how the head and the eyes are turned, without nodes of the head.
    pub(super) fn has_turns(self) -> bool {
        matches!(self, Self::Vrma | Self::LiveLink | Self::Table | Self::Keys)
    }

    pub fn can_hold_sparse_keys(self) -> bool {
        match self {
            Self::Gltf | Self::Keys | Self::Usd | Self::Fbx | Self::Vrma => true,
            Self::LiveLink | Self::Audio2Face | Self::MediaPipe | Self::Table => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_stands_for_one_format_and_keywords_differ() {
        let format = |name: &str| AnimationFormat::of_path(Path::new(name));
        assert_eq!((format("a.GLB"), format("a.csv")), (Some(AnimationFormat::Gltf), Some(AnimationFormat::Table)));
        assert_eq!((format("a.json"), format("a.txt")), (Some(AnimationFormat::Keys), Some(AnimationFormat::Table)));
        assert_eq!((format("a.png"), format("/dev/stdout")), (None, None));
        let keywords: std::collections::BTreeSet<_> =
            AnimationFormat::ALL.iter().map(|format| format.keyword()).collect();
        assert_eq!(keywords.len(), AnimationFormat::ALL.len());
    }
}
