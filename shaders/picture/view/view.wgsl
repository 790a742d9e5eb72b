// Views of the surface that show something else than its materials. src/picture/render/shaders joins it with the text of
// the surface, and with one of the two vertex stages of the views.

// What is shown: one of the VIEW_ constants, with the numbers of `OwnView` in `render/views.rs`.
override VIEW: u32 = 0u;

const VIEW_PORCELAIN: u32 = 0u;
const VIEW_RED_WAX: u32 = 1u;
const VIEW_CHROME: u32 = 2u;
const VIEW_ZEBRA: u32 = 3u;
const VIEW_NORMALS: u32 = 4u;
const VIEW_UV_CHECKER: u32 = 5u;
const VIEW_CURVATURE: u32 = 6u;
const VIEW_BACKFACES: u32 = 7u;
const VIEW_HEAT: u32 = 8u;
const VIEW_SIGNED_HEAT: u32 = 9u;
const VIEW_INTERSECTIONS: u32 = 10u;

// The contents of the vertex buffers.
struct ViewVertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    // xy: the first set of texture coordinates, zw: the second.
    @location(2) uvs: vec4f,
    @location(3) color: vec4f,
    // What is measured of the vertex, as the view scales it.
    @location(4) value: f32,
}

struct ViewSurface {
    @builtin(position) position: vec4f,
    @location(0) in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) uvs: vec4f,
    // x: the value of the vertex, y: its alpha.
    @location(3) value_and_alpha: vec2f,
}

fn view_surface(transform: VertexTransform, vertex: ViewVertex) -> ViewSurface {
    let in_world = transform.world_from_mesh * vec4f(vertex.position, 1.0);
    let normal = transform.world_from_mesh_normal * vertex.normal;
    let alpha = mix(1.0, vertex.color.a, frame.vertex_color_amount) * material.base_color.a;
    return ViewSurface(
        frame.projection_from_world * in_world, in_world.xyz, normal * inverseSqrt(max(dot(normal, normal), 1e-36)),
        vertex.uvs, vec2f(vertex.value, alpha));
}

@fragment
fn view_fragment(surface: ViewSurface, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    return vec4f(view_color(surface, is_front), 1.0);
}

@fragment
fn sample_view_fragment(surface: ViewSurface, @builtin(front_facing) is_front: bool) -> Sample {
    return Sample(vec4f(), vec4f(), vec4f(), vec4f(view_color(surface, is_front), 1.0));
}

// Linear RGB, as it is shown.
fn view_color(surface: ViewSurface, is_front: bool) -> vec3f {
    let facet = cross(dpdy(surface.in_world), dpdx(surface.in_world));
    let uv_width = fwidth(surface.uvs.xy);
    if ALPHA_TESTED || BLENDED {
        var alpha = surface.value_and_alpha.y;
        if TEXTURED {
            alpha *= textureSample(base_color_texture, base_color_sampler, uv_of(0, surface.uvs)).a;
        }
        // Of a blended surface, what hides nearly all that is behind it.
        let hides = alpha * (1.0 - material.transmission);
        if (ALPHA_TESTED && alpha < material.alpha_cutoff) || (BLENDED && hides < 0.8) {
            discard;
        }
    }
    var normal = surface.normal;
    if DOUBLE_SIDED || VIEW == VIEW_BACKFACES {
        normal = select(-normal, normal, is_front);
    }
    if FLAT || dot(normal, normal) < 1e-12 {
        normal = facet;
    }
    normal *= inverseSqrt(max(dot(normal, normal), 1e-30));
    let to_eye = normalize(frame.eye_in_world - surface.in_world);
    let facing = saturate(dot(normal, to_eye));
    if VIEW == VIEW_NORMALS {
        return from_srgb(normal * 0.5 + 0.5);
    }
    if VIEW == VIEW_UV_CHECKER {
        return checker(surface.uvs.xy, uv_width) * form(facing);
    }
    if VIEW == VIEW_CURVATURE {
        return from_srgb(vec3f(0.5 + 0.48 * surface.value_and_alpha.x));
    }
    if VIEW == VIEW_HEAT || VIEW == VIEW_SIGNED_HEAT {
        return from_srgb(heat_color(surface.value_and_alpha.x, VIEW == VIEW_SIGNED_HEAT)) * heat_form(facing);
    }
    if VIEW == VIEW_BACKFACES {
        return select(vec3f(0.75, 0.02, 0.015), vec3f(0.3), is_front) * form(facing);
    }
    let lit = matcap(normal_in_view(normal, to_eye));
    if VIEW == VIEW_INTERSECTIONS {
        // Clay, darker than porcelain so that the colour stands out.
        let intersection = from_srgb(MARKED) * heat_form(facing);
        return mix(0.6 * lit, intersection, smoothstep(0.25, 0.75, surface.value_and_alpha.x));
    }
    return lit;
}

// A little darker where the surface turns away, so that its form is seen.
fn form(facing: f32) -> f32 {
    return 0.45 + 0.55 * facing;
}

// The same for colours that have a meaning.
fn heat_form(facing: f32) -> f32 {
    return 0.75 + 0.25 * facing;
}
