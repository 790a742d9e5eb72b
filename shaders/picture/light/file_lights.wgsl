// The lights of the head's file, which replace key, fill and rim. They cast no shadows.

// Whether the head's file has lights. The pipelines of other heads are built without this code.
override HAS_FILE_LIGHTS: bool = false;

// xyz: the unit direction towards the light; w: the fraction of its radiance that arrives (KHR_lights_punctual, range and
// cone).
fn arriving(file_light: FileLight, in_world: vec3f) -> vec4f {
    let away = file_light.position - in_world;
    let distance_squared = max(dot(away, away), file_light.nearest * file_light.nearest);
    let to_light = away * inverseSqrt(max(dot(away, away), 1e-30));
    let reached = sqrt(distance_squared) * file_light.inverse_range;
    let end = saturate(1.0 - reached * reached * reached * reached);
    let cone = saturate(dot(-to_light, file_light.direction) * file_light.cone_scale + file_light.cone_offset);
    let from_position = vec4f(to_light, end * cone * cone / distance_squared);
    // No branch: see frame.wgsl.
    return select(from_position, vec4f(-file_light.direction, 1.0), file_light.is_directional == 1u);
}

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
