//! Smirk's own lights as the shaders read them.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::scene::Light;

/// `Light` in `frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(crate) struct LightUniforms {
    direction_to_light: [f32; 3],
    shadow: f32,
    radiance: [f32; 3],
    _pad: f32,
}

impl LightUniforms {
    /// This light from another direction.
    pub(crate) fn with_direction(self, to_light: Vec3) -> Self {
        Self { direction_to_light: to_light.to_array(), ..self }
    }

    /// The uniforms of a light. `shadow` is the fraction of the light that the shadow map can remove, 0..1.
    pub(crate) fn new(light: &Light, shadow: f32) -> Self {
        let radiance = (Vec3::from(light.color) * light.intensity.max(0.0)).to_array();
        Self { direction_to_light: light.direction_to_light_in_world().to_array(), shadow, radiance, _pad: 0.0 }
    }
}
