// Reflection at a surface: highlights of light sources, and the reflected studio.

// Reflects the light sources as sharp patches, as an eye does; for roughness below WET_ROUGHNESS.
override WET: bool = false;

// `Finish` in `render/surface/kind.rs` has the same two constants.
const WET_ROUGHNESS: f32 = 0.22;
const MATTE_ROUGHNESS: f32 = 0.85;
const DIELECTRIC_F0: f32 = 0.032;

// Skin has a sharp and a broad lobe (E. d'Eon and D. Luebke, "Advanced techniques for realistic real-time skin rendering",
// 2007): factors of the roughness, and the part of the light that the sharp lobe reflects.
const SHARP_LOBE: f32 = 0.72;
const BROAD_LOBE: f32 = 1.3;
const SHARP_PART: f32 = 0.45;

// 0..1: a factor of the dielectric reflection, which fades to 0 towards MATTE_ROUGHNESS. Skin always reflects: files often leave
// its roughness at 1.
fn reflection_strength(sampled: MaterialSample) -> f32 {
    let specular = mix(sampled.specular, 1.0, sampled.metallic);
    if ROLE == ROLE_SKIN {
        return specular;
    }
    return specular * (1.0 - smoothstep(0.6, MATTE_ROUGHNESS, sampled.roughness));
}

// The fraction of the light that is reflected at normal incidence (F0).
fn reflectance_head_on(sampled: MaterialSample) -> vec3f {
    let dielectric = min(DIELECTRIC_F0 * reflection_strength(sampled) * sampled.specular_color, vec3f(1.0));
    return mix(dielectric, sampled.color.rgb, sampled.metallic);
}

// GGX with the visibility term of correlated Smith shadowing (B. Walter and others, "Microfacet models for refraction through
// rough surfaces", 2007; the visibility without roots by E. Hammon, "PBR diffuse lighting for GGX+Smith microsurfaces", 2017),
// times pi. `alpha` is the square of the roughness.
fn ggx(n_dot_h: f32, n_dot_l: f32, n_dot_v: f32, alpha: f32) -> f32 {
    let alpha_squared = alpha * alpha;
    let d = n_dot_h * n_dot_h * (alpha_squared - 1.0) + 1.0;
    let v = mix(2.0 * n_dot_l * n_dot_v, n_dot_l + n_dot_v, alpha);
    return 0.5 * alpha_squared / max(d * d * v, 1e-6);
}

// The light that a surface reflects of a light source in the direction `to_light`, per light of the source.
fn highlight(f0: vec3f, strength: f32, roughness: f32, normal: vec3f, to_eye: vec3f, to_light: vec3f) -> vec3f {
    // The vector half-way is not computed: its products follow from those of the directions.
    let v_dot_l = dot(to_eye, to_light);
    let n_dot_light = dot(normal, to_light);
    let n_dot_eye = dot(normal, to_eye);
    let per_length = inverseSqrt(max(2.0 + 2.0 * v_dot_l, 1e-4));
    let n_dot_h = saturate((n_dot_light + n_dot_eye) * per_length);
    let n_dot_l = saturate(n_dot_light);
    let n_dot_v = max(n_dot_eye, 0.02);
    // Schlick's Fresnel term.
    let grazing = 1.0 - saturate((1.0 + v_dot_l) * per_length);
    let grazing_squared = grazing * grazing;
    let fresnel = mix(f0, vec3f(strength), grazing_squared * grazing_squared * grazing);
    var lobe = 0.0;
    if ROLE == ROLE_SKIN {
        let sharp = roughness * SHARP_LOBE;
        let broad = min(roughness * BROAD_LOBE, 1.0);
        lobe = SHARP_PART * ggx(n_dot_h, n_dot_l, n_dot_v, sharp * sharp)
            + (1.0 - SHARP_PART) * ggx(n_dot_h, n_dot_l, n_dot_v, broad * broad);
    } else {
        lobe = ggx(n_dot_h, n_dot_l, n_dot_v, roughness * roughness);
    }
    return fresnel * (lobe * n_dot_l);
}

// The mirror image of a light source in a wet surface, per light of the source: a light source is a studio soft box and not a point,
// and its reflection is a sharp patch, as the catchlight of an eye. `cosine`: of the angle between the reflection and the light.
fn light_source_patch(cosine: f32, lobe: vec2f) -> f32 {
    return widened_panel(cosine, SOURCE_COS_RADIUS, SOURCE_SIN_RADIUS, lobe) / (SOURCE_SIN_RADIUS * SOURCE_SIN_RADIUS);
}

// The fraction that a surface reflects of light that is the same from everywhere: f0 * x + y (B. Karis, "Physically based
// shading on mobile", 2014).
fn reflected_share(roughness: f32, n_dot_v: f32) -> vec2f {
    let r = roughness * vec4f(-1.0, -0.0275, -0.572, 0.022) + vec4f(1.0, 0.0425, 1.04, -0.04);
    let a = min(r.x * r.x, exp2(-9.28 * n_dot_v)) * r.x + r.y;
    return saturate(vec2f(-1.04, 1.04) * a + r.zw);
}

// The roughness with which a surface is shaded.
fn shaded_roughness(sampled: MaterialSample) -> f32 {
    if ROLE == ROLE_SKIN {
        return min(sampled.roughness, 0.62);
    }
    return clamp(sampled.roughness, 0.05, 1.0);
}

// 0..1: the part of the light from `direction` that the head as a whole lets through: nothing arrives from behind the head. The
// head is taken for a ball.
fn clear_of_head(in_world: vec3f, direction: vec3f) -> f32 {
    let outwards = in_world - frame.head_center;
    return saturate(1.0 + 1.6 * dot(outwards, direction) * inverseSqrt(max(dot(outwards, outwards), 1e-12)));
}

// xyz: the mean radiance that a lobe of reflection around `reflected` receives from the studio; w: see `clear_of_head`.
fn mirrored_studio(in_world: vec3f, reflected: vec3f, roughness: f32) -> vec4f {
    return vec4f(studio_specular(reflected, roughness * roughness), clear_of_head(in_world, reflected));
}

// What a surface reflects of key and studio.
struct SurfaceReflection {
    light: vec3f,
    // The fraction of the light that is reflected at the surface, and so does not enter it.
    share: f32,
}

// `key_light`: the light of the key that arrives; `ambient_occlusion` 0..1: the part of the light of the studio that arrives.
fn surface_reflection(
    sampled: MaterialSample,
    in_world: vec3f,
    normal: vec3f,
    to_eye: vec3f,
    key_light: vec3f,
    ambient_occlusion: f32,
    slow: Slow,
) -> SurfaceReflection {
    let roughness = shaded_roughness(sampled);
    let strength = reflection_strength(sampled);
    let f0 = reflectance_head_on(sampled);
    let reflected = reflect(-to_eye, normal);
    var from_key = highlight(f0, strength, max(roughness, WET_ROUGHNESS), normal, to_eye, frame.key.direction_to_light);
    if WET && ROLE != ROLE_SKIN {
        let patch_of_key = f0 * light_source_patch(dot(reflected, frame.key.direction_to_light), lobe_of(roughness * roughness));
        from_key = mix(from_key, patch_of_key, 1.0 - smoothstep(0.1, WET_ROUGHNESS, roughness));
    }
    let share = reflected_share(roughness, saturate(dot(normal, to_eye)));
    let of_studio = f0 * share.x + strength * share.y;
    var mirrored = slow.mirrored;
    if !MIRRORS_BY_VERTEX {
        mirrored = mirrored_studio(in_world, reflected, roughness);
    }
    let from_studio = mirrored.rgb * of_studio;
    // Where light is blocked by the head as a whole, the few directions of a refined picture say so too, but not without noise.
    let arrives = ambient_occlusion * mirrored.w;
    let light = frame.gloss * (key_light * from_key + from_studio * arrives);
    return SurfaceReflection(light, saturate(frame.gloss * max(of_studio.r, max(of_studio.g, of_studio.b))));
}
