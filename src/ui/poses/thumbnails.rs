//! Small pictures of faces: rendered by the window, shown on the cards of poses and in the list of combinations.

use std::collections::HashMap;
use std::sync::Arc;

use image::RgbaImage;

use smirk_face::judge::Combination;
use smirk_face::motion::PoseId;

/// What a small picture shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PictureOf {
    /// A pose.
    Pose(PoseId),
    /// A combination of channels of the head, with what crosses in colour.
    Combination(Combination),
}

impl From<PoseId> for PictureOf {
    fn from(id: PoseId) -> Self {
        Self::Pose(id)
    }
}

impl From<Combination> for PictureOf {
    fn from(combination: Combination) -> Self {
        Self::Combination(combination)
    }
}

/// The thumbnails rendered so far. An image is never changed, only replaced, so that comparing [`Arc`] pointers is
/// enough to notice a new one.
#[derive(Clone, Debug, Default)]
pub struct Thumbnails(HashMap<PictureOf, Arc<RgbaImage>>);

impl Thumbnails {
    /// Width and height of a thumbnail: almost twice that of the smallest card, for high-resolution displays.
    pub const SIDE_PX: u32 = 224;

    /// The thumbnail of this, if it was rendered already.
    pub fn get(&self, of: &PictureOf) -> Option<&Arc<RgbaImage>> {
        self.0.get(of)
    }

    /// Stores a thumbnail, or replaces it.
    pub fn insert(&mut self, of: impl Into<PictureOf>, image: RgbaImage) {
        self.0.insert(of.into(), Arc::new(image));
    }

    /// Keeps only the thumbnails for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(&PictureOf) -> bool) {
        self.0.retain(|of, _| keep(of));
    }
}
