//! The lights as the shaders read them, the studio around the head, and the shadow map of the key light.

mod dome;
mod file_lights;
mod harmonics;
mod light_uniforms;
mod shadow;
mod studio;

pub(super) use dome::Dome;
pub(super) use file_lights::{FileLightUniforms, file_lights};
pub(super) use harmonics::Harmonics;
pub(super) use light_uniforms::LightUniforms;
pub(super) use shadow::{SHADOW_MAP_SIZE, ShadowMap, ShadowView, depth_map, depth_state, layers_view};
pub(super) use studio::{Panel, Studio};
