// The lights of the head's file, which replace key, fill and rim. They cast no shadows.

// The light of the file's lights at a surface.
struct FileLit {
    // Over pi, and not yet multiplied with the colour of the surface.
    irradiance: vec3f,
    specular: vec3f,
}

// Both are computed like those of the key; the diffuse light sets over `spread` around the horizon.
fn light_from_file(sampled: MaterialSample, spread: vec3f, in_world: vec3f, normal: vec3f, to_eye: vec3f) -> FileLit {
    let roughness = max(shaded_roughness(sampled), WET_ROUGHNESS);
    let strength = reflection_strength(sampled);
    let f0 = reflectance_head_on(sampled);
    let wet = 1.0 - smoothstep(0.1, WET_ROUGHNESS, sampled.roughness);
    let lobe = lobe_of(sampled.roughness * sampled.roughness);
    let reflected = reflect(-to_eye, normal);
    var light = FileLit(vec3f(), vec3f());
    for (var index = 0u; index < frame.file_light_count; index++) {
        let file_light = frame.file_lights[index];
        let arrives = arriving(file_light, in_world);
        let radiance = file_light.radiance * arrives.w;
        light.irradiance += radiance * soft_cosine(dot(normal, arrives.xyz), spread);
        if !MATTE || ROLE == ROLE_SKIN {
            var shine = highlight(f0, strength, roughness, normal, to_eye, arrives.xyz);
            if WET && ROLE != ROLE_SKIN {
                shine = mix(shine, f0 * light_source_patch(dot(reflected, arrives.xyz), lobe), wet);
            }
            light.specular += frame.gloss * radiance * shine;
        }
    }
    return light;
}
