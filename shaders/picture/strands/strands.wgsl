// Hair as strands: ribbons that face the eye, drawn as one long triangle strip. A strand is about as wide as a pixel, so that its
// light is computed for its points and not for its fragments. src/picture/render/shaders joins it with the modules of the surface.

struct StrandSet {
    // Width and height of the picture in pixels.
    size: vec2f,
    // A factor of all widths: where fewer strands are drawn, they are wider.
    width_factor: f32,
    // 0..1, another number in each sample of the accumulated picture: it decides which strands thinner than a pixel are drawn in it.
    phase: f32,
    // One of so many strands casts a shadow; it is wider than it is drawn.
    strands_per_shadow: u32,
}

// [point][half]: position and width; direction, normal, colour (see `StrandVertex` in `render/strands.rs`).
@group(1) @binding(0) var<storage, read> strand_points: array<vec4u>;
// [1]: one struct per set of strands.
@group(1) @binding(1) var<uniform> strand_set: StrandSet;

const POINTS_PER_STRAND: u32 = 16u;
// So many of these points are drawn, at even distances.
override DRAWN_POINTS: u32 = 16u;
// Each point is two vertices; the first and the last vertex of a strand are repeated, so that no triangle joins two strands.
override VERTICES_PER_STRAND: u32 = 2u * DRAWN_POINTS + 2u;
// The least width of a drawn strand in pixels.
const LEAST_WIDTH: f32 = 1.0;

struct StrandPoint {
    in_world: vec3f,
    // Unit vectors in world space: towards the tip, and away from the body.
    along: vec3f,
    outwards: vec3f,
    color: vec3f,
    // In world units.
    width: f32,
    // 0..1, one number per strand.
    random: f32,
}

// Which point of which strand a vertex of the strip is, and on which side of it: -1 or 1.
struct StripPlace {
    strand: u32,
    point: u32,
    side: f32,
}

fn strip_place(index: u32) -> StripPlace {
    let strand = index / VERTICES_PER_STRAND;
    let within = clamp(index % VERTICES_PER_STRAND, 1u, VERTICES_PER_STRAND - 2u) - 1u;
    let last = DRAWN_POINTS - 1u;
    let point = ((within >> 1u) * (POINTS_PER_STRAND - 1u) + last / 2u) / last;
    return StripPlace(strand, point, f32(within & 1u) * 2.0 - 1.0);
}

// A unit vector from an octahedron that is folded into a square (Q. Meyer et al., "On floating-point normal vectors", 2010).
fn unit_vector(folded: u32) -> vec3f {
    let p = unpack2x16snorm(folded);
    let z = 1.0 - abs(p.x) - abs(p.y);
    let under = max(-z, 0.0);
    return normalize(vec3f(p.x + select(under, -under, p.x >= 0.0), p.y + select(under, -under, p.y >= 0.0), z));
}

fn strand_point(strand: u32, point: u32) -> StrandPoint {
    let at = (strand * POINTS_PER_STRAND + point) * 2u;
    let first = strand_points[at];
    let second = strand_points[at + 1u];
    let color = unpack4x8unorm(second.z);
    let position = vec4f(bitcast<vec3f>(first.xyz), 1.0);
    let transform = mesh.world_from_mesh;
    return StrandPoint(
        (transform * position).xyz,
        normalize((transform * vec4f(unit_vector(second.x), 0.0)).xyz),
        normalize(mesh.world_from_mesh_normal * unit_vector(second.y)),
        // Stored as square roots, which keep dark colours apart.
        color.rgb * color.rgb,
        bitcast<f32>(first.w) * length(transform[0].xyz),
        bitcast<f32>(second.w),
    );
}

// 0..1: the part of the key light that comes through the hair before a point. It falls with the way through the hair and not
// at once, because hair lets light through.
fn key_through_hair(in_world: vec3f, free_path: f32) -> f32 {
    let in_map = (frame.shadow_from_world * vec4f(in_world, 1.0)).xyz;
    let size = vec2f(textureDimensions(shadow_map));
    let texel = (in_map.xy * vec2f(0.5, -0.5) + 0.5) * size;
    let map = frame.shadow_from_world;
    let world_per_depth = 1.0 / length(vec3f(map[0].z, map[1].z, map[2].z));
    // While the head moves, one texel is read: points of many strands are beside each other.
    var taps = 1u;
    var spread = 0.0;
    if REFINED {
        taps = 4u;
        spread = 1.0;
    }
    var visible = 0.0;
    for (var tap = 0u; tap < taps; tap++) {
        let offset = (vec2f(f32(tap & 1u), f32(tap >> 1u)) * 2.0 - 1.0) * spread;
        let at = vec2i(clamp(texel + offset, vec2f(0.0), size - 1.0));
        let way = (in_map.z - textureLoad(shadow_map, at, 0)) * world_per_depth;
        visible += exp(-max(way - frame.shadow_slack - free_path * 0.2, 0.0) / free_path);
    }
    return mix(1.0, visible / f32(taps), frame.key.shadow);
}

// Light of one direction that shines from behind through the outermost strands.
fn light_through_strand(strand: StrandPoint, to_eye: vec3f, to_light: vec3f) -> vec3f {
    let behind = saturate(-dot(to_eye, to_light));
    let edge = 1.0 - abs(dot(strand.outwards, to_eye));
    return sqrt(strand.color) * (0.35 * behind * behind * behind * edge * edge);
}

// All light of a point of a strand towards the eye; see `shade_hair` in hair.wgsl.
fn lit_strand(strand: StrandPoint) -> vec3f {
    let to_eye = normalize(frame.eye_in_world - strand.in_world);
    let to_key = frame.key.direction_to_light;
    let shift = (strand.random - 0.5) * 0.12;
    // Light passes some twenty strands.
    let key = frame.key.radiance * key_through_hair(strand.in_world, strand.width * 20.0 + frame.shadow_texel);
    let facing_key = saturate(dot(strand.outwards, to_key) * 1.2 + 0.2);
    var studio = studio_diffuse(strand.outwards);
    if REFINED {
        // Hair is no solid body, so that only what lies far before a strand blocks light.
        let lifted = strand.in_world + strand.outwards * (strand.width * 12.0);
        studio = found_studio_light(lifted, strand.outwards, studio);
    }
    var light = strand.color * (key * hair_diffuse(strand.along, strand.outwards, to_key) + studio * 0.75)
        + key * light_through_strand(strand, to_eye, to_key);
    var shine = key * facing_key * hair_bands(strand.color, strand.along, shift, to_eye, to_key, 0.1);
    for (var index = 0u; index < PANELS; index++) {
        let panel = frame.panels[index];
        let facing = saturate(dot(strand.outwards, panel.axis) * 0.9 + 0.1);
        // The hair around a strand blocks most of the light that would graze it.
        shine += panel.irradiance
            * (0.45 * facing * facing * hair_bands(strand.color, strand.along, shift, to_eye, panel.axis, panel.sin_radius));
        light += panel.irradiance * light_through_strand(strand, to_eye, panel.axis);
    }
    if HAS_FILE_LIGHTS {
        // Those that are not in use bring no light. The number in use would be a branch: see frame.wgsl.
        for (var index = 0u; index < FILE_LIGHTS; index++) {
            let arrives = arriving(frame.file_lights[index], strand.in_world);
            let radiance = frame.file_lights[index].radiance * arrives.w;
            light += radiance * strand.color * hair_diffuse(strand.along, strand.outwards, arrives.xyz);
            shine += radiance * hair_bands(strand.color, strand.along, shift, to_eye, arrives.xyz, 0.1)
                * saturate(dot(strand.outwards, arrives.xyz));
        }
    }
    return max(light + frame.gloss * shine, vec3f());
}

struct StrandSurface {
    @builtin(position) position: vec4f,
    // In a preview: the colour as shown. In an accumulated picture: light times exposure.
    @location(0) light: vec3f,
}

// A vertex of a ribbon of a width in world units, at least as wide as LEAST_WIDTH. Strands that are thinner are drawn in a part of
// the samples.
fn ribbon(strand: StrandPoint, side: f32) -> vec4f {
    let middle = frame.projection_from_world * vec4f(strand.in_world, 1.0);
    let along = frame.projection_from_world * vec4f(strand.along, 0.0);
    let on_screen = (along.xy * middle.w - middle.xy * along.w) * strand_set.size;
    let across = vec2f(-on_screen.y, on_screen.x) * inverseSqrt(max(dot(on_screen, on_screen), 1e-30));
    let projection = frame.projection_from_world;
    let zoom = length(vec3f(projection[0].y, projection[1].y, projection[2].y));
    let width = strand.width * strand_set.width_factor * zoom * strand_set.size.y * 0.5 / max(middle.w, 1e-6);
    let drawn = max(width, LEAST_WIDTH);
    let is_drawn = width > drawn * fract(strand.random + strand_set.phase);
    let offset = across * (side * select(0.0, drawn, is_drawn)) / strand_set.size;
    return vec4f(middle.xy + offset * middle.w, middle.zw);
}

@vertex
fn strand_vertex(@builtin(vertex_index) index: u32) -> StrandSurface {
    let place = strip_place(index);
    let strand = strand_point(place.strand, place.point);
    let light = lit_strand(strand) * frame.exposure;
    var surface: StrandSurface;
    surface.position = ribbon(strand, place.side);
    if REFINED {
        surface.light = light;
    } else {
        // Both curves are computed. No branch: see frame.wgsl.
        surface.light = select(agx(light), neutral(light), frame.tone == TONE_NEUTRAL);
    }
    return surface;
}

@fragment
fn strand_fragment(surface: StrandSurface) -> @location(0) vec4f {
    return vec4f(surface.light, 1.0);
}

@fragment
fn sample_strand_fragment(surface: StrandSurface) -> Sample {
    return Sample(vec4f(), vec4f(within_limits(surface.light), 0.0), vec4f(0.0, 0.0, 0.0, 1.0), vec4f());
}

@vertex
fn strand_shadow_vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let place = strip_place(index);
    let strand = strand_point(place.strand * strand_set.strands_per_shadow, place.point);
    let middle = frame.shadow_from_world * vec4f(strand.in_world, 1.0);
    let along = (frame.shadow_from_world * vec4f(strand.along, 0.0)).xy;
    let across = vec2f(-along.y, along.x) * inverseSqrt(max(dot(along, along), 1e-30));
    let map = frame.shadow_from_world;
    let per_world = length(vec3f(map[0].x, map[1].x, map[2].x));
    let half_width = max(strand.width * min(f32(strand_set.strands_per_shadow), 6.0), frame.shadow_texel) * 0.5 * per_world;
    return vec4f(middle.xy + across * (place.side * half_width), middle.zw);
}
