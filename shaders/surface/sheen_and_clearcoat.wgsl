// What lies over a surface: sheen (KHR_materials_sheen) and varnish (KHR_materials_clearcoat).

override SHEEN: bool = false;
override CLEARCOAT: bool = false;

// Fibres standing up (A. Estevez and C. Kulla, 2017), relative to Lambert without 1/pi, their visibility as in Neubelt and
// Pettineo, 2013. The half vector is never formed: (n.h)^2 is about (1 + r.l) / 2.
fn fibres(mirrored_dot_l: f32, n_dot_l: f32, n_dot_v: f32) -> f32 {
    let roughness = max(material.sheen_roughness, 0.07);
    let sharpness = 1.0 / (roughness * roughness);
    let sine_squared = max(0.5 - 0.5 * mirrored_dot_l, 0.0078125);
    let spread = (2.0 + sharpness) * pow(sine_squared, 0.5 * sharpness) * 0.5;
    let lit = saturate(n_dot_l);
    return lit * spread / (4.0 * max(lit + n_dot_v - lit * n_dot_v, 1e-3));
}

fn with_sheen(light: Lit, sampled: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f, key_light: vec3f, n_dot_l: vec3f) -> Lit {
    let n_dot_v = saturate(dot(normal, to_eye));
    let mirrored = reflect(-to_eye, normal);
    let grazing = 1.0 - n_dot_v;
    let room = sampled.occlusion * mix(frame.ground, frame.sky, normal.y * 0.5 + 0.5) * (grazing * grazing * 0.6 + 0.05);
    var scattered = key_light * fibres(dot(mirrored, frame.key.direction_to_light), n_dot_l.x, n_dot_v)
        + frame.fill.radiance * fibres(dot(mirrored, frame.fill.direction_to_light), n_dot_l.y, n_dot_v) + room;
    if HAS_FILE_LIGHTS {
        for (var index = 0u; index < frame.file_light_count; index++) {
            let file_light = frame.file_lights[index];
            let arrives = arriving(file_light, in_world);
            scattered += file_light.radiance * arrives.w * fibres(dot(mirrored, arrives.xyz), dot(normal, arrives.xyz), n_dot_v);
        }
    }
    let color = material.sheen_color;
    let left = 1.0 - 0.157 * max(color.r, max(color.g, color.b));
    return Lit(light.body * left, light.mirrored * left + color * scattered);
}

fn with_clearcoat(light: Lit, sampled: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f, key_light: vec3f, n_dot_l: vec3f) -> Lit {
    let varnish = MaterialSample(
        vec4f(), vec3f(), material.coat_roughness, vec3f(1.0), 0.0, sampled.occlusion, 1.0);
    let grazing = 1.0 - saturate(dot(normal, to_eye));
    let grazing_squared = grazing * grazing;
    let left = 1.0 - material.coat * (0.04 + 0.96 * grazing_squared * grazing_squared * grazing);
    var shine = gloss(varnish, normal, to_eye, key_light, n_dot_l);
    if HAS_FILE_LIGHTS {
        shine += light_from_file(varnish, vec3f(), in_world, normal, to_eye).mirrored;
    }
    return Lit(light.body * left, light.mirrored * left + material.coat * shine);
}
