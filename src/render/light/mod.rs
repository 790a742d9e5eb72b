//! The lights as the shaders read them, the studio around the head, and the shadow map of the key light.

mod dome;
mod file_lights;
mod harmonics;
mod light_uniforms;
mod shadow;
mod studio;

pub(crate) use dome::Dome;
pub(crate) use file_lights::{FileLightUniforms, file_lights};
pub(crate) use harmonics::Harmonics;
pub(crate) use light_uniforms::LightUniforms;
pub(crate) use shadow::{SHADOW_MAP_SIZE, ShadowMap, ShadowView, depth_map, depth_state, layers_view};
pub(crate) use studio::{Panel, Studio};
