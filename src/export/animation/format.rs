//! The formats of animations.

use std::path::Path;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::clip::Recording;
use super::{capture, fbx, gltf, usd, vrma};
use crate::ExportError;
use crate::glb::{StoredDeltas, glb_with};
use smirk_base::file_kind::{self, FileKind};
use smirk_base::progress::Progress;
use smirk_face::head::Head;

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

    /// Which programs open it, or what is in it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Gltf => "Blender, Unreal, Unity, three.js and most other programs",
            Self::Fbx => "Maya, MotionBuilder, Unreal, Unity",
            Self::Usd => "Omniverse, Houdini, Blender: UsdSkel, as text",
            Self::Vrma => "VRM avatars in Unity, three.js and VTuber apps: expressions, head and gaze",
            Self::LiveLink => "Unreal: ARKit's 52 shapes and nine angles, with timecode",
            Self::Audio2Face => "NVIDIA Audio2Face",
            Self::MediaPipe => "Frames with scores, as MediaPipe Face Landmarker gives them",
            Self::Table => "A column for each channel and a row for each frame, for spreadsheets",
            Self::Keys => "A list of keys for each channel",
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

    /// About how many bytes a frame and the names of a head have; those of the bundled head.
    pub(super) fn estimated_bytes(self, channels: u64, targets: u64) -> [u64; 2] {
        match self {
            Self::Gltf => [4 * targets, 60 * targets],
            Self::Fbx => [12 * targets, 900 * targets],
            Self::Vrma => [16 * channels, 600 * channels],
            Self::Usd => [9 * channels, 250 * targets],
            Self::LiveLink => [61 * 13 + 20, 0],
            Self::Table | Self::Audio2Face => [8 * channels, 20 * channels],
            Self::MediaPipe => [75 * channels, 0],
            Self::Keys => [60 * channels, 40 * channels],
        }
    }

    /// The names of moving channels that the file has no place for.
    pub(super) fn unmapped_channels<'a>(self, recording: &'a Recording, head: &'a Head) -> Vec<&'a str> {
        match self {
            Self::LiveLink => capture::unmapped_channels(recording, head),
            Self::Vrma => vrma::unmapped_channels(recording, head),
            _ => Vec::new(),
        }
    }

    /// The file of at least one recording.
    pub(super) fn bytes(
        self,
        recordings: &[Recording],
        head: &Head,
        with_head: bool,
        tolerance: Option<f32>,
        progress: Progress<'_>,
    ) -> Result<Vec<u8>, ExportError> {
        let first = &recordings[0];
        let content = match self {
            Self::Gltf => {
                let animated = gltf::head_with(recordings, head, tolerance)?;
                let animated = if with_head { animated } else { gltf::without_shapes(&animated) };
                return glb_with(&animated, StoredDeltas::default(), progress);
            }
            Self::Vrma => return vrma::bytes(first, head, tolerance, progress),
            Self::LiveLink => capture::live_link(first, head, progress),
            Self::Audio2Face => capture::audio2face(first, progress),
            Self::MediaPipe => capture::mediapipe(first, head, progress),
            Self::Table => capture::table(first, progress),
            Self::Keys => capture::keys(first, tolerance, progress),
            Self::Usd => usd::text(first, head, with_head, tolerance, progress),
            Self::Fbx => fbx::bytes(recordings, head, with_head, tolerance, progress),
        };
        let bytes = content?;
        // FBX 7.4 counts the bytes of a file in 32 bits.
        if self == Self::Fbx && u32::try_from(bytes.len()).is_err() {
            let (count, max) = (bytes.len(), u32::MAX);
            return Err(ExportError::Failed(format!(
                "it would have {count} bytes, and an .fbx of version 7.4 has at most {max}: leave out the head"
            )));
        }
        Ok(bytes)
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
