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
fn film_of(matter: Matter) -> f32 {
    return (1.0 - smoothstep(0.6, 0.85, matter.roughness)) * mix(matter.specular, 1.0, matter.metallic);
}

// The share of light mirrored head-on.
fn mirrored_head_on(matter: Matter) -> vec3f {
    let dielectric = min(DIELECTRIC_F0 * film_of(matter) * matter.specular_color, vec3f(1.0));
    return mix(dielectric, matter.color.rgb, matter.metallic);
}

// Highlights of the lamps and the room mirrored at grazing angles: skin's oily film.
fn gloss(matter: Matter, normal: vec3f, to_eye: vec3f, key_light: vec3f, n_dot_l: vec3f) -> vec3f {
    let rough = matter.roughness;
    let roughness = clamp(rough, 0.22, 1.0);
    let alpha_squared = roughness * roughness * roughness * roughness;
    let n_dot_v = saturate(dot(normal, to_eye));
    let mirrored = reflect(-to_eye, normal);
    let mirrored_dot_key = dot(mirrored, frame.key.direction);
    let mirrored_dot_fill = dot(mirrored, frame.fill.direction);
    var lamps = key_light * (highlight(mirrored_dot_key, dot(to_eye, frame.key.direction), alpha_squared, roughness) * saturate(n_dot_l.x))
        + frame.fill.radiance * (highlight(mirrored_dot_fill, dot(to_eye, frame.fill.direction), alpha_squared, roughness) * saturate(n_dot_l.y));
    if WET {
        let wet = 1.0 - smoothstep(0.1, 0.22, rough);
        lamps += wet * (14.0 * frame.key.radiance * soft_box(mirrored_dot_key) + 8.0 * frame.fill.radiance * soft_box(mirrored_dot_fill));
    }
    let film = film_of(matter);
    let f0 = mirrored_head_on(matter);
    let grazing = 1.0 - n_dot_v;
    let grazing_cubed = grazing * grazing * grazing;
    let room = mix(frame.ground, frame.sky, saturate(mirrored.y + 0.35)) * matter.occlusion;
    let fresnel = f0 + (1.0 - roughness) * film * grazing_cubed * grazing * grazing;
    // The rim light rakes along the outline.
    let rake = frame.rim.radiance * (saturate(n_dot_l.z + 0.2) * grazing_cubed * 0.22 * film);
    return frame.gloss * (f0 * lamps + fresnel * room + rake);
}

// Occlusion is the share of the surrounding light that arrives; lamps shine past it (glTF 2.0 §3.9.3).
fn shade(matter: Matter, in_world: vec3f, normal: vec3f, to_eye: vec3f) -> Lit {
    let color = matter.color.rgb;
    let skin = skin_likeness(color) * frame.softness;
    let n_dot_l = vec3f(dot(normal, frame.key.direction), dot(normal, frame.fill.direction), dot(normal, frame.rim.direction));

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
    let ambient = matter.occlusion * mix(frame.ground, frame.sky, normal.y * 0.5 + 0.5) * (1.0 + vec3f(0.3, -0.04, -0.12) * skin);
    let key_light = frame.key.radiance * visibility;
    var light = Lit(color * (1.0 - matter.metallic) * (key + fill + rim + ambient), vec3f());
    if LAMPS {
        let lamps = lamplight(matter, wrap, in_world, normal, to_eye);
        light = Lit(light.body + lamps.body, lamps.mirrored);
    }
    if !MATTE {
        light.mirrored += gloss(matter, normal, to_eye, key_light, n_dot_l);
    }
    if SHEEN {
        light = with_sheen(light, matter, in_world, normal, to_eye, key_light, n_dot_l);
    }
    light.body += matter.emissive;
    if COATED {
        light = with_coat(light, matter, in_world, normal, to_eye, key_light, n_dot_l);
    }
    return light;
}
