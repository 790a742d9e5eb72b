// The head's surface: from mesh space to light. Joined with frame.wgsl, mesh.wgsl and what places its vertices, tone.wgsl,
// light.wgsl, surface_bumpy.wgsl and one of the vertex stages.

struct Material {
    base_color: vec4f,
    roughness: f32,
    metallic: f32,
    alpha_cutoff: f32,
    normal_scale: f32,
    occlusion_strength: f32,
}

@group(3) @binding(0) var<uniform> material: Material;
@group(3) @binding(1) var base_color_texture: texture_2d<f32>;
@group(3) @binding(2) var base_color_sampler: sampler;
// Green: roughness, blue: metal.
@group(3) @binding(5) var metallic_roughness_texture: texture_2d<f32>;
@group(3) @binding(6) var metallic_roughness_sampler: sampler;
// Red: the share of the surrounding light that arrives.
@group(3) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(3) @binding(8) var occlusion_sampler: sampler;

// What a pipeline is built for: decided once, so that a fragment pays only for what its material uses.
override TEXTURED: bool = false;
override MASKED: bool = false;
override BLENDED: bool = false;
override DOUBLE_SIDED: bool = false;
override FLAT: bool = false;
override UNLIT: bool = false;
override ROUGHNESS_MAPPED: bool = false;
override OCCLUDED: bool = false;

// What the vertex slots hold; tangents (location 4) only where a normal map asks for them.
struct SlotVertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) color: vec4f,
}

struct Surface {
    @builtin(position) position: vec4f,
    @location(0) in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uv: vec2f,
}

fn to_world(placing: Placing, vertex: SlotVertex) -> Surface {
    var surface: Surface;
    let in_world = placing.world_from_mesh * vec4f(vertex.position, 1.0);
    surface.position = frame.projection_from_world * in_world;
    surface.in_world = in_world.xyz;
    surface.normal = placing.world_from_mesh_normal * vertex.normal;
    surface.color = vertex.color * material.base_color;
    surface.uv = vertex.uv;
    return surface;
}

@fragment
fn fragment(surface: Surface, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    return lit(surface.in_world, surface.normal, surface.color, surface.uv, is_front);
}

// `own_normal` points away from the front.
fn lit(in_world: vec3f, own_normal: vec3f, own_color: vec4f, uv: vec2f, is_front: bool) -> vec4f {
    let across = dpdx(in_world);
    let down = dpdy(in_world);
    var color = own_color;
    var roughness = material.roughness;
    var metallic = material.metallic;
    var occlusion = 1.0;
    if TEXTURED {
        color *= textureSample(base_color_texture, base_color_sampler, uv);
    }
    if ROUGHNESS_MAPPED {
        let texel = textureSample(metallic_roughness_texture, metallic_roughness_sampler, uv);
        roughness *= texel.g;
        metallic *= texel.b;
    }
    if OCCLUDED {
        let texel = textureSample(occlusion_texture, occlusion_sampler, uv);
        occlusion += material.occlusion_strength * (texel.r - 1.0);
    }
    if MASKED && color.a < material.alpha_cutoff {
        discard;
    }
    let alpha = select(1.0, color.a, BLENDED);
    if UNLIT {
        return vec4f(color.rgb, alpha);
    }
    let to_eye = normalize(frame.eye_in_world - in_world);
    // y goes down on the screen, hence the order: the facet's normal always faces the eye.
    let facet = cross(down, across);
    var normal = own_normal;
    if DOUBLE_SIDED {
        normal = select(-normal, normal, is_front);
    }
    // A vanished normal falls back on the triangle's own.
    if FLAT || dot(normal, normal) < 1e-12 {
        normal = facet;
    }
    normal *= inverseSqrt(max(dot(normal, normal), 1e-30));
    let light = shade(color.rgb, roughness, metallic, occlusion, in_world, normal, to_eye);
    return vec4f(tone_curve(light * frame.exposure), alpha);
}
