// Skin-like light: wrapped diffuse that bleeds red into shadow, a lean GGX highlight, a hemisphere of ambient light,
// and a soft shadow from the key.

const DIELECTRIC_F0: f32 = 0.032;

// How much a colour looks like skin (warm, not dark): eyes, teeth and hair must not redden.
fn skin_likeness(color: vec3f) -> f32 {
    let warmth = (color.r - color.b) / max(color.r, 1e-3);
    return smoothstep(0.22, 0.5, warmth) * smoothstep(0.18, 0.42, color.r);
}

// Lambert wrapped by `wrap`, keeping its energy.
fn wrapped(n_dot_l: f32, wrap: vec3f) -> vec3f {
    let reach = 1.0 + wrap;
    return saturate((n_dot_l + wrap) / (reach * reach));
}

// GGX with a fused visibility and Fresnel term (Kaplanyan and Lagarde's mobile fit), relative to Lambert without 1/pi.
fn highlight(normal: vec3f, to_eye: vec3f, to_light: vec3f, alpha_squared: f32, roughness: f32) -> f32 {
    let half_sum = to_eye + to_light;
    let half_way = half_sum * inverseSqrt(max(dot(half_sum, half_sum), 1e-6));
    let n_dot_h = saturate(dot(normal, half_way));
    let l_dot_h = saturate(dot(to_light, half_way));
    let d = n_dot_h * n_dot_h * (alpha_squared - 1.0) + 1.0;
    let grazing = 1.0 - l_dot_h;
    let fresnel = 1.0 + 8.0 * grazing * grazing * grazing;
    return fresnel * alpha_squared / (d * d * max(0.1, l_dot_h * l_dot_h) * (4.0 * roughness + 2.0));
}

// 1 in the key's light, 0 behind something: four taps, each the mean of 2x2 texels.
fn key_visibility(in_world: vec3f, normal: vec3f) -> f32 {
    let lifted = in_world + normal * (frame.shadow_texel * 2.5);
    let in_map = (frame.shadow_from_world * vec4f(lifted, 1.0)).xyz;
    let uv = in_map.xy * vec2f(0.5, -0.5) + 0.5;
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    let depth = in_map.z;
    let taps = textureSampleCompareLevel(shadow_map, shadow_sampler, uv + vec2f(-0.8, -2.2) * texel, depth)
        + textureSampleCompareLevel(shadow_map, shadow_sampler, uv + vec2f(2.2, -0.8) * texel, depth)
        + textureSampleCompareLevel(shadow_map, shadow_sampler, uv + vec2f(0.8, 2.2) * texel, depth)
        + textureSampleCompareLevel(shadow_map, shadow_sampler, uv + vec2f(-2.2, 0.8) * texel, depth);
    return taps * 0.25;
}

// A lamp is a soft box, not a point: what a wet surface mirrors of it is a crisp patch, the light in an eye.
fn soft_box(mirrored: vec3f, to_light: vec3f) -> f32 {
    return smoothstep(0.972, 0.986, dot(mirrored, to_light));
}

fn shade(color: vec3f, rough: f32, metallic: f32, in_world: vec3f, normal: vec3f, to_eye: vec3f) -> vec3f {
    let skin = skin_likeness(color) * frame.softness;
    let wrap = mix(vec3f(0.1 * frame.softness), vec3f(0.46, 0.24, 0.16), skin);
    let n_dot_v = saturate(dot(normal, to_eye));
    let roughness = clamp(rough, 0.22, 1.0);
    let alpha_squared = roughness * roughness * roughness * roughness;

    let key_n_dot_l = dot(normal, frame.key.direction);
    let fill_n_dot_l = dot(normal, frame.fill.direction);
    let rim_n_dot_l = dot(normal, frame.rim.direction);

    var visibility = 1.0;
    if key_n_dot_l > -0.5 {
        visibility = mix(1.0, key_visibility(in_world, normal), frame.key.shadow);
    }
    // Light that entered the skin beside a shadow leaves it within: red travels furthest.
    let key_shadow = mix(vec3f(visibility), vec3f(sqrt(visibility), visibility, visibility), skin);

    // Light from everywhere reaches what faces down or away less; skin sends some of the red back.
    let ambient = mix(frame.ground, frame.sky, normal.y * 0.5 + 0.5);
    let diffuse = ambient * mix(vec3f(1.0), vec3f(1.2, 0.97, 0.9), skin)
        + frame.key.radiance * wrapped(key_n_dot_l, wrap) * key_shadow
        + frame.fill.radiance * wrapped(fill_n_dot_l, wrap + 0.35)
        + frame.rim.radiance * wrapped(rim_n_dot_l - 0.12, wrap * 0.3);

    // Skin's oily film: highlights of the lamps, and the room mirrored at grazing angles. Chalk and fibres have none.
    let mirrored = reflect(-to_eye, normal);
    let wet = 1.0 - smoothstep(0.1, 0.22, rough);
    let key_gloss = highlight(normal, to_eye, frame.key.direction, alpha_squared, roughness) * saturate(key_n_dot_l) * visibility
        + wet * 14.0 * soft_box(mirrored, frame.key.direction);
    let fill_gloss = highlight(normal, to_eye, frame.fill.direction, alpha_squared, roughness) * saturate(fill_n_dot_l)
        + wet * 8.0 * soft_box(mirrored, frame.fill.direction);
    let film = 1.0 - smoothstep(0.6, 0.85, rough);
    let f0 = mix(vec3f(DIELECTRIC_F0 * film), color, metallic);
    let grazing = 1.0 - n_dot_v;
    let grazing_squared = grazing * grazing;
    let edge = grazing_squared * grazing_squared * grazing;
    let room = mix(frame.ground, frame.sky, smoothstep(-0.3, 0.6, mirrored.y));
    let fresnel = f0 + (1.0 - roughness) * film * edge;
    // The rim light rakes along the outline.
    let rake = frame.rim.radiance * (saturate(rim_n_dot_l + 0.2) * grazing_squared * grazing * 0.22 * film);
    let gloss = f0 * (frame.key.radiance * key_gloss + frame.fill.radiance * fill_gloss) + fresnel * room + rake;
    return color * (1.0 - metallic) * diffuse + frame.gloss * gloss;
}
