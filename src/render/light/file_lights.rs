//! The lights of the head's file as the shaders read them (`KHR_lights_punctual`).
//!
//! Files say lux and candela, of a sun or of a bulb in an unknown room. A face is neither black nor white where all of them
//! together bring it as much light as Smirk's own lamps do: they are scaled to that, and keep what they are to each other.

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::head::{Beam, FileLight, Head};

/// `FileLight` in `frame.wgsl`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct FileLightUniforms {
    position: [f32; 3],
    is_far: u32,
    radiance: [f32; 3],
    inverse_range: f32,
    direction: [f32; 3],
    cone_scale: f32,
    cone_offset: f32,
    nearest: f32,
    _pad: [f32; 2],
}

/// What all of them together bring to the face: about what Smirk's key and fill do.
const ILLUMINANCE: f32 = 2.2;

/// Nearer than this part of the head's radius, light gets no brighter: a bulb within the head must not burn it out.
const NEAREST: f32 = 0.1;

/// The lamps of a head, and how many there are.
pub fn file_lights(head: &Head) -> (u32, [FileLightUniforms; FileLight::MOST]) {
    let nearest = head.bounds.radius() * NEAREST;
    let face = head.focus.center();
    let on_face = |cone_counts: bool| -> f32 {
        let lux = |light: &FileLight| {
            let beam = if cone_counts || light.beam == Beam::Directional { light.beam } else { Beam::Point };
            FileLight { beam, range: light.range.filter(|_| cone_counts), ..light.clone() }.lux_at(face, nearest)
        };
        head.lights.iter().map(lux).sum()
    };
    // Where all of them shine past the face, as if they did not.
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
        is_far: u32::from(light.beam == Beam::Directional),
        radiance: (Vec3::from(light.color) * light.intensity * scale).to_array(),
        inverse_range: light.range.map_or(0.0, f32::recip),
        direction: light.direction_in_world().to_array(),
        cone_scale,
        cone_offset,
        nearest,
        _pad: [0.0; 2],
    }
}
