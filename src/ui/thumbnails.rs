//! Small pictures of poses: whoever draws them fills this, the window shows it, and neither knows the other.

use std::collections::HashMap;
use std::sync::Arc;

use image::RgbaImage;

use crate::motion::PoseId;

/// As far as they are drawn. A picture is never changed, only replaced: another [`Arc`] is another picture.
#[derive(Clone, Debug, Default)]
pub struct Thumbnails(HashMap<PoseId, Arc<RgbaImage>>);

impl Thumbnails {
    /// Width and height of a picture: twice that of the smallest card, for screens with fine pixels.
    pub const SIDE_PX: u32 = 160;

    /// The picture of a pose.
    pub fn get(&self, id: PoseId) -> Option<&Arc<RgbaImage>> {
        self.0.get(&id)
    }

    /// Takes the place of the pose's picture of before.
    pub fn insert(&mut self, id: PoseId, picture: RgbaImage) {
        self.0.insert(id, Arc::new(picture));
    }

    /// Forgets the pictures of all other poses.
    pub fn retain(&mut self, mut keep: impl FnMut(PoseId) -> bool) {
        self.0.retain(|&id, _| keep(id));
    }
}
