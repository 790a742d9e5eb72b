// Hair: two bands of highlights across the strands (T. Scheuermann, "Hair rendering and shading", 2004), with the lobes of S.
// Marschner and others, "Light scattering from human hair fibers", 2003, in a cheap form.

// Half of the widths of the bands along a strand, as sines: the light that is reflected at the surface of a strand, and that which
// has passed through it.
const SURFACE_BAND_WIDTH: f32 = 0.13;
const INNER_BAND_WIDTH: f32 = 0.24;
// By how much the scales of a strand shift the bands, as sines: one towards the root, the other towards the tip.
const SURFACE_BAND_SHIFT: f32 = -0.08;
const INNER_BAND_SHIFT: f32 = 0.13;
// The width and length of the streaks on surfaces of hair, in millimetres.
const STREAK_WIDTH_MM: f32 = 1.6;
const STREAK_LENGTH_MM: f32 = 60.0;
// The reflectance of a strand at normal incidence, for an index of refraction of 1.55.
const HAIR_F0: f32 = 0.046;

// The light that hair returns towards the eye, of a light of radiance 1 (as `Light::radiance`) in direction `to_light`.
// `strand`: unit vector along the strand. `shift`: a shift of both bands, which differs between strands. `size`: the sine of the
// radius of the light.
fn hair_bands(color: vec3f, strand: vec3f, shift: f32, to_eye: vec3f, to_light: vec3f, size: f32) -> vec3f {
    let sine_in = dot(strand, to_light);
    let sine_out = dot(strand, to_eye);
    let per_cosines = inverseSqrt(max((1.0 - sine_in * sine_in) * (1.0 - sine_out * sine_out), 1e-4));
    // The angle between light and eye, as seen along the strand: 1 where they are on the same side.
    let around = clamp((dot(to_eye, to_light) - sine_in * sine_out) * per_cosines, -1.0, 1.0);
    let same_side = 0.5 + 0.5 * around;
    let between = 0.5 * (sine_in + sine_out) + shift;
    let widening = 0.25 * size * size;
    let per_surface_width = inverseSqrt(SURFACE_BAND_WIDTH * SURFACE_BAND_WIDTH + widening);
    let per_inner_width = inverseSqrt(INNER_BAND_WIDTH * INNER_BAND_WIDTH + widening);
    let surface_place = (between - SURFACE_BAND_SHIFT) * per_surface_width;
    let inner_place = (between - INNER_BAND_SHIFT) * per_inner_width;
    // Gaussians of unit area. 0.72: 1 / (2 ln 2), because exp2 is used.
    let surface = exp2(-0.72 * surface_place * surface_place) * (0.399 * per_surface_width);
    let inner = exp2(-0.72 * inner_place * inner_place) * (0.399 * per_inner_width);
    let grazing = 1.0 - sqrt(max(0.5 + 0.5 * dot(to_eye, to_light), 0.0));
    let fresnel = HAIR_F0 + (1.0 - HAIR_F0) * grazing * grazing * grazing * grazing * grazing;
    // 0.79: pi / 4, the density of light around a strand.
    return vec3f(0.6 * fresnel * surface * sqrt(same_side)) + sqrt(color) * color * (0.55 * inner * same_side * same_side);
}

// The diffuse light of hair towards the eye, of a light of radiance 1, before its colour: strands shade each other gradually
// (J. Kajiya and T. Kay, "Rendering fur with three dimensional textures", 1989, for the sine).
fn hair_diffuse(strand: vec3f, normal: vec3f, to_light: vec3f) -> f32 {
    let along = dot(strand, to_light);
    let facing = saturate(dot(normal, to_light) * 0.7 + 0.3);
    return sqrt(max(1.0 - along * along, 0.0)) * facing * mix(facing, 1.0, 0.3) * 0.8;
}

// The light that hair reflects. `strand`: unit vector along the strand. `normal`: unit vector, that of the volume of hair around
// the strand. `shift`: see `hair_bands`. `studio`: see `studio_diffuse`. `ambient_occlusion`: 0..1.
fn shade_hair(
    sampled: MaterialSample,
    in_world: vec3f,
    strand: vec3f,
    normal: vec3f,
    to_eye: vec3f,
    shift: f32,
    studio: vec3f,
    ambient_occlusion: f32,
) -> Reflected {
    // Hair is never as dark as black paint.
    let color = max(sampled.color.rgb, vec3f(0.006, 0.0045, 0.0035));
    let to_key = frame.key.direction_to_light;
    let shadowed = mix(1.0, key_visibility(in_world, normal), frame.key.shadow);
    let open = ambient_occlusion * sampled.occlusion;
    let key = frame.key.radiance * shadowed;
    let n_dot_key = saturate(dot(normal, to_key) * 1.2 + 0.2);
    var diffuse = key * hair_diffuse(strand, normal, to_key) + studio_light(in_world, normal, studio, open) * 0.75;
    var specular = key * n_dot_key * hair_bands(color, strand, shift, to_eye, to_key, 0.1);
    for (var index = 0u; index < PANELS; index++) {
        let panel = frame.panels[index];
        // The radiance of a small light that is as bright on a surface.
        let irradiance = panel.radiance * (panel.sin_radius * panel.sin_radius * open);
        let facing = saturate(dot(normal, panel.axis) * 0.9 + 0.1);
        specular += irradiance * facing * hair_bands(color, strand, shift, to_eye, panel.axis, panel.sin_radius);
    }
    var light = Reflected(vec3f(), color * diffuse + sampled.emissive, frame.gloss * specular);
    if HAS_FILE_LIGHTS {
        let from_file = light_from_file(sampled, vec3f(0.3), in_world, normal, to_eye);
        light.diffuse += color * from_file.irradiance;
        light.specular += from_file.specular * 0.5;
    }
    return light;
}

// The texture shows strands; they run along v, as most programs lay out hair.
override STRANDS_IN_TEXTURE: bool = false;

// The direction of strands on a surface: that of its texture, or down, as hair hangs.
fn strand_on_surface(normal: vec3f, steps: Steps) -> vec3f {
    var way = vec3f(0.0, -1.0, 0.0);
    if STRANDS_IN_TEXTURE {
        let along = pixels_for_uv(vec2f(0.0, 1.0), steps);
        let along_v = steps.across_in_world * along.x + steps.down_in_world * along.y;
        way = select(way, along_v, dot(along_v, along_v) > 1e-30);
    }
    let flat = way - normal * dot(way, normal);
    // On the top of the head, hair that hangs leads away from the middle.
    let other = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), abs(normal.x) > 0.7);
    let instead = other - normal * dot(other, normal);
    return normalize(select(instead, flat, dot(flat, flat) > 1e-4 * dot(way, way)));
}

// Strands that a surface of hair lacks.
struct Streaks {
    // -1..1.
    shift: f32,
    // A factor of the colour.
    shade: f32,
}

// 0..1: noise over `place`, in cells.
fn streak_noise(place: vec2f) -> f32 {
    let cell = floor(place);
    let part = place - cell;
    let weight = part * part * (3.0 - 2.0 * part);
    let near = mix(random_of_cell(vec3f(cell, 1.0)).x, random_of_cell(vec3f(cell + vec2f(1.0, 0.0), 1.0)).x, weight.x);
    let far = mix(random_of_cell(vec3f(cell + vec2f(0.0, 1.0), 1.0)).x, random_of_cell(vec3f(cell + 1.0, 1.0)).x, weight.x);
    return mix(near, far, weight.y);
}

// Streaks as wide as locks, with finer ones in them, along the strands. `at_rest` in millimetres.
fn streaks_at(at_rest: vec3f, uv: vec2f, normal: vec3f, steps: Steps) -> Streaks {
    var both = 0.0;
    var pixel_mm = sqrt(max(dot(steps.across_at_rest, steps.across_at_rest), dot(steps.down_at_rest, steps.down_at_rest)));
    if STRANDS_IN_TEXTURE {
        // Streaks are of equal width in millimetres: coordinates are scaled by a power of two.
        let across = pixels_for_uv(vec2f(1.0, 0.0), steps);
        let along = pixels_for_uv(vec2f(0.0, 1.0), steps);
        let mm_per_u = length(steps.across_at_rest * across.x + steps.down_at_rest * across.y);
        let mm_per_v = length(steps.across_at_rest * along.x + steps.down_at_rest * along.y);
        let level = log2(clamp(mm_per_u, 1.0, 4000.0) / STREAK_WIDTH_MM);
        let place = vec2f(uv.x * exp2(floor(level)), uv.y * exp2(round(log2(clamp(mm_per_v, 1.0, 4000.0) / STREAK_LENGTH_MM))));
        both = mix(streak_noise(place), streak_noise(place * vec2f(2.0, 1.0) + 17.0), fract(level)) - 0.5;
        both += (streak_noise(place * vec2f(4.0, 1.0)) - 0.5) * saturate(1.6 - 4.0 * pixel_mm / STREAK_WIDTH_MM);
    } else {
        let hanging = at_rest * vec3f(1.0 / STREAK_WIDTH_MM, 1.0 / STREAK_LENGTH_MM, 1.0 / STREAK_WIDTH_MM);
        let fine = smooth_noise(hanging * vec3f(3.0, 1.0, 3.0)) * saturate(1.6 - 3.0 * pixel_mm / STREAK_WIDTH_MM);
        both = 0.5 * (smooth_noise(hanging) + fine) * (1.0 - normal.y * normal.y);
    }
    let seen = saturate(1.6 - pixel_mm / STREAK_WIDTH_MM);
    return Streaks(2.0 * both * seen, 1.0 + 0.7 * both * seen);
}
