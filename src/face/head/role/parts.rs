//! The parts of a head, as the rules of roles look at them.

use crate::head::channel::Channel;
use crate::head::{Material, Mesh, Part, Rig, Texture};

/// What the rules look at.
pub(super) struct Parts<'a> {
    /// By material, the parts of meshes that have it.
    pub uses: Vec<Vec<(&'a Mesh, &'a Part)>>,
    pub materials: &'a [Material],
    pub textures: &'a [Texture],
    pub rig: &'a Rig,
    /// By the head-wide index of a target.
    pub channel_of_target: Vec<Option<&'a Channel>>,
}
