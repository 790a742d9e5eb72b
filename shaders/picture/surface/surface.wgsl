// The head's surface: from mesh space to display light. src/picture/render/shaders joins it with the camera and the lights,
// the transform of the vertices, the material, the shading, and one of the two vertex stages.

// Fragments below the alpha cutoff are dropped.
override ALPHA_TESTED: bool = false;
// Alpha-tested with several samples per pixel: alpha determines how many samples are covered, so that edges are as smooth as
// those of triangles.
override ALPHA_TO_COVERAGE: bool = false;
override BLENDED: bool = false;
// Blended by its alpha, and not only because light goes through.
override BLENDED_BY_ALPHA: bool = false;
// The alphas of a blended surface that this pass draws: at least LEAST_ALPHA, below ALPHA_LIMIT.
override LEAST_ALPHA: f32 = 0.0;
override ALPHA_LIMIT: f32 = 2.0;
// Light goes through (KHR_materials_transmission); highlights are not reduced by that.
override TRANSMISSIVE: bool = false;
override DOUBLE_SIDED: bool = false;
override FLAT: bool = false;
override UNLIT: bool = false;
// No tone mapping changes the colour.
override SHOWN_AS_IT_IS: bool = UNLIT || BESIDE_TOON;

// The contents of the vertex buffers. Tangents (location 4) are read by pipelines with a normal map only.
struct SlotVertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    // Texture coordinates; xy: the first set, zw: the second.
    @location(2) uvs: vec4f,
    @location(3) color: vec4f,
    // The position in the world at rest, in millimetres of a head of human size.
    @location(5) at_rest: vec3f,
    // 0..1: the fraction of the light of an even sky that nothing blocks, x: at rest, y: with an open mouth.
    @location(6) ambient_occlusion: vec2f,
}

struct Surface {
    @builtin(position) position: vec4f,
    @location(0) in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
    @location(3) uvs: vec4f,
    // Location 4 is that of the tangent, in `NormalMappedSurface`. Millimetres, see `SlotVertex`.
    @location(5) at_rest: vec3f,
    // 0..1: the fraction of the light of an even sky that arrives.
    @location(6) ambient_occlusion: f32,
    // The following are used if BY_VERTEX: see `Slow`.
    @location(7) studio: vec3f,
    @location(8) gloss: vec3f,
    @location(9) in_shadow_map: vec3f,
    @location(10) mirrored: vec4f,
}

fn to_world(transform: VertexTransform, vertex: SlotVertex) -> Surface {
    var surface: Surface;
    let in_world = transform.world_from_mesh * vec4f(vertex.position, 1.0);
    surface.position = frame.projection_from_world * in_world;
    surface.in_world = in_world.xyz;
    // What is interpolated is a direction: where joints scale, a longer normal of one corner would outweigh those of the others.
    let normal = transform.world_from_mesh_normal * vertex.normal;
    surface.normal = normal * inverseSqrt(max(dot(normal, normal), 1e-36));
    surface.color = mix(vec4f(1.0), vertex.color, frame.vertex_color_amount) * material.base_color;
    surface.uvs = vertex.uvs;
    surface.at_rest = vertex.at_rest;
    surface.ambient_occlusion = mix(vertex.ambient_occlusion.x, vertex.ambient_occlusion.y, frame.mouth_open);
    if BY_VERTEX {
        surface = with_slow_parts(surface);
    }
    return surface;
}

// What is interpolated from the vertices, before it is shaded.
struct Unlit {
    in_world: vec3f,
    // Points away from the front side; its length need not be 1.
    normal: vec3f,
    color: vec4f,
    uvs: vec4f,
    at_rest: vec3f,
    ambient_occlusion: f32,
    is_front: bool,
    slow: Slow,
}

fn unlit(surface: Surface, is_front: bool) -> Unlit {
    return Unlit(
        surface.in_world, surface.normal, surface.color, surface.uvs, surface.at_rest, surface.ambient_occlusion, is_front,
        Slow(surface.studio, surface.gloss, surface.in_shadow_map, surface.mirrored));
}

// A shaded fragment.
struct Shaded {
    reflected: Reflected,
    // The colour of the surface, linear RGB; or that which is shown as it is.
    color: vec3f,
    // The fraction of what is behind the fragment that it hides.
    alpha: f32,
    // The coverage of the fragment by the surface (glTF 2.0 §3.9.4).
    coverage: f32,
}

@fragment
fn fragment(surface: Surface, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    return shown(lit(unlit(surface, is_front)));
}

@fragment
fn sample_fragment(surface: Surface, @builtin(front_facing) is_front: bool) -> Sample {
    return sample_of(lit(unlit(surface, is_front)), 1.0 / surface.position.w);
}

// Shades a fragment.
fn lit(fragment: Unlit) -> Shaded {
    let in_world = fragment.in_world;
    let steps = steps_of(in_world, fragment.at_rest, fragment.uvs.xy);
    let to_eye = normalize(frame.eye_in_world - in_world);
    // y points down on the screen, hence the order of the factors: the triangle's normal always faces the eye.
    let facet = cross(steps.down_in_world, steps.across_in_world);
    var normal = fragment.normal;
    if DOUBLE_SIDED {
        normal = select(-normal, normal, fragment.is_front);
    }
    // A normal of length 0 is replaced by that of the triangle.
    if FLAT || dot(normal, normal) < 1e-12 {
        normal = facet;
    }
    normal *= inverseSqrt(max(dot(normal, normal), 1e-30));
    var at_rest = fragment.at_rest;
    var uvs = fragment.uvs;
    if ROLE == ROLE_EYE {
        // Iris and pupil are seen through the cornea.
        let pixels = refracted(at_rest, normal, to_eye, steps);
        at_rest += steps.across_at_rest * pixels.x + steps.down_at_rest * pixels.y;
        uvs += vec4f(steps.across_uv * pixels.x + steps.down_uv * pixels.y, 0.0, 0.0);
    }
    let sampled = sample_material(fragment.color, uvs);
    // The coverage of the fragment by the surface (glTF 2.0 §3.9.4), and the fraction of what is behind it that it hides.
    var coverage = 1.0;
    var alpha = 1.0;
    if ALPHA_TESTED {
        if ALPHA_TO_COVERAGE {
            // Alpha rises from 0 to 1 around the cutoff over the width of one pixel.
            alpha = saturate((sampled.color.a - material.alpha_cutoff) / max(fwidth(sampled.color.a), 1e-4) + 0.5);
            if alpha <= 0.0 {
                discard;
            }
        } else if sampled.color.a < material.alpha_cutoff {
            discard;
        }
    }
    if BLENDED {
        if BLENDED_BY_ALPHA {
            coverage = sampled.color.a;
        }
        if LASH_CARD {
            coverage = lash_alpha(uvs.zw);
        }
        alpha = coverage * (1.0 - material.transmission);
        if alpha < LEAST_ALPHA || alpha >= ALPHA_LIMIT {
            discard;
        }
    }
    if BESIDE_TOON {
        let color = color_beside_toon(sampled, in_world, normal, to_eye);
        return Shaded(Reflected(vec3f(), vec3f(), vec3f()), color, alpha, coverage);
    }
    if UNLIT {
        return Shaded(Reflected(vec3f(), vec3f(), vec3f()), sampled.color.rgb, alpha, coverage);
    }
    return shaded_by_role(sampled, fragment, at_rest, normal, to_eye, steps, Hidden(alpha, coverage));
}
