// The layers over a surface: sheen (KHR_materials_sheen) and clearcoat (KHR_materials_clearcoat).

override SHEEN: bool = false;
override CLEARCOAT: bool = false;

// Reflection by upright fibres (A. Estevez and C. Kulla, "Production friendly microfacet sheen BRDF", 2017), relative
// to Lambert without 1/pi, with the visibility term of Neubelt and Pettineo, 2013. The half vector is not computed: (n.h)^2
// is about (1 + r.l) / 2.
fn sheen_reflection(reflected_dot_l: f32, n_dot_l: f32, n_dot_v: f32) -> f32 {
    let roughness = max(material.sheen_roughness, 0.07);
    let sharpness = 1.0 / (roughness * roughness);
    let sine_squared = max(0.5 - 0.5 * reflected_dot_l, 0.0078125);
    let spread = (2.0 + sharpness) * pow(sine_squared, 0.5 * sharpness) * 0.5;
    let lit = saturate(n_dot_l);
    return lit * spread / (4.0 * max(lit + n_dot_v - lit * n_dot_v, 1e-3));
}

// `n_dot_l`: of key, fill and rim.
fn with_sheen(light: Reflected, sampled: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f, key_light: vec3f, n_dot_l: vec3f) -> Reflected {
    let n_dot_v = saturate(dot(normal, to_eye));
    let reflected = reflect(-to_eye, normal);
    let grazing = 1.0 - n_dot_v;
    let ambient = sampled.occlusion * mix(frame.ground, frame.sky, normal.y * 0.5 + 0.5) * (grazing * grazing * 0.6 + 0.05);
    var scattered = key_light * sheen_reflection(dot(reflected, frame.key.direction_to_light), n_dot_l.x, n_dot_v)
        + frame.fill.radiance * sheen_reflection(dot(reflected, frame.fill.direction_to_light), n_dot_l.y, n_dot_v) + ambient;
    if HAS_FILE_LIGHTS {
        for (var index = 0u; index < frame.file_light_count; index++) {
            let file_light = frame.file_lights[index];
            let arrives = arriving(file_light, in_world);
            let reflection = sheen_reflection(dot(reflected, arrives.xyz), dot(normal, arrives.xyz), n_dot_v);
            scattered += file_light.radiance * arrives.w * reflection;
        }
    }
    let color = material.sheen_color;
    // The fraction of the light that passes through the fibres. 0.157 is the mean reflectance of the sheen, as in three.js.
    let left = 1.0 - 0.157 * max(color.r, max(color.g, color.b));
    return Reflected(light.scattered * left, light.diffuse * left, light.specular * left + color * scattered);
}

// `n_dot_l`: of key, fill and rim.
fn with_clearcoat(light: Reflected, sampled: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f, key_light: vec3f, n_dot_l: vec3f) -> Reflected {
    let coat = MaterialSample(
        vec4f(), vec3f(), material.coat_roughness, vec3f(1.0), 0.0, sampled.occlusion, 1.0);
    let grazing = 1.0 - saturate(dot(normal, to_eye));
    let grazing_squared = grazing * grazing;
    // The light that the coat reflects (Schlick's Fresnel term) does not reach the surface below it.
    let left = 1.0 - material.coat * (0.04 + 0.96 * grazing_squared * grazing_squared * grazing);
    var shine = specular_light(coat, normal, to_eye, key_light, n_dot_l);
    if HAS_FILE_LIGHTS {
        shine += light_from_file(coat, vec3f(), in_world, normal, to_eye).specular;
    }
    return Reflected(light.scattered * left, light.diffuse * left, light.specular * left + material.coat * shine);
}
