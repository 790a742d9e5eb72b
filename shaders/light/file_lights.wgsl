// The lights of the head's file, which replace key, fill and rim. They cast no shadows.

// Whether the head's file has lights. The pipelines of other heads are built without this code.
override HAS_FILE_LIGHTS: bool = false;

// xyz: the unit direction towards the light; w: the fraction of its radiance that arrives (KHR_lights_punctual, range and
// cone).
fn arriving(file_light: FileLight, in_world: vec3f) -> vec4f {
    if file_light.is_directional == 1u {
        return vec4f(-file_light.direction, 1.0);
    }
    let away = file_light.position - in_world;
    let distance_squared = max(dot(away, away), file_light.nearest * file_light.nearest);
    let to_light = away * inverseSqrt(max(dot(away, away), 1e-30));
    let reached = sqrt(distance_squared) * file_light.inverse_range;
    let end = saturate(1.0 - reached * reached * reached * reached);
    let cone = saturate(dot(-to_light, file_light.direction) * file_light.cone_scale + file_light.cone_offset);
    return vec4f(to_light, end * cone * cone / distance_squared);
}

// The diffuse light is computed like that of the key, wrapped around the surface by `wrap`, and the highlights like those of key
// and fill.
fn light_from_file(sampled: MaterialSample, wrap: vec3f, in_world: vec3f, normal: vec3f, to_eye: vec3f) -> Reflected {
    let rough = sampled.roughness;
    let keep = 1.0 / (1.0 + wrap);
    let roughness = clamp(rough, WET_ROUGHNESS, 1.0);
    let alpha_squared = roughness * roughness * roughness * roughness;
    let reflected = reflect(-to_eye, normal);
    let f0 = reflectance_head_on(sampled);
    let scattered = sampled.color.rgb * (1.0 - sampled.metallic);
    var light = Reflected(vec3f(), vec3f(), vec3f());
    for (var index = 0u; index < frame.file_light_count; index++) {
        let file_light = frame.file_lights[index];
        let arrives = arriving(file_light, in_world);
        let radiance = file_light.radiance * arrives.w;
        let n_dot_l = dot(normal, arrives.xyz);
        light.diffuse += scattered * radiance * saturate((n_dot_l + wrap) * keep * keep);
        if !MATTE {
            let reflected_dot_l = dot(reflected, arrives.xyz);
            var shine = highlight(reflected_dot_l, dot(to_eye, arrives.xyz), alpha_squared, roughness) * saturate(n_dot_l);
            if WET {
                shine += 14.0 * (1.0 - smoothstep(0.1, WET_ROUGHNESS, rough)) * soft_box(reflected_dot_l);
            }
            light.specular += frame.gloss * f0 * radiance * shine;
        }
    }
    return light;
}
