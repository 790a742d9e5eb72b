//! The lights as the shaders read them, and the shadow map of the key light.

mod file_lights;
mod light_uniforms;
mod shadow;

pub(crate) use file_lights::{FileLightUniforms, file_lights};
pub(crate) use light_uniforms::{LightUniforms, sky_and_ground};
pub(crate) use shadow::{ShadowMap, ShadowView, depth_state};
