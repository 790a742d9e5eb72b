//! The lights as the shaders read them, the studio around the head, and the shadow map of the key light.

mod dome;
mod file_lights;
mod harmonics;
mod light_uniforms;
mod shadow;
mod studio;

pub use dome::Dome;
pub use file_lights::{FileLightUniforms, file_lights};
pub use harmonics::Harmonics;
pub use light_uniforms::LightUniforms;
pub use shadow::{SHADOW_MAP_SIZE, ShadowMap, ShadowView, depth_map, depth_state, layers_view};
pub use studio::{Panel, Studio};
