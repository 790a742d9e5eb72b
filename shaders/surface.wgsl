// The head's surface: from world space to light. Joined with frame.wgsl, tone.wgsl, light.wgsl and one of the vertex stages.

struct Mesh {
    world_from_mesh: mat4x4f,
    // Its inverse transpose; keeps normals upright under uneven scale.
    world_from_mesh_normal: mat3x3f,
    // 1 where normals come recomputed and no target may turn them again.
    are_normals_final: u32,
}

struct Material {
    base_color: vec4f,
    roughness: f32,
    metallic: f32,
    alpha_cutoff: f32,
}

@group(2) @binding(0) var<uniform> mesh: Mesh;
@group(3) @binding(0) var<uniform> material: Material;
@group(3) @binding(1) var base_color_texture: texture_2d<f32>;
@group(3) @binding(2) var base_color_sampler: sampler;

// What a pipeline is built for: decided once, so that a fragment pays only for what its material uses.
override TEXTURED: bool = false;
override MASKED: bool = false;
override BLENDED: bool = false;
override DOUBLE_SIDED: bool = false;
override FLAT: bool = false;
override UNLIT: bool = false;

struct Surface {
    @builtin(position) position: vec4f,
    @location(0) in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uv: vec2f,
}

fn to_world(position: vec3f, normal: vec3f, uv: vec2f, color: vec4f) -> Surface {
    var surface: Surface;
    let in_world = mesh.world_from_mesh * vec4f(position, 1.0);
    surface.position = frame.projection_from_world * in_world;
    surface.in_world = in_world.xyz;
    surface.normal = mesh.world_from_mesh_normal * normal;
    surface.color = color * material.base_color;
    surface.uv = uv;
    return surface;
}

@fragment
fn fragment(surface: Surface, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let across = dpdx(surface.in_world);
    let down = dpdy(surface.in_world);
    var color = surface.color;
    if TEXTURED {
        color *= textureSample(base_color_texture, base_color_sampler, surface.uv);
    }
    if MASKED && color.a < material.alpha_cutoff {
        discard;
    }
    let alpha = select(1.0, color.a, BLENDED);
    if UNLIT {
        return vec4f(color.rgb, alpha);
    }
    let to_eye = normalize(frame.eye_in_world - surface.in_world);
    // y goes down on the screen, hence the order: the facet's normal always faces the eye.
    let facet = cross(down, across);
    var normal = surface.normal;
    if DOUBLE_SIDED {
        normal = select(-normal, normal, is_front);
    }
    // A vanished normal falls back on the triangle's own.
    if FLAT || dot(normal, normal) < 1e-12 {
        normal = facet;
    }
    normal *= inverseSqrt(max(dot(normal, normal), 1e-30));
    let lit = shade(color.rgb, material.roughness, material.metallic, surface.in_world, normal, to_eye);
    return vec4f(tone_curve(lit * frame.exposure), alpha);
}
