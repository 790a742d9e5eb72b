//! A direction of the studio's light as the shaders read it.

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3};

use super::shadow::ShadowView;

/// `Dome` in `frame.wgsl`: a direction from which light of the studio comes, with the head's view from there.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct Dome {
    pub map_from_world: Mat4,
    direction_to_light: [f32; 3],
    texel: f32,
    irradiance: [f32; 3],
    depth_range: f32,
}

impl Dome {
    /// The largest number per sample; `frame.wgsl` has the same number.
    pub(crate) const MOST: usize = 2;

    /// A direction that brings `irradiance`, divided by pi, to a surface that faces it. `view` is the view of a depth map with so many
    /// texels along each side.
    pub(crate) fn new(view: &ShadowView, to_light: Vec3, irradiance: Vec3, texels: u32) -> Self {
        Self {
            map_from_world: view.shadow_from_world,
            direction_to_light: to_light.to_array(),
            texel: view.texel_in_world,
            irradiance: irradiance.to_array(),
            depth_range: view.texel_in_world * texels as f32,
        }
    }
}
