// The lights of the head's own file, in the place of key, fill and rim. They cast no shadows.

// Whether the head has any: others pay nothing.
override LAMPS: bool = false;

// Unit towards the lamp, and what of its light arrives.
fn arriving(lamp: Lamp, in_world: vec3f) -> vec4f {
    if lamp.is_far == 1u {
        return vec4f(-lamp.direction, 1.0);
    }
    let away = lamp.position - in_world;
    let distance_squared = max(dot(away, away), lamp.nearest * lamp.nearest);
    let to_lamp = away * inverseSqrt(max(dot(away, away), 1e-30));
    let reached = sqrt(distance_squared) * lamp.inverse_range;
    let end = saturate(1.0 - reached * reached * reached * reached);
    let cone = saturate(dot(-to_lamp, lamp.direction) * lamp.cone_scale + lamp.cone_offset);
    return vec4f(to_lamp, end * cone * cone / distance_squared);
}

// Diffuse as the key's, wrapped by `wrap`; highlights as the key's and the fill's.
fn lamplight(matter: Matter, wrap: vec3f, in_world: vec3f, normal: vec3f, to_eye: vec3f) -> Lit {
    let rough = matter.roughness;
    let keep = 1.0 / (1.0 + wrap);
    let roughness = clamp(rough, 0.22, 1.0);
    let alpha_squared = roughness * roughness * roughness * roughness;
    let mirrored = reflect(-to_eye, normal);
    let f0 = mirrored_head_on(matter);
    let scattered = matter.color.rgb * (1.0 - matter.metallic);
    var light = Lit(vec3f(), vec3f());
    for (var index = 0u; index < frame.lamp_count; index++) {
        let lamp = frame.lamps[index];
        let arrives = arriving(lamp, in_world);
        let radiance = lamp.radiance * arrives.w;
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
