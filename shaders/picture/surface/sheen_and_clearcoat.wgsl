// The layers over a surface: sheen (KHR_materials_sheen) and clearcoat (KHR_materials_clearcoat).

override SHEEN: bool = false;
override CLEARCOAT: bool = false;

// Reflection by upright fibres (A. Estevez and C. Kulla, "Production friendly microfacet sheen BRDF", 2017), times pi and the cosine
// of the light, with the visibility term of Neubelt and Pettineo, 2013.
fn sheen_reflection(normal: vec3f, to_eye: vec3f, to_light: vec3f) -> f32 {
    let roughness = max(material.sheen_roughness, 0.07);
    let sharpness = 1.0 / (roughness * roughness);
    let n_dot_light = dot(normal, to_light);
    let n_dot_v = saturate(dot(normal, to_eye));
    let n_dot_h = saturate((n_dot_light + n_dot_v) * inverseSqrt(max(2.0 + 2.0 * dot(to_eye, to_light), 1e-4)));
    let sine_squared = max(1.0 - n_dot_h * n_dot_h, 0.0078125);
    let spread = (2.0 + sharpness) * pow(sine_squared, 0.5 * sharpness) * 0.5;
    let n_dot_l = saturate(n_dot_light);
    return n_dot_l * spread / (4.0 * max(n_dot_l + n_dot_v - n_dot_l * n_dot_v, 1e-3));
}

// The fraction that the fibres reflect of light that is the same from everywhere: a fit to the integral of `sheen_reflection`.
fn sheen_share(n_dot_v: f32) -> f32 {
    return min(exp2((0.4 - 1.95 * n_dot_v) / max(material.sheen_roughness, 0.07) - 1.1), 1.0);
}

fn with_sheen(light: Reflected, in_world: vec3f, normal: vec3f, to_eye: vec3f, key_light: vec3f, ambient_occlusion: f32) -> Reflected {
    let share = sheen_share(saturate(dot(normal, to_eye)));
    var reflected = key_light * sheen_reflection(normal, to_eye, frame.key.direction_to_light) + studio_diffuse(normal) * (ambient_occlusion * share);
    if HAS_FILE_LIGHTS {
        for (var index = 0u; index < frame.file_light_count; index++) {
            let file_light = frame.file_lights[index];
            let arrives = arriving(file_light, in_world);
            reflected += file_light.radiance * (arrives.w * sheen_reflection(normal, to_eye, arrives.xyz));
        }
    }
    let color = material.sheen_color;
    // The fraction of the light that passes through the fibres.
    let left = 1.0 - share * max(color.r, max(color.g, color.b));
    return Reflected(light.scattered * left, light.diffuse * left, light.specular * left + color * reflected);
}

fn with_clearcoat(light: Reflected, in_world: vec3f, normal: vec3f, to_eye: vec3f, key_light: vec3f, ambient_occlusion: f32) -> Reflected {
    let coat = MaterialSample(vec4f(), vec3f(), material.coat_roughness, vec3f(1.0), 0.0, 1.0, 1.0);
    let reflection = surface_reflection(coat, in_world, normal, to_eye, key_light, ambient_occlusion, Slow());
    var shine = reflection.light;
    if HAS_FILE_LIGHTS {
        shine += light_from_file(coat, vec3f(SOURCE_SIN_RADIUS), in_world, normal, to_eye).specular;
    }
    // The light that the coat reflects does not reach the surface below it.
    let left = 1.0 - material.coat * reflection.share;
    return Reflected(light.scattered * left, light.diffuse * left, light.specular * left + material.coat * shine);
}
