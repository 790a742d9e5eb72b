//! A scene contains everything that a picture depends on: the head, its weights, the camera and the light. It is plain data
//! that the window, the command line and the tests fill in, and that the renderer draws.

mod camera;
mod close_up;
mod color_scale;
mod framing;
mod heat;
mod light_setup;
mod look;
mod look_through;
mod mesh_set;
mod ray;
mod tone;
mod view_mode;

pub use camera::{Camera, View};
pub(crate) use color_scale::NO_VALUE;
#[cfg(test)]
pub(crate) use color_scale::{COOL_WARM, VIRIDIS};
pub use color_scale::{CROSSING, ColorScale, WITHOUT_VALUE};
pub use heat::{Compared, Heat, HeatAgainst};
pub use light_setup::LightSetup;
pub use look::{LashStyle, Light, LitBy, Look, VertexColors};
pub use mesh_set::MeshSet;
pub use ray::Ray;
pub use tone::Tone;
pub use view_mode::{Matcap, ViewMode};

use std::ops::RangeInclusive;
use std::sync::Arc;

use glam::Mat4;

use smirk_face::head::{Head, Role};
use smirk_face::judge::FaceCrossings;
use smirk_graphics::blend::BlendMode;

/// Everything that a picture depends on. Two equal scenes give the same picture, except for the shadow in a picture of low
/// quality ([`Quality::samples`]).
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The head; compared by pointer.
    pub head: &'a Arc<Head>,
    /// The weights, one per target of the head.
    pub weights: &'a [f32],
    /// The transform of each node of the head's rig; nodes that are missing are in the rest pose.
    pub world_from_nodes: &'a [Mat4],
    /// How the targets are blended.
    pub mode: BlendMode,
    /// The camera.
    pub camera: &'a Camera,
    /// The light, and how the surface is shown.
    pub look: &'a Look,
    /// What each material shows, in the order of [`Head::materials`]. A list of another length, such as an empty one, stands for
    /// [`Head::roles`].
    pub roles: &'a [Role],
    /// What crosses on the face, for [`ViewMode::Crossings`]; compared by pointer. With none, it is found when that view is drawn, which
    /// may take longer than a frame.
    pub crossings: Option<&'a Arc<FaceCrossings>>,
    /// What the face is compared with, for a heat map against that ([`HeatAgainst::Compared`]).
    pub compared: Option<&'a Compared>,
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// The quality of the picture.
    pub quality: Quality,
}

/// The quality of a picture: lower is faster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Samples per pixel: 1 or 4. With 1 the shadow may still be that of an earlier expression, because drawing it takes time.
    pub samples: u32,
    /// The number of drawn pixels per shown pixel along each axis. The renderer clamps it to [`Quality::SCALES`].
    pub scale: f32,
    /// The number of samples that are accumulated in the resting tier, each with a pixel, a key light and a direction of the
    /// studio's light of its own. With 0, the picture is that of the moving tier.
    pub refinement: u32,
}

impl Quality {
    /// The scales that can be drawn. Below a half an expression can no longer be judged well.
    pub const SCALES: RangeInclusive<f32> = 0.5..=1.0;

    /// The moving tier at its best: four samples at full size.
    pub const FULL: Self = Self { samples: 4, scale: 1.0, refinement: 0 };

    /// A small picture, such as that of a pose: noise is not visible in it.
    pub const SMALL: Self = Self::refined(4);

    /// A picture of the resting tier with so many samples; with 0, [`Self::FULL`].
    pub const fn refined(refinement: u32) -> Self {
        // The picture of the moving tier below shows the background only.
        Self { samples: if refinement > 0 { 1 } else { Self::FULL.samples }, refinement, ..Self::FULL }
    }
}
