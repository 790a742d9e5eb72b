//! The reference of a project: the images stay in their own files.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::file_ref::FileRef;
use crate::session::{Placement, Reference, ReferencePlace};

/// An image or an image sequence that is shown beside or over the face.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReferenceRecord {
    /// The image, or one of the numbered images.
    pub file: FileRef,
    /// Whether the images that are numbered like it follow the play head.
    pub is_sequence: bool,
    /// The frames per second of the sequence.
    pub frames_per_sec: f32,
    /// The frame, counted from 0, that is shown at the start of the timeline.
    pub offset_frames: i32,
    /// Where it is shown.
    pub place: ReferencePlace,
    /// How much it covers the picture of the head, 0 to 1, if it is shown over it.
    pub opacity: f32,
    /// How it lies over that picture.
    pub placement: Placement,
}

impl Default for ReferenceRecord {
    fn default() -> Self {
        Self::of(&Reference::new(PathBuf::new()))
    }
}

impl ReferenceRecord {
    pub(super) fn of(reference: &Reference) -> Self {
        Self {
            file: FileRef::new(&reference.path),
            is_sequence: reference.is_sequence,
            frames_per_sec: reference.frames_per_sec,
            offset_frames: reference.offset_frames,
            place: reference.place,
            opacity: reference.opacity,
            placement: reference.placement,
        }
    }

    pub(super) fn reference(&self) -> Reference {
        let reference = Reference {
            path: self.file.path(),
            is_sequence: self.is_sequence,
            frames_per_sec: self.frames_per_sec,
            offset_frames: self.offset_frames,
            place: self.place,
            opacity: self.opacity,
            placement: self.placement,
        };
        reference.within_reason()
    }
}
