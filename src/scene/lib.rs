//! A scene contains everything that a picture depends on: the head, its weights, the camera and the light. It is plain
//! data that the window, the command line and the tests fill in, and that the renderer draws.
#![cfg_attr(test, allow(clippy::unwrap_used))]
// What other crates use is public; everything else says `pub(crate)`.
#![warn(unreachable_pub)]

mod blend_mode;
mod camera;
mod close_up;
mod face_values;
mod framing;
mod heat;
mod look;
mod normals;
mod unseen;
mod view_mode;
mod viewpoint;

pub use blend_mode::BlendMode;
pub use camera::{Camera, Ray, View};
pub use face_values::FaceValues;
pub use heat::{COOL_WARM, ColorScale, Compared, Heat, HeatAgainst, MARKED, NO_VALUE, VIRIDIS, WITHOUT_VALUE};
pub use look::{LashStyle, Light, LightSetup, LitBy, Look, NamedLook, Tone, VertexColors};
pub use normals::Normals;
pub use unseen::Unseen;
pub use view_mode::{Matcap, SearchedView, ViewMode};
pub use viewpoint::Viewpoint;

use std::ops::RangeInclusive;
use std::sync::Arc;

use glam::Mat4;

use smirk_analysis::Marked;
use smirk_face::head::{Head, Role};

/// Everything that a picture depends on. Two equal scenes give the same picture, except for the shadow and the
/// triangles in a picture of low quality ([`Quality::msaa`], [`Quality::scale`]). A copy shares what is large.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The head; compared by pointer.
    pub head: Arc<Head>,
    /// The weights, one per target of the head.
    pub weights: Arc<[f32]>,
    /// The transform of each node of the head's rig; nodes that are missing are in the rest pose.
    pub world_from_nodes: Arc<[Mat4]>,
    /// What each expression of the head comes to, which may change materials ([`Head::materials_under`]); those that
    /// are missing are at 0.
    pub expression_outputs: Arc<[f32]>,
    /// The time to which the texture coordinates of animated materials have moved; 0 for a head without any.
    pub seconds: f32,
    /// How the targets are blended. The current mode of the window is the cheapest: with another one, the whole head is
    /// blended again for the picture, and once more for the window.
    pub mode: BlendMode,
    /// The camera; see [`Camera::close_up`].
    pub camera: Camera,
    /// The light, and how the surface is shown.
    pub look: Look,
    /// What each material shows, in the order of [`Asset::materials`](smirk_face::head::Asset::materials). A list of
    /// another length, such as an empty one, stands for [`Head::roles`].
    pub roles: Arc<[Role]>,
    /// What was found on the face, for a view that [has to be searched](ViewMode::searched); compared by pointer. With
    /// none, it is searched when that view is drawn, which may take longer than a frame.
    pub marked: Option<Arc<Marked>>,
    /// What the face is compared with, for a heat map against that ([`HeatAgainst::Compared`]).
    pub compared: Option<Compared>,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// The quality of the picture.
    pub quality: Quality,
}

impl Scene {
    /// A head at rest in its own materials, blended in compute passes and drawn as [`Quality::FULL`].
    pub fn at_rest(head: &Arc<Head>, camera: &Camera, look: &Look, size: [u32; 2]) -> Self {
        Self {
            head: head.clone(),
            weights: Arc::default(),
            world_from_nodes: Arc::default(),
            expression_outputs: Arc::default(),
            seconds: 0.0,
            mode: BlendMode::Compute,
            camera: *camera,
            look: *look,
            roles: Arc::default(),
            marked: None,
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

    /// Whether the preview of `other` at the same quality is the same.
    pub fn equals(&self, other: &Self) -> bool {
        self.shows(other) && Quality { samples: 0, ..self.quality } == Quality { samples: 0, ..other.quality }
    }

    /// Whether `other` gives the same picture, regardless of its quality.
    pub fn shows(&self, other: &Self) -> bool {
        self.has_shape_of(other)
            && self.mode == other.mode
            && self.camera == other.camera
            && self.look == other.look
            && is_same(&self.expression_outputs, &other.expression_outputs)
            && self.seconds.to_bits() == other.seconds.to_bits()
            && self.head.roles_or(&self.roles) == other.head.roles_or(&other.roles)
            && (other.look.view.searched().is_none() || self.has_marked_of(other))
            && (!other.look.shows_comparison() || self.compared == other.compared)
            && self.size == other.size
    }

    fn has_marked_of(&self, other: &Self) -> bool {
        self.marked.as_ref().map(Arc::as_ptr) == other.marked.as_ref().map(Arc::as_ptr)
    }

    /// Whether what is shown of the head, its variant and the direction of the key light are the same.
    pub fn has_light_of(&self, other: &Self) -> bool {
        let direction = |look: &Look| look.key.direction_to_light_in_world();
        let shown = |look: &Look| (look.variant, look.hidden, look.isolates_face, look.view);
        Arc::ptr_eq(&self.head, &other.head)
            && shown(&self.look) == shown(&other.look)
            && direction(&self.look) == direction(&other.look)
    }

    /// Whether the blend is the same: the head, the weights, and the source of the normals.
    pub fn has_blend_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.head, &other.head)
            && self.look.normals == other.look.normals
            && is_same(&self.weights, &other.weights)
    }

    /// Whether the blend and the transforms of the nodes are the same.
    pub fn has_shape_of(&self, other: &Self) -> bool {
        self.has_blend_of(other)
            && is_same(bytemuck::cast_slice(&self.world_from_nodes), bytemuck::cast_slice(&other.world_from_nodes))
    }

    /// How far the head as a whole has moved from here to `other`, in world units: the largest distance that a corner
    /// of the face's box has gone with the head's joint, or with the first mesh where no joint turns the head.
    pub fn distance_of_head(&self, other: &Self) -> f32 {
        let node = other.head.face_joints.head.or_else(|| other.head.meshes.first()?.node);
        let at_rest = other.head.rest_pose.world_from_node();
        let world = |worlds: &[Mat4]| worlds.get(node?).or(at_rest.get(node?)).copied();
        let (Some(drawn), Some(wanted)) = (world(&self.world_from_nodes), world(&other.world_from_nodes)) else {
            return 0.0;
        };
        let new_from_old = wanted * drawn.inverse();
        let corners = other.head.focus.corners().into_iter();
        corners.map(|corner| new_from_old.transform_point3(corner).distance(corner)).fold(0.0, f32::max)
    }
}

/// Compares by bits, so that NaN equals itself; otherwise a scene with a NaN would be drawn again and again.
fn is_same(drawn: &[f32], wanted: &[f32]) -> bool {
    drawn.len() == wanted.len() && drawn.iter().zip(wanted).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// The quality of a picture: lower is faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples per pixel in one pass (multisampling): 1 or 4. With 1 the shadow may still be that of an earlier
    /// expression, because drawing it takes time.
    pub msaa: u32,
    /// The number of drawn pixels per shown pixel along each axis. The renderer clamps it to [`Quality::SCALES`]. Below
    /// 1, a software adapter may draw fewer triangles.
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
