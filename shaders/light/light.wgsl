// Skin-like light: wrapped diffuse that bleeds red into shadow, a lean GGX highlight, a hemisphere of ambient light.

// Mirrors the lamps themselves, as an eye does; its roughness is below 0.22.
override WET: bool = false;
// Fibres and chalk: no highlights at all; roughness 0.85 and above.
override MATTE: bool = false;

const DIELECTRIC_F0: f32 = 0.032;

// How much a colour looks like skin (warm, not dark): eyes, teeth and hair must not redden.
fn skin_likeness(color: vec3f) -> f32 {
    return saturate((0.72 * color.r - color.b) * 5.0) * saturate(color.r * 4.0 - 0.7);
}

// GGX with a fused visibility and Fresnel term (Kaplanyan and Lagarde's mobile fit), relative to Lambert without 1/pi.
// The half vector is never formed: (l.h)^2 = (1 + v.l) / 2 exactly, and (n.h)^2 is about (1 + r.l) / 2.
fn highlight(mirrored_dot_l: f32, v_dot_l: f32, alpha_squared: f32, roughness: f32) -> f32 {
    let n_dot_h_squared = saturate(0.5 + 0.5 * mirrored_dot_l);
    let grazing = 0.5 - 0.5 * v_dot_l;
    let grazing_squared = grazing * grazing;
    let d = n_dot_h_squared * (alpha_squared - 1.0) + 1.0;
    let fresnel = 1.0 + 8.0 * grazing_squared * grazing_squared * grazing;
    return fresnel * alpha_squared / (d * d * max(0.1, 1.0 - grazing) * (4.0 * roughness + 2.0));
}

// A lamp is a soft box, not a point: what a wet surface mirrors of it is a crisp patch, the light in an eye.
fn soft_box(mirrored_dot_l: f32) -> f32 {
    return smoothstep(0.972, 0.986, mirrored_dot_l);
}

// What comes back from inside the surface, and what it mirrors.
struct Lit {
    body: vec3f,
    mirrored: vec3f,
}

// How much of the oily film there is: none on chalk.
fn film_of(sampled: MaterialSample) -> f32 {
    return (1.0 - smoothstep(0.6, 0.85, sampled.roughness)) * mix(sampled.specular, 1.0, sampled.metallic);
}

// The share of light mirrored head-on.
fn mirrored_head_on(sampled: MaterialSample) -> vec3f {
    let dielectric = min(DIELECTRIC_F0 * film_of(sampled) * sampled.specular_color, vec3f(1.0));
    return mix(dielectric, sampled.color.rgb, sampled.metallic);
}

// Highlights of the lamps and the room mirrored at grazing angles: skin's oily film.
fn gloss(sampled: MaterialSample, normal: vec3f, to_eye: vec3f, key_light: vec3f, n_dot_l: vec3f) -> vec3f {
    let rough = sampled.roughness;
    let roughness = clamp(rough, 0.22, 1.0);
    let alpha_squared = roughness * roughness * roughness * roughness;
    let n_dot_v = saturate(dot(normal, to_eye));
    let mirrored = reflect(-to_eye, normal);
    let mirrored_dot_key = dot(mirrored, frame.key.direction_to_light);
    let mirrored_dot_fill = dot(mirrored, frame.fill.direction_to_light);
    var file_lights = key_light * (highlight(mirrored_dot_key, dot(to_eye, frame.key.direction_to_light), alpha_squared, roughness) * saturate(n_dot_l.x))
        + frame.fill.radiance * (highlight(mirrored_dot_fill, dot(to_eye, frame.fill.direction_to_light), alpha_squared, roughness) * saturate(n_dot_l.y));
    if WET {
        let wet = 1.0 - smoothstep(0.1, 0.22, rough);
        file_lights += wet * (14.0 * frame.key.radiance * soft_box(mirrored_dot_key) + 8.0 * frame.fill.radiance * soft_box(mirrored_dot_fill));
    }
    let film = film_of(sampled);
    let f0 = mirrored_head_on(sampled);
    let grazing = 1.0 - n_dot_v;
    let grazing_cubed = grazing * grazing * grazing;
    let room = mix(frame.ground, frame.sky, saturate(mirrored.y + 0.35)) * sampled.occlusion;
    let fresnel = f0 + (1.0 - roughness) * film * grazing_cubed * grazing * grazing;
    // The rim light rakes along the outline.
    let rake = frame.rim.radiance * (saturate(n_dot_l.z + 0.2) * grazing_cubed * 0.22 * film);
    return frame.gloss * (f0 * file_lights + fresnel * room + rake);
}

// Occlusion is the share of the surrounding light that arrives; lamps shine past it (glTF 2.0 §3.9.3).
fn shade(sampled: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f) -> Lit {
    let color = sampled.color.rgb;
    let skin = skin_likeness(color) * frame.softness;
    let n_dot_l = vec3f(dot(normal, frame.key.direction_to_light), dot(normal, frame.fill.direction_to_light), dot(normal, frame.rim.direction_to_light));

    var visibility = 1.0;
    if n_dot_l.x > -0.5 {
        visibility = mix(1.0, key_visibility(in_world, normal), frame.key.shadow);
    }
    // Lambert wrapped around, keeping its energy; red travels furthest through skin, into the shade and beside a shadow.
    let wrap = vec3f(0.1 * frame.softness) + vec3f(0.3, 0.13, 0.06) * skin;
    let keep = 1.0 / (1.0 + wrap);
    let bleed = vec3f(mix(visibility, sqrt(visibility), 0.4 * skin), visibility, visibility);
    let key = frame.key.radiance * saturate((n_dot_l.x + wrap) * keep * keep) * bleed;
    // The fill is a large lamp; the rim a narrow one.
    let fill = frame.fill.radiance * saturate(n_dot_l.y * 0.5 + 0.22);
    let rim = frame.rim.radiance * saturate(n_dot_l.z - 0.1);
    // Light from everywhere; skin sends some of the red back.
    let ambient = sampled.occlusion * mix(frame.ground, frame.sky, normal.y * 0.5 + 0.5) * (1.0 + vec3f(0.3, -0.04, -0.12) * skin);
    let key_light = frame.key.radiance * visibility;
    var light = Lit(color * (1.0 - sampled.metallic) * (key + fill + rim + ambient), vec3f());
    if HAS_FILE_LIGHTS {
        let file_lights = light_from_file(sampled, wrap, in_world, normal, to_eye);
        light = Lit(light.body + file_lights.body, file_lights.mirrored);
    }
    if !MATTE {
        light.mirrored += gloss(sampled, normal, to_eye, key_light, n_dot_l);
    }
    if SHEEN {
        light = with_sheen(light, sampled, in_world, normal, to_eye, key_light, n_dot_l);
    }
    light.body += sampled.emissive;
    if CLEARCOAT {
        light = with_clearcoat(light, sampled, in_world, normal, to_eye, key_light, n_dot_l);
    }
    return light;
}
