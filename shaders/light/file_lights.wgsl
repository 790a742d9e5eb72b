// The lights of the head's own file, in the place of key, fill and rim. They cast no shadows.

// Whether the head has any: others pay nothing.
override HAS_FILE_LIGHTS: bool = false;

// Unit towards the lamp, and what of its light arrives.
fn arriving(file_light: FileLight, in_world: vec3f) -> vec4f {
    if file_light.is_far == 1u {
        return vec4f(-file_light.direction, 1.0);
    }
    let away = file_light.position - in_world;
    let distance_squared = max(dot(away, away), file_light.nearest * file_light.nearest);
    let to_lamp = away * inverseSqrt(max(dot(away, away), 1e-30));
    let reached = sqrt(distance_squared) * file_light.inverse_range;
    let end = saturate(1.0 - reached * reached * reached * reached);
    let cone = saturate(dot(-to_lamp, file_light.direction) * file_light.cone_scale + file_light.cone_offset);
    return vec4f(to_lamp, end * cone * cone / distance_squared);
}

// Diffuse as the key's, wrapped by `wrap`; highlights as the key's and the fill's.
fn light_from_file(sampled: MaterialSample, wrap: vec3f, in_world: vec3f, normal: vec3f, to_eye: vec3f) -> Lit {
    let rough = sampled.roughness;
    let keep = 1.0 / (1.0 + wrap);
    let roughness = clamp(rough, 0.22, 1.0);
    let alpha_squared = roughness * roughness * roughness * roughness;
    let mirrored = reflect(-to_eye, normal);
    let f0 = mirrored_head_on(sampled);
    let scattered = sampled.color.rgb * (1.0 - sampled.metallic);
    var light = Lit(vec3f(), vec3f());
    for (var index = 0u; index < frame.file_light_count; index++) {
        let file_light = frame.file_lights[index];
        let arrives = arriving(file_light, in_world);
        let radiance = file_light.radiance * arrives.w;
        let n_dot_l = dot(normal, arrives.xyz);
        light.body += scattered * radiance * saturate((n_dot_l + wrap) * keep * keep);
        if !MATTE {
            let mirrored_dot_l = dot(mirrored, arrives.xyz);
            var shine = highlight(mirrored_dot_l, dot(to_eye, arrives.xyz), alpha_squared, roughness) * saturate(n_dot_l);
            if WET {
                shine += 14.0 * (1.0 - smoothstep(0.1, 0.22, rough)) * soft_box(mirrored_dot_l);
            }
            light.mirrored += frame.gloss * f0 * radiance * shine;
        }
    }
    return light;
}
