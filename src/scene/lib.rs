//! A scene contains everything that a picture depends on: the head, its weights, the camera and the light. It is plain data
//! that the window, the command line and the tests fill in, and that the renderer draws.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

mod blend_mode;
mod camera;
mod close_up;
mod framing;
mod heat;
mod look;
mod normals;
mod owned_scene;
mod unseen;
mod view_mode;

pub use blend_mode::BlendMode;
pub use camera::{Camera, Ray, View};
pub use heat::{COOL_WARM, ColorScale, Compared, Heat, HeatAgainst, INTERSECTION, NO_VALUE, VIRIDIS, WITHOUT_VALUE};
pub use look::{LashStyle, Light, LightSetup, LitBy, Look, NamedLook, Tone, VertexColors};
pub use normals::Normals;
pub use owned_scene::OwnedScene;
pub use unseen::Unseen;
pub use view_mode::{Matcap, ViewMode};

use std::ops::RangeInclusive;
use std::sync::Arc;

use glam::Mat4;

use smirk_analysis::judge::FaceIntersections;
use smirk_face::head::{Head, Role};

/// Everything that a picture depends on. Two equal scenes give the same picture, except for the shadow and the triangles in a picture of low
/// quality ([`Quality::msaa`], [`Quality::scale`]).
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The head; compared by pointer.
    pub head: &'a Arc<Head>,
    /// The weights, one per target of the head.
    pub weights: &'a [f32],
    /// The transform of each node of the head's rig; nodes that are missing are in the rest pose.
    pub world_from_nodes: &'a [Mat4],
    /// What each expression of the head comes to, which may change materials ([`Head::materials_under`]); those that are missing are at 0.
    pub expression_outputs: &'a [f32],
    /// How the targets are blended.
    pub mode: BlendMode,
    /// The camera.
    pub camera: &'a Camera,
    /// The light, and how the surface is shown.
    pub look: &'a Look,
    /// What each material shows, in the order of [`Head::materials`]. A list of another length, such as an empty one, stands for
    /// [`Head::roles`].
    pub roles: &'a [Role],
    /// What crosses on the face, for [`ViewMode::Intersections`]; compared by pointer. With none, it is found when that view is drawn, which
    /// may take longer than a frame.
    pub intersections: Option<&'a Arc<FaceIntersections>>,
    /// What the face is compared with, for a heat map against that ([`HeatAgainst::Compared`]).
    pub compared: Option<&'a Compared>,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// The quality of the picture.
    pub quality: Quality,
}

impl<'a> Scene<'a> {
    /// A head at rest in its own materials, blended in compute passes and drawn as [`Quality::FULL`].
    pub fn at_rest(head: &'a Arc<Head>, camera: &'a Camera, look: &'a Look, size: [u32; 2]) -> Self {
        Self {
            head,
            weights: &[],
            world_from_nodes: &[],
            expression_outputs: &[],
            mode: BlendMode::Compute,
            camera,
            look,
            roles: &[],
            intersections: None,
            compared: None,
            size,
            quality: Quality::FULL,
        }
    }

    /// The number of drawn pixels along a unit of length in the world, in the middle of the face.
    pub fn pixels_per_unit(&self) -> f32 {
        let [width, height] = self.size.map(|side| side.max(1) as f32);
        let distance = self.camera.eye_in_world().distance(self.head.focus.center()).max(f32::MIN_POSITIVE);
        let zoom = self.camera.projection_from_view(width / height).y_axis.y;
        zoom * height * self.quality.scale * 0.5 / distance
    }
}

/// The quality of a picture: lower is faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples per pixel in one pass (multisampling): 1 or 4. With 1 the shadow may still be that of an earlier expression, because drawing it takes time.
    pub msaa: u32,
    /// The number of drawn pixels per shown pixel along each axis. The renderer clamps it to [`Quality::SCALES`]. Below 1, a software adapter
    /// may draw fewer triangles.
    pub scale: f32,
    /// The number of samples that are accumulated at rest, each with a pixel, a key light and a direction of the
    /// studio's light of its own. With 0, the picture stays the preview.
    pub samples: u32,
}

impl Quality {
    /// The scales that can be drawn. Below a half an expression can no longer be judged well.
    pub const SCALES: RangeInclusive<f32> = 0.5..=1.0;

    /// A preview at its best: four samples at full size.
    pub const FULL: Self = Self { msaa: 4, scale: 1.0, samples: 0 };

    /// A small picture, such as that of a pose: noise is not visible in it.
    pub const SMALL: Self = Self::refined(4);

    /// An accumulated picture of so many samples; with 0, [`Self::FULL`].
    pub const fn refined(samples: u32) -> Self {
        // The preview below shows the background only.
        Self { msaa: if samples > 0 { 1 } else { Self::FULL.msaa }, samples, ..Self::FULL }
    }
}

/// A set of the first [`MeshSet::MOST`] meshes of a head, by their indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshSet([u64; Self::MOST / 64]);

impl MeshSet {
    /// So many meshes can be in a set; no head has as many. Those with a higher index are in none.
    pub const MOST: usize = 256;

    /// Whether the mesh is in the set.
    pub fn contains(&self, mesh: usize) -> bool {
        self.0.get(mesh / 64).is_some_and(|word| word >> (mesh % 64) & 1 == 1)
    }
}

impl FromIterator<usize> for MeshSet {
    fn from_iter<I: IntoIterator<Item = usize>>(meshes: I) -> Self {
        let mut set = Self::default();
        for mesh in meshes {
            if let Some(word) = set.0.get_mut(mesh / 64) {
                *word |= 1 << (mesh % 64);
            }
        }
        set
    }
}

/// The meshes on which strands of hair grow. Without the strands they close the skull.
pub fn scalps(head: &Head) -> MeshSet {
    let grown = head.meshes.iter().enumerate().filter(|(_, mesh)| !mesh.strands.is_empty());
    grown.map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_it_was_made_of() {
        let set: MeshSet = [0, 63, 64, 255, 256, usize::MAX].into_iter().collect();
        let found: Vec<usize> = (0..600).filter(|&mesh| set.contains(mesh)).collect();
        assert_eq!(found, [0, 63, 64, 255]);
        assert!(!set.contains(usize::MAX));
    }
}
