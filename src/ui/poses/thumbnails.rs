//! Thumbnails of poses: rendered by the window, shown on the pose cards.

use std::collections::HashMap;
use std::sync::Arc;

use image::RgbaImage;

use crate::motion::PoseId;

/// The thumbnails rendered so far. An image is never changed, only replaced, so that comparing [`Arc`] pointers is
/// enough to notice a new one.
#[derive(Clone, Debug, Default)]
pub struct Thumbnails(HashMap<PoseId, Arc<RgbaImage>>);

impl Thumbnails {
    /// Width and height of a thumbnail: almost twice that of the smallest card, for high-resolution displays.
    pub const SIDE_PX: u32 = 224;

    /// The thumbnail of a pose, if it was rendered already.
    pub fn get(&self, id: PoseId) -> Option<&Arc<RgbaImage>> {
        self.0.get(&id)
    }

    /// Stores the thumbnail of a pose, or replaces it.
    pub fn insert(&mut self, id: PoseId, image: RgbaImage) {
        self.0.insert(id, Arc::new(image));
    }

    /// Keeps only the thumbnails of the poses for which `keep` is true.
    pub fn retain(&mut self, mut keep: impl FnMut(PoseId) -> bool) {
        self.0.retain(|&id, _| keep(id));
    }
}
