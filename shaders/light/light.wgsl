// Shading for skin: wrapped diffuse light that reddens the edges of shadows, GGX highlights in a fast approximation, and
// hemispherical ambient light.

// Reflects the light sources as sharp patches, as an eye does; for roughness below WET_ROUGHNESS.
override WET: bool = false;
// Has no highlights, like cloth and chalk; for roughness of MATTE_ROUGHNESS and above.
override MATTE: bool = false;

// `Finish` in `render/surface/kind.rs` has the same two constants.
const WET_ROUGHNESS: f32 = 0.22;
const MATTE_ROUGHNESS: f32 = 0.85;
const DIELECTRIC_F0: f32 = 0.032;

// 0..1: how much a colour looks like skin (warm, not dark), so that eyes, teeth and hair do not redden.
fn skin_likeness(color: vec3f) -> f32 {
    return saturate((0.72 * color.r - color.b) * 5.0) * saturate(color.r * 4.0 - 0.7);
}

// GGX with a fused visibility and Fresnel term (Kaplanyan and Lagarde's mobile fit), relative to Lambert without 1/pi.
// The half vector is not computed: (l.h)^2 = (1 + v.l) / 2 exactly, and (n.h)^2 is about (1 + r.l) / 2.
fn highlight(reflected_dot_l: f32, v_dot_l: f32, alpha_squared: f32, roughness: f32) -> f32 {
    let n_dot_h_squared = saturate(0.5 + 0.5 * reflected_dot_l);
    let grazing = 0.5 - 0.5 * v_dot_l;
    let grazing_squared = grazing * grazing;
    let d = n_dot_h_squared * (alpha_squared - 1.0) + 1.0;
    let fresnel = 1.0 + 8.0 * grazing_squared * grazing_squared * grazing;
    return fresnel * alpha_squared / (d * d * max(0.1, 1.0 - grazing) * (4.0 * roughness + 2.0));
}

// A light source is a studio soft box and not a point: its reflection in a wet surface is a sharp patch, as the catchlight of an
// eye.
fn soft_box(reflected_dot_l: f32) -> f32 {
    return smoothstep(0.972, 0.986, reflected_dot_l);
}

// The light that leaves the surface towards the eye.
struct Reflected {
    // The light that is scattered within skin, before it is multiplied with the colour of the surface: irradiance over pi. It is
    // black for everything else. It is kept apart, because it leaves the skin at some distance from where it arrived.
    scattered: vec3f,
    // All other light that leaves the surface diffusely, with its colour, and the light that it emits.
    diffuse: vec3f,
    // The light that is reflected at the surface.
    specular: vec3f,
}

// 0..1: a factor of the dielectric reflection, which fades to 0 towards MATTE_ROUGHNESS.
fn reflection_strength(sampled: MaterialSample) -> f32 {
    return (1.0 - smoothstep(0.6, MATTE_ROUGHNESS, sampled.roughness)) * mix(sampled.specular, 1.0, sampled.metallic);
}

// The fraction of the light that is reflected at normal incidence (F0).
fn reflectance_head_on(sampled: MaterialSample) -> vec3f {
    let dielectric = min(DIELECTRIC_F0 * reflection_strength(sampled) * sampled.specular_color, vec3f(1.0));
    return mix(dielectric, sampled.color.rgb, sampled.metallic);
}

// The highlights of key and fill, the ambient light that is reflected at grazing angles as by the oily film on skin, and the
// rim light. `n_dot_l` is normal · direction to the light, for key, fill and rim.
fn specular_light(sampled: MaterialSample, normal: vec3f, to_eye: vec3f, key_light: vec3f, n_dot_l: vec3f) -> vec3f {
    let rough = sampled.roughness;
    let roughness = clamp(rough, WET_ROUGHNESS, 1.0);
    let alpha_squared = roughness * roughness * roughness * roughness;
    let n_dot_v = saturate(dot(normal, to_eye));
    let reflected = reflect(-to_eye, normal);
    let reflected_dot_key = dot(reflected, frame.key.direction_to_light);
    let reflected_dot_fill = dot(reflected, frame.fill.direction_to_light);
    var highlights = key_light * (highlight(reflected_dot_key, dot(to_eye, frame.key.direction_to_light), alpha_squared, roughness) * saturate(n_dot_l.x))
        + frame.fill.radiance * (highlight(reflected_dot_fill, dot(to_eye, frame.fill.direction_to_light), alpha_squared, roughness) * saturate(n_dot_l.y));
    if WET {
        let wet = 1.0 - smoothstep(0.1, WET_ROUGHNESS, rough);
        highlights += wet * (14.0 * frame.key.radiance * soft_box(reflected_dot_key) + 8.0 * frame.fill.radiance * soft_box(reflected_dot_fill));
    }
    let strength = reflection_strength(sampled);
    let f0 = reflectance_head_on(sampled);
    let grazing = 1.0 - n_dot_v;
    let grazing_cubed = grazing * grazing * grazing;
    let ambient = mix(frame.ground, frame.sky, saturate(reflected.y + 0.35)) * sampled.occlusion;
    let fresnel = f0 + (1.0 - roughness) * strength * grazing_cubed * grazing * grazing;
    // The rim light is visible along the outline only.
    let rim = frame.rim.radiance * (saturate(n_dot_l.z + 0.2) * grazing_cubed * 0.22 * strength);
    return frame.gloss * (f0 * highlights + fresnel * ambient + rim);
}

// The light from a point of a surface towards the eye. Occlusion reduces the ambient light alone (glTF 2.0 §3.9.3).
fn shade(sampled: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f) -> Reflected {
    let color = sampled.color.rgb;
    let skin = skin_likeness(color) * frame.softness;
    let n_dot_l = vec3f(dot(normal, frame.key.direction_to_light), dot(normal, frame.fill.direction_to_light), dot(normal, frame.rim.direction_to_light));

    var visibility = 1.0;
    if n_dot_l.x > -0.5 {
        visibility = mix(1.0, key_visibility(in_world, normal), frame.key.shadow);
    }
    // Lambert's diffuse term, wrapped around the surface without changing its energy. Red light travels furthest through
    // skin, and so reaches further into the unlit side and into shadows.
    let wrap = vec3f(0.1 * frame.softness) + vec3f(0.3, 0.13, 0.06) * skin;
    let keep = 1.0 / (1.0 + wrap);
    let bleed = vec3f(mix(visibility, sqrt(visibility), 0.4 * skin), visibility, visibility);
    let key = frame.key.radiance * saturate((n_dot_l.x + wrap) * keep * keep) * bleed;
    // The fill is a large light source, the rim a narrow one.
    let fill = frame.fill.radiance * saturate(n_dot_l.y * 0.5 + 0.22);
    let rim = frame.rim.radiance * saturate(n_dot_l.z - 0.1);
    // Skin reflects a little more of the red part of ambient light.
    let ambient = sampled.occlusion * mix(frame.ground, frame.sky, normal.y * 0.5 + 0.5) * (1.0 + vec3f(0.3, -0.04, -0.12) * skin);
    let key_light = frame.key.radiance * visibility;
    var light = Reflected(vec3f(), color * (1.0 - sampled.metallic) * (key + fill + rim + ambient), vec3f());
    if HAS_FILE_LIGHTS {
        let from_file = light_from_file(sampled, wrap, in_world, normal, to_eye);
        light = Reflected(light.scattered, light.diffuse + from_file.diffuse, from_file.specular);
    }
    if !MATTE {
        light.specular += specular_light(sampled, normal, to_eye, key_light, n_dot_l);
    }
    if SHEEN {
        light = with_sheen(light, sampled, in_world, normal, to_eye, key_light, n_dot_l);
    }
    light.diffuse += sampled.emissive;
    if CLEARCOAT {
        light = with_clearcoat(light, sampled, in_world, normal, to_eye, key_light, n_dot_l);
    }
    return light;
}
