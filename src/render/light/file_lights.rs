//! The lights of the head's file as the shaders read them (`KHR_lights_punctual`).
//!
//! Files give their lights in lux and candela, which may be those of the sun or of a bulb in an unknown room. To make
//! the face neither black nor white, all lights together are scaled to bring it as much light as Smirk's own do; their
//! proportions stay.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::head::{Beam, FileLight, Head};

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

/// The illuminance that all of them together bring to the face: about that of Smirk's key and fill.
const ILLUMINANCE: f32 = 2.2;

/// Below this share of the head's radius a light gets no brighter: a bulb within the head must not overexpose it.
const NEAREST: f32 = 0.1;

/// The number of a head's lights, and the lights.
pub(crate) fn file_lights(head: &Head) -> (u32, [FileLightUniforms; FileLight::MOST]) {
    let nearest = head.bounds.radius() * NEAREST;
    let face = head.focus.center();
    let on_face = |cone_counts: bool| -> f32 {
        let lux = |light: &FileLight| {
            let beam = if cone_counts || light.beam == Beam::Directional { light.beam } else { Beam::Point };
            FileLight { beam, range: light.range.filter(|_| cone_counts), ..light.clone() }.lux_at(face, nearest)
        };
        head.lights.iter().map(lux).sum()
    };
    // Where all of them shine past the face, their cones and ranges are ignored.
    let illuminance = Some(on_face(true)).filter(|lux| *lux > 0.0).unwrap_or_else(|| on_face(false));
    let scale = Some(ILLUMINANCE / illuminance).filter(|scale| scale.is_finite()).unwrap_or(0.0);
    let mut lights = [FileLightUniforms::default(); FileLight::MOST];
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
