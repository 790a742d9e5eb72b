// Toon shading and outlines: MToon (`VRMC_materials_mtoon` 1.0, whose formulas these are). Nothing of it is tone mapped, and no shadow
// falls on it: its maker chose the colours that are shown. Vertex colours are ignored, as the specification says.

// Fragments below the alpha cutoff are dropped.
override ALPHA_TESTED: bool = false;
// Alpha-tested with several samples per pixel: see surface.wgsl.
override ALPHA_TO_COVERAGE: bool = false;
override BLENDED: bool = false;
// The least alpha of a blended surface that is drawn.
override LEAST_ALPHA: f32 = 0.0;
override DOUBLE_SIDED: bool = false;
override FLAT: bool = false;
// The hull of back faces around the surface is drawn.
override OUTLINE: bool = false;

// How far the hull is moved away from the eye in clip space, times w, so that it does not flicker where it touches the surface.
const HULL_DEPTH: f32 = 5e-7;
// The least half-width of the boundary between light and shade.
const LEAST_BOUNDARY: f32 = 1e-4;
// The part of a matcap's image that is read, so that its edge does not repeat.
const MATCAP_PART: f32 = 0.495;
const LEAST_POWER: f32 = 1e-5;

// The contents of the vertex buffers. Tangents (location 4) are read by pipelines with a normal map only.
struct ToonVertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    // Texture coordinates; xy: the first set, zw: the second.
    @location(2) uvs: vec4f,
}

struct ToonSurface {
    @builtin(position) position: vec4f,
    @location(0) in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) uvs: vec4f,
}

struct NormalMappedToonSurface {
    @builtin(position) position: vec4f,
    @location(0) in_world: vec3f,
    @location(1) normal: vec3f,
    @location(2) uvs: vec4f,
    // w: the sign of the bitangent.
    @location(3) tangent: vec4f,
}

fn unit(vector: vec3f) -> vec3f {
    return vector * inverseSqrt(max(dot(vector, vector), 1e-30));
}

fn toon_surface(transform: VertexTransform, vertex: ToonVertex) -> ToonSurface {
    let in_world = (transform.world_from_mesh * vec4f(vertex.position, 1.0)).xyz;
    let normal = unit(transform.world_from_mesh_normal * vertex.normal);
    if !OUTLINE {
        return ToonSurface(frame.projection_from_world * vec4f(in_world, 1.0), in_world, normal, vertex.uvs);
    }
    var amount = 1.0;
    if UV_MASKED {
        amount = textureSampleLevel(uv_mask_texture, uv_mask_sampler, uv_of(UV_MASK, vertex.uvs), 0.0).b;
    }
    var uvs = vertex.uvs;
    if UV_ANIMATED {
        uvs = animated(uvs, amount);
    }
    var part = 1.0;
    if WIDTH_MAPPED {
        part = textureSampleLevel(width_texture, width_sampler, uv_of(WIDTH, uvs), 0.0).g;
    }
    // The last row of the projection is the axis of the view.
    let projection = frame.projection_from_world;
    let forward = vec3f(projection[0].w, projection[1].w, projection[2].w);
    let away = dot(forward, in_world) + projection[3].w;
    // As long as the normal is seen from the side: where it looks at the eye, it has no direction on the screen.
    let aside = normal - forward * dot(normal, forward);
    let on_screen = aside * (material.outline_on_screen * frame.view_height * away);
    let hull = in_world + (normal * material.outline_in_world + on_screen) * part;
    var position = projection * vec4f(hull, 1.0);
    position.z += HULL_DEPTH * position.w;
    return ToonSurface(position, hull, normal, vertex.uvs);
}

// See `to_world_normal_mapped`.
fn normal_mapped_toon_surface(transform: VertexTransform, vertex: ToonVertex, tangent: vec4f) -> NormalMappedToonSurface {
    let plain = toon_surface(transform, vertex);
    let along = unit((transform.world_from_mesh * vec4f(tangent.xyz, 0.0)).xyz);
    let across = unit(along - plain.normal * dot(along, plain.normal)) * dot(plain.normal, plain.normal);
    return NormalMappedToonSurface(
        plain.position, plain.in_world, plain.normal, plain.uvs, vec4f(across, tangent.w * transform.side));
}

// The colour that is shown, linear RGB, and alpha.
@fragment
fn toon_fragment(surface: ToonSurface, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let uvs = uvs_now(surface.uvs);
    return toon_color(surface.in_world, toon_normal(surface.in_world, surface.normal, is_front), uvs);
}

@fragment
fn sample_toon_fragment(surface: ToonSurface, @builtin(front_facing) is_front: bool) -> Sample {
    let uvs = uvs_now(surface.uvs);
    return sample_of(toon_color(surface.in_world, toon_normal(surface.in_world, surface.normal, is_front), uvs));
}

@fragment
fn toon_fragment_normal_mapped(surface: NormalMappedToonSurface, @builtin(front_facing) is_front: bool) -> @location(0) vec4f {
    let uvs = uvs_now(surface.uvs);
    let normal = mapped_normal(surface.normal, surface.tangent, uvs);
    return toon_color(surface.in_world, toon_normal(surface.in_world, normal, is_front), uvs);
}

@fragment
fn sample_toon_fragment_normal_mapped(surface: NormalMappedToonSurface, @builtin(front_facing) is_front: bool) -> Sample {
    let uvs = uvs_now(surface.uvs);
    let normal = mapped_normal(surface.normal, surface.tangent, uvs);
    return sample_of(toon_color(surface.in_world, toon_normal(surface.in_world, normal, is_front), uvs));
}

// In an accumulated picture, see `Sample`.
fn sample_of(color: vec4f) -> Sample {
    if BLENDED {
        let hides = vec4f(0.0, 0.0, 0.0, color.a);
        return Sample(hides, hides, hides, vec4f(color.rgb * color.a, color.a));
    }
    return Sample(vec4f(), vec4f(), vec4f(), vec4f(color.rgb, 1.0));
}

fn uvs_now(uvs: vec4f) -> vec4f {
    if !UV_ANIMATED {
        return uvs;
    }
    var amount = 1.0;
    if UV_MASKED {
        amount = textureSample(uv_mask_texture, uv_mask_sampler, uv_of(UV_MASK, uvs)).b;
    }
    return animated(uvs, amount);
}

// The normal according to the normal map (glTF 2.0 §3.9.3); its length is not 1.
fn mapped_normal(normal: vec3f, tangent: vec4f, uvs: vec4f) -> vec3f {
    let scale = vec3f(material.normal_scale, material.normal_scale, 1.0);
    let direction = (textureSample(normal_texture, normal_sampler, uv_of(NORMALS, uvs)).xyz * 2.0 - 1.0) * scale;
    let bitangent = cross(normal, tangent.xyz) * tangent.w;
    return direction.x * tangent.xyz + direction.y * bitangent + direction.z * normal;
}

fn toon_normal(in_world: vec3f, of_vertices: vec3f, is_front: bool) -> vec3f {
    // y points down on the screen: the triangle's normal always faces the eye.
    let facet = cross(dpdy(in_world), dpdx(in_world));
    var normal = of_vertices;
    // The back faces of the hull have the normals of the surface.
    if DOUBLE_SIDED && !OUTLINE {
        normal = select(-normal, normal, is_front);
    }
    if FLAT || dot(normal, normal) < 1e-12 {
        normal = facet;
    }
    return unit(normal);
}

// The part of a light that falls on a surface, 0..1.
fn lit_part(cosine: f32, shift: f32) -> f32 {
    let half_width = max(1.0 - material.shading_toony, LEAST_BOUNDARY);
    return saturate((cosine + shift + half_width) / (2.0 * half_width));
}

fn toon_color(in_world: vec3f, normal: vec3f, uvs: vec4f) -> vec4f {
    var base = material.base_color;
    if TEXTURED {
        base *= textureSample(base_color_texture, base_color_sampler, uv_of(BASE, uvs));
    }
    var shade = material.shade_color;
    if SHADE_MAPPED {
        shade *= textureSample(shade_texture, shade_sampler, uv_of(SHADE, uvs)).rgb;
    }
    var shift = material.shading_shift;
    if SHIFT_MAPPED {
        shift += textureSample(shift_texture, shift_sampler, uv_of(SHIFT, uvs)).r * material.shading_shift_scale;
    }
    var emissive = vec3f();
    if EMISSIVE {
        emissive = material.emissive;
    }
    if EMISSIVE_MAPPED {
        emissive *= textureSample(emissive_texture, emissive_sampler, uv_of(EMISSION, uvs)).rgb;
    }
    let to_eye = normalize(frame.eye_in_world - in_world);
    var rim = vec3f();
    if HAS_RIM {
        let edge = saturate(1.0 - dot(normal, to_eye) + material.rim_lift);
        rim = material.rim_color * pow(edge, max(material.rim_fresnel_power, LEAST_POWER));
    }
    if MATCAPPED {
        let right = unit(vec3f(to_eye.z, 0.0, -to_eye.x));
        let up = cross(to_eye, right);
        let at = vec2f(dot(right, normal), -dot(up, normal)) * MATCAP_PART + 0.5;
        rim += material.matcap_color * textureSample(matcap_texture, matcap_sampler, uv_of(MATCAP, vec4f(at, at))).rgb;
    }
    if RIM_MAPPED {
        rim *= textureSample(rim_texture, rim_sampler, uv_of(RIM_MASK, uvs)).rgb;
    }
    var alpha = 1.0;
    if ALPHA_TESTED {
        if ALPHA_TO_COVERAGE {
            alpha = saturate((base.a - material.alpha_cutoff) / max(fwidth(base.a), 1e-4) + 0.5);
            if alpha <= 0.0 {
                discard;
            }
        } else if base.a < material.alpha_cutoff {
            discard;
        }
    }
    if BLENDED {
        alpha = base.a;
        if alpha < LEAST_ALPHA {
            discard;
        }
    }
    let from_everywhere = mix(
        light_from_everywhere(normal),
        0.5 * (light_from_everywhere(vec3f(0.0, 1.0, 0.0)) + light_from_everywhere(vec3f(0.0, -1.0, 0.0))),
        material.gi_equalization);
    let key = frame.key.radiance;
    var received = key + from_everywhere;
    var color = key * mix(shade, base.rgb, lit_part(dot(normal, frame.to_middle_of_key), shift)) + from_everywhere * base.rgb;
    if HAS_FILE_LIGHTS {
        for (var index = 0u; index < frame.file_light_count; index++) {
            let file_light = frame.file_lights[index];
            let arrives = arriving(file_light, in_world);
            let radiance = file_light.radiance * arrives.w;
            received += radiance;
            color += radiance * mix(shade, base.rgb, lit_part(dot(normal, arrives.xyz), shift));
        }
    }
    // Light brighter than white is taken as white: its maker knows no surface that burns out, as MToon of VRM 0.x shows
    // none brighter than its lit colour.
    let excess = max(1.0, max(received.r, max(received.g, received.b)));
    color = color / excess + rim * mix(vec3f(1.0), received / excess, material.rim_lighting_mix) + emissive;
    if OUTLINE {
        color = material.outline_color * mix(vec3f(1.0), color, material.outline_lighting_mix);
    }
    color *= frame.exposure;
    // A sample that is brighter than white would make the edge of its pixel too bright.
    let most = select(1.0, BRIGHTEST_SAMPLE, frame.tone == TONE_NONE);
    return vec4f(clamp(color, vec3f(), vec3f(most)), alpha);
}
