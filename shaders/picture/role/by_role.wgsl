// Shading by role: each kind of surface has its own file, and everything else is shaded by its material alone.

// What a fragment hides; see `Shaded`.
struct Hidden {
    alpha: f32,
    coverage: f32,
}

// Shades a fragment with what is sampled at it. `at_rest`: in millimetres; on an eye it is that of the iris which is seen. `normal` and
// `to_eye` have unit length.
fn shaded_by_role(
    from_material: MaterialSample,
    fragment: Unlit,
    at_rest: vec3f,
    own_normal: vec3f,
    to_eye: vec3f,
    steps: Steps,
    hidden: Hidden,
) -> Shaded {
    var sampled = from_material;
    var normal = own_normal;
    let in_world = fragment.in_world;
    let ambient_occlusion = fragment.ambient_occlusion;
    if ROLE == ROLE_CORNEA {
        // It hides nothing, and reflects as a whole.
        return Shaded(shade_cornea(sampled, in_world, normal, to_eye, ambient_occlusion), vec3f(), 0.0, 1.0);
    }
    if ROLE == ROLE_EYE {
        let color = eye_color(sampled.color.rgb, on_eye(at_rest)) * outside_of_eye(fragment.at_rest, steps);
        sampled.color = vec4f(color, sampled.color.a);
        let light = shade_eye(sampled, in_world, normal, to_eye, fragment.at_rest, steps, ambient_occlusion);
        return Shaded(light, sampled.color.rgb, hidden.alpha, hidden.coverage);
    }
    var slow = fragment.slow;
    if ROLE == ROLE_HAIR {
        if !BY_VERTEX {
            slow.studio = studio_diffuse(normal);
        }
        let streaks = streaks_at(at_rest, fragment.uvs.xy, normal, steps);
        sampled.color = vec4f(sampled.color.rgb * streaks.shade, sampled.color.a);
        let strand = strand_on_surface(normal, steps);
        let light = shade_hair(sampled, in_world, strand, normal, to_eye, 0.07 * streaks.shift, slow.studio, ambient_occlusion);
        return Shaded(light, sampled.color.rgb, hidden.alpha, hidden.coverage);
    }
    if ROLE == ROLE_SKIN {
        if !BY_VERTEX {
            slow.gloss = skin_gloss(at_rest);
        }
        let skin = skin_at(sampled, normal, to_eye, at_rest, slow.gloss, steps);
        normal = skin.normal;
        sampled.roughness = skin.roughness;
        sampled.color = vec4f(sampled.color.rgb * skin.tint, sampled.color.a);
    }
    if ROLE == ROLE_TEETH {
        sampled = tooth(sampled, ambient_occlusion);
    }
    if ROLE == ROLE_TONGUE {
        sampled = tongue(sampled, ambient_occlusion);
    }
    if ROLE == ROLE_SKIN || ROLE == ROLE_TEETH || ROLE == ROLE_TONGUE {
        sampled.roughness = roughness_over_pixel(sampled.roughness, normal);
    }
    if !BY_VERTEX {
        slow.studio = studio_diffuse(normal);
    }
    let light = shade(sampled, in_world, normal, to_eye, slow, ambient_occlusion);
    return Shaded(light, sampled.color.rgb, hidden.alpha, hidden.coverage);
}
