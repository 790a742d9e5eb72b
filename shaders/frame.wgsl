// What a whole picture shares, and what differs per mesh and per material.

struct Light {
    // Unit, towards the light, world space.
    direction_to_light: vec3f,
    // 0..1: how much of the light the shadow map may take away.
    shadow: f32,
    // Linear RGB times intensity.
    radiance: vec3f,
    _pad: f32,
}

// A light of the head's file (KHR_lights_punctual), scaled to what Smirk's own lamps bring.
struct FileLight {
    // World space.
    position: vec3f,
    // 1 for one that shines from everywhere in one direction.
    is_far: u32,
    // Linear RGB; at distance 1 unless it is far.
    radiance: vec3f,
    // 0: it reaches everywhere.
    inverse_range: f32,
    // Unit: which way it shines.
    direction: vec3f,
    cone_scale: f32,
    cone_offset: f32,
    // World distance from which on it gets no brighter.
    nearest: f32,
}

struct Frame {
    projection_from_world: mat4x4f,
    // Light's clip space; xy -1..1 over the map, z 0..1.
    shadow_from_world: mat4x4f,
    eye_in_world: vec3f,
    // 0..1, how far light wraps around.
    softness: f32,
    key: Light,
    fill: Light,
    rim: Light,
    // Light from everywhere: from above and from below, linear RGB.
    sky: vec3f,
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
    // World distance something must be behind another to be in its shadow.
    shadow_slack: f32,
    // Of `lamps`; 0 where Smirk's own lights shine.
    file_light_count: u32,
    file_lights: array<FileLight, 8>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;
