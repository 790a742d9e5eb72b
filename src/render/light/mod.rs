//! The lights as the shaders read them, the studio around the head, and the shadow map of the key light.

mod file_lights;
mod light_uniforms;
mod shadow;
mod studio;

pub(crate) use file_lights::{FileLightUniforms, file_lights};
pub(crate) use light_uniforms::LightUniforms;
pub(crate) use shadow::{ShadowMap, ShadowView, depth_state};
pub(crate) use studio::{Panel, Studio};
