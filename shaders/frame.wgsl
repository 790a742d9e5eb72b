// What all draws of a picture share: the camera, the lights, the background, and the shadow map.

// One of Smirk's own lights.
struct Light {
    // Unit, world space.
    direction_to_light: vec3f,
    // 0..1: how much of the light the shadow map may take away.
    shadow: f32,
    // Linear RGB times intensity.
    radiance: vec3f,
    _pad: f32,
}

// A light of the head's file (KHR_lights_punctual), scaled to the brightness of Smirk's own lights.
struct FileLight {
    // World space.
    position: vec3f,
    // 1 for a directional light, which has no position.
    is_directional: u32,
    // Linear RGB; at distance 1 unless the light is directional.
    radiance: vec3f,
    // 1 / world distance at which the light ends; 0 if it never does.
    inverse_range: f32,
    // Unit, world space: the direction in which it shines.
    direction: vec3f,
    // A spot's brightness is saturate(cosine * cone_scale + cone_offset), squared.
    cone_scale: f32,
    cone_offset: f32,
    // World distance below which the light gets no brighter.
    nearest: f32,
}

struct Frame {
    projection_from_world: mat4x4f,
    // Clip space of the light; xy -1..1 over the shadow map, z 0..1.
    shadow_from_world: mat4x4f,
    eye_in_world: vec3f,
    // 0..1, how far light wraps around the surface.
    softness: f32,
    key: Light,
    fill: Light,
    rim: Light,
    // Ambient light from above and from below, linear RGB.
    sky: vec3f,
    // Factor of all highlights.
    gloss: f32,
    ground: vec3f,
    // Factor, not stops.
    exposure: f32,
    // Linear RGB at its brightest.
    background: vec3f,
    // Width over height.
    aspect: f32,
    // World size of one texel of the shadow map.
    shadow_texel: f32,
    // World distance by which something must be behind another to be in its shadow.
    shadow_slack: f32,
    // How many of `file_lights` there are; 0 where Smirk's own lights shine.
    file_light_count: u32,
    file_lights: array<FileLight, 8>,
}

// One struct.
@group(0) @binding(0) var<uniform> frame: Frame;
// [row][column], depth 0 near .. 1 far as the key light sees it.
@group(0) @binding(1) var shadow_map: texture_depth_2d;
// Compares, then mixes 2x2 results.
@group(0) @binding(2) var shadow_sampler: sampler_comparison;
