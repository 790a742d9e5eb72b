//! The lights as the shaders read them, the studio around the head, and the shadow map of the key light.
//!
//! Files (`KHR_lights_punctual`) give the intensities of lights in lux and candela, and a file may contain the sun or a
//! weak bulb. So that the face is neither black nor white, all lights of a file are scaled by one factor, with which
//! they bring the face as much light as Smirk's own lights do.

mod shadow;
mod studio;

pub(super) use shadow::{SHADOW_MAP_SIZE, ShadowMap, ShadowView, depth_map, depth_state, layers_view};
pub(super) use studio::{Dome, Harmonics, Panel, Studio};

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use smirk_face::head::{Beam, FileLight, Head};
use smirk_scene::Light;

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
    pub(crate) fn with_direction(self, to_light: Vec3) -> Self {
        Self { direction_to_light: to_light.to_array(), ..self }
    }

    /// The uniforms of a light. `shadow` is the fraction of the light that the shadow map can remove, 0..1.
    pub(crate) fn new(light: &Light, shadow: f32) -> Self {
        let radiance = (Vec3::from(light.color) * light.intensity.max(0.0)).to_array();
        Self { direction_to_light: light.direction_to_light_in_world().to_array(), shadow, radiance, _pad: 0.0 }
    }
}

/// `FileLight` in `frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(crate) struct FileLightUniforms {
    position: [f32; 3],
    is_directional: u32,
    radiance: [f32; 3],
    inverse_range: f32,
    direction: [f32; 3],
    cone_scale: f32,
    cone_offset: f32,
    nearest: f32,
    _pad: [f32; 2],
}

/// The illuminance of the face by all lights of the file together, after scaling. It is about that of Smirk's key and
/// fill.
const ILLUMINANCE: f32 = 2.2;

/// At distances below this fraction of the head's radius, the brightness of a light no longer increases, so that a
/// light inside the head does not overexpose it.
const NEAREST: f32 = 0.1;

/// The number of a head's lights, and the lights.
pub(crate) fn file_lights(head: &Head) -> (u32, [FileLightUniforms; FileLight::MOST]) {
    let nearest = head.bounds.radius() * NEAREST;
    let face = head.focus.center();
    let on_face = |cone_counts: bool| -> f32 {
        let lux = head.lights.iter().map(|light| {
            let beam = if cone_counts || light.beam == Beam::Directional { light.beam } else { Beam::Point };
            FileLight { beam, range: light.range.filter(|_| cone_counts), ..light.clone() }.lux_at(face, nearest)
        });
        lux.sum()
    };
    // If none of them reaches the face, their cones and ranges are ignored.
    let illuminance = Some(on_face(true)).filter(|lux| *lux > 0.0).unwrap_or_else(|| on_face(false));
    let scale = Some(ILLUMINANCE / illuminance).filter(|scale| scale.is_finite()).unwrap_or(0.0);
    let mut lights = [FileLightUniforms { nearest, ..FileLightUniforms::default() }; FileLight::MOST];
    for (uniforms, light) in lights.iter_mut().zip(&head.lights) {
        *uniforms = self::uniforms(light, scale, nearest);
    }
    (head.lights.len().min(FileLight::MOST) as u32, lights)
}

fn uniforms(light: &FileLight, scale: f32, nearest: f32) -> FileLightUniforms {
    let [cone_scale, cone_offset] = light.cone_scale_and_offset();
    FileLightUniforms {
        position: light.position_in_world().to_array(),
        is_directional: u32::from(light.beam == Beam::Directional),
        radiance: (Vec3::from(light.color) * light.intensity * scale).to_array(),
        inverse_range: light.range.map_or(0.0, f32::recip),
        direction: light.direction_in_world().to_array(),
        cone_scale,
        cone_offset,
        nearest,
        _pad: [0.0; 2],
    }
}
