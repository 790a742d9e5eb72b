// A material with toon shading: MToon (`VRMC_materials_mtoon` 1.0).

// The textures in the order of their bindings.
const BASE: u32 = 0u;
const NORMALS: u32 = 1u;
const EMISSION: u32 = 2u;
const SHADE: u32 = 3u;
const SHIFT: u32 = 4u;
const RIM_MASK: u32 = 5u;
const WIDTH: u32 = 6u;
const UV_MASK: u32 = 7u;
const MATCAP: u32 = 8u;

struct ToonMaterial {
    // Linear RGBA of what is lit.
    base_color: vec4f,
    // Linear RGB, strength included.
    emissive: vec3f,
    alpha_cutoff: f32,
    // Linear RGB of what is not lit.
    shade_color: vec3f,
    // Added to the cosine of the light.
    shading_shift: f32,
    // Linear RGB; black if there is no matcap.
    matcap_color: vec3f,
    shading_shift_scale: f32,
    // Linear RGB.
    rim_color: vec3f,
    // 0..1: the sharpness of the boundary between light and shade.
    shading_toony: f32,
    // Linear RGB.
    outline_color: vec3f,
    // 0..1: how far the light of the surface multiplies the outline.
    outline_lighting_mix: f32,
    rim_fresnel_power: f32,
    rim_lift: f32,
    // 0..1: how far the light of the scene multiplies rim and matcap.
    rim_lighting_mix: f32,
    // 0..1: how far light from everywhere is the same on all sides.
    gi_equalization: f32,
    // The width of the outline in world units.
    outline_in_world: f32,
    // The same as a part of the height of the picture; one of the two is 0.
    outline_on_screen: f32,
    normal_scale: f32,
    // Radians by which the texture coordinates are turned around the middle of the image.
    uv_angle: f32,
    // How far they are moved afterwards.
    uv_offset: vec2f,
    _pad: vec2f,
    // One transform per texture, in the order of the bindings.
    uv_transforms: array<UvTransform, 9>,
}

// [1]: one struct per material.
@group(3) @binding(0) var<uniform> material: ToonMaterial;
// All textures: [row][column], 0..1, with mipmaps. Linear RGBA.
@group(3) @binding(1) var base_color_texture: texture_2d<f32>;
// Each sampler has the wrap and filter modes of the file.
@group(3) @binding(2) var base_color_sampler: sampler;
// RGB: a direction in tangent space, 0..1 for -1..1.
@group(3) @binding(3) var normal_texture: texture_2d<f32>;
@group(3) @binding(4) var normal_sampler: sampler;
// Linear RGB.
@group(3) @binding(5) var emissive_texture: texture_2d<f32>;
@group(3) @binding(6) var emissive_sampler: sampler;
// Linear RGB.
@group(3) @binding(7) var shade_texture: texture_2d<f32>;
@group(3) @binding(8) var shade_sampler: sampler;
// Red: added to the shading shift.
@group(3) @binding(9) var shift_texture: texture_2d<f32>;
@group(3) @binding(10) var shift_sampler: sampler;
// Linear RGB: a factor of rim and matcap.
@group(3) @binding(11) var rim_texture: texture_2d<f32>;
@group(3) @binding(12) var rim_sampler: sampler;
// Green: a factor of the width of the outline.
@group(3) @binding(13) var width_texture: texture_2d<f32>;
@group(3) @binding(14) var width_sampler: sampler;
// Blue: a factor of the motion of the texture coordinates.
@group(3) @binding(15) var uv_mask_texture: texture_2d<f32>;
@group(3) @binding(16) var uv_mask_sampler: sampler;
// Linear RGB, by the direction of the normal as the eye sees it.
@group(3) @binding(17) var matcap_texture: texture_2d<f32>;
@group(3) @binding(18) var matcap_sampler: sampler;

// These are set when a pipeline is built, so that the shader contains only the features that the material uses.
override TEXTURED: bool = false;
override EMISSIVE: bool = false;
override EMISSIVE_MAPPED: bool = false;
override SHADE_MAPPED: bool = false;
override SHIFT_MAPPED: bool = false;
override HAS_RIM: bool = false;
override RIM_MAPPED: bool = false;
override MATCAPPED: bool = false;
override WIDTH_MAPPED: bool = false;
override UV_ANIMATED: bool = false;
override UV_MASKED: bool = false;

// Both sets of coordinates as they are at the time of the picture; `amount` is the mask.
fn animated(uvs: vec4f, amount: f32) -> vec4f {
    let cosine = cos(material.uv_angle * amount);
    let sine = sin(material.uv_angle * amount);
    let turn = mat2x2f(cosine, -sine, sine, cosine);
    let offset = 0.5 + material.uv_offset * amount;
    return vec4f(turn * (uvs.xy - 0.5) + offset, turn * (uvs.zw - 0.5) + offset);
}
