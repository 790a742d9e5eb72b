// Shading: the key light and its shadow, and the studio. Light is measured so that a radiance of 1 from everywhere lights white
// paper to 1; functions of reflection are therefore multiplied with pi.

// Has no highlights, like cloth and chalk; for roughness of MATTE_ROUGHNESS and above.
override MATTE: bool = false;

// The angular radius of a light source, 0.17.
const SOURCE_COS_RADIUS: f32 = 0.985585;
const SOURCE_SIN_RADIUS: f32 = 0.169182;

// The light that leaves the surface towards the eye.
struct Reflected {
    // The light that is scattered within skin, before it is multiplied with the colour of the surface: irradiance over pi. It is
    // black for everything else. It is kept apart, because it leaves the skin at some distance from where it arrived.
    scattered: vec3f,
    // All other light that leaves the surface diffusely, with its colour, and the light that it emits.
    diffuse: vec3f,
    // The light that is reflected at the surface.
    specular: vec3f,
}

// The sine of the angle around the horizon of a surface over which a light source sets: that of its radius, and for skin more,
// because light spreads in it from the lit side, red light furthest.
fn light_spread() -> vec3f {
    if ROLE == ROLE_SKIN {
        return vec3f(SOURCE_SIN_RADIUS) + vec3f(0.26, 0.15, 0.09) * frame.softness;
    }
    return vec3f(SOURCE_SIN_RADIUS);
}

// Lambert's cosine for a light source that sets over `spread` around the horizon.
fn soft_cosine(cosine: f32, spread: vec3f) -> vec3f {
    let above = clamp(cosine + spread, vec3f(), 2.0 * spread);
    return above * above * 0.25 / spread + max(cosine - spread, vec3f());
}

// The colour that flesh gives to light which it reflects once, and that which light between teeth and flesh has.
const FLESH: vec3f = vec3f(0.68, 0.5, 0.44);
const TEETH_AND_FLESH: vec3f = vec3f(0.82, 0.71, 0.64);

// The light that flesh around a point reflects to it, irradiance over pi, where the point is not open to the studio: between lids and
// in the mouth it is most of the light there is. `open` 0..1: the part of the dome around the point that nothing blocks. The deeper a
// point lies, the darker is the flesh around it, and most of all where nothing is open.
fn light_from_flesh(open: f32) -> vec3f {
    let around = frame.studio_sh[0].rgb + 0.3 * frame.key.radiance;
    var least = 0.35;
    if ROLE == ROLE_TONGUE {
        // The walls of a mouth light each other.
        least = 0.7;
    }
    let depth = least + (1.0 - least) * smoothstep(0.0, 0.04, open);
    var color = FLESH;
    if ROLE == ROLE_TEETH {
        color = TEETH_AND_FLESH;
    }
    return color * around * ((1.0 - open) * (0.3 + 0.4 * open) * depth);
}

// Whether the samples of a picture find the light of the studio that arrives. In the mouth most of it comes by way of other flesh, and
// hairs are finer than the maps; for them, ambient occlusion tells how much arrives.
override IS_IN_THE_OPEN: bool = ROLE != ROLE_LASH && ROLE != ROLE_TEETH && ROLE != ROLE_TONGUE;

// The part of the key that reaches teeth in the shadow of a lip, through the teeth beside them and from the lips, where nothing blocks
// that: enamel lets most light in, and spreads it over some millimetres.
const THROUGH_TEETH: f32 = 0.5;

// The light from a point of a surface towards the eye. `slow.studio` is also set if not BY_VERTEX. `ambient_occlusion` 0..1: the part of the dome
// around the point that nothing blocks.
fn shade(sampled: MaterialSample, in_world: vec3f, normal: vec3f, to_eye: vec3f, slow: Slow, ambient_occlusion: f32) -> Reflected {
    // Both numbers describe the same light that does not arrive: a map that is baked into the material, and the shape of the head.
    // The darker of them counts (glTF 2.0 §3.9.3: occlusion does not reduce direct light).
    var open = min(sampled.occlusion, ambient_occlusion);
    if ROLE == ROLE_LASH {
        // Hairs have their roots within the skin, and light comes between them.
        open = max(open, 0.5);
    }
    // What the map blocks beyond the shape, where the samples of a picture find what the shape blocks.
    let open_in_map = saturate(sampled.occlusion / max(ambient_occlusion, 1e-3));
    // What the shadow leaves of the key is light that the surroundings reflect, so it is less in narrow places.
    let key_dot = dot(normal, frame.key.direction_to_light);
    var lit = 0.0;
    if BY_VERTEX {
        lit = smooth_visibility(slow.in_shadow_map);
    } else {
        lit = key_visibility(in_world, normal);
    }
    var reflected = 1.0 - frame.key.shadow;
    if ROLE == ROLE_TEETH {
        reflected = max(reflected, THROUGH_TEETH);
    }
    let visibility = mix(reflected * ambient_occlusion, 1.0, lit);
    let spread = light_spread();
    var arrives_through = vec3f(visibility);
    if ROLE == ROLE_SKIN {
        arrives_through.r = mix(visibility, sqrt(visibility), 0.25 * frame.softness);
    }
    let key = frame.key.radiance * soft_cosine(key_dot, spread) * arrives_through;
    var studio = slow.studio;
    if REFINED && IS_IN_THE_OPEN {
        // What arrives deep in a narrow place is so much less than what is blocked that it would be lost in the noise of the few
        // directions; ambient occlusion tells it without noise.
        let found = found_studio_light(in_world, normal, studio) * open_in_map;
        studio = mix(studio * open, found, smoothstep(0.15, 0.5, ambient_occlusion));
    } else {
        studio *= open;
    }
    var irradiance = key + studio;
    if ROLE == ROLE_SKIN || ROLE == ROLE_TEETH || ROLE == ROLE_TONGUE {
        irradiance += light_from_flesh(ambient_occlusion);
    }
    if REFINED && ROLE == ROLE_SKIN {
        // Between lids and in nostrils, the maps take the air before a point for skin.
        irradiance += light_through_skin(in_world, normal) * smoothstep(0.2, 0.6, ambient_occlusion);
    }
    var light = Reflected(vec3f(), vec3f(), vec3f());
    if HAS_FILE_LIGHTS {
        let from_file = light_from_file(sampled, spread, in_world, normal, to_eye);
        irradiance += from_file.irradiance;
        light.specular = from_file.specular;
    }
    if !MATTE || ROLE == ROLE_SKIN {
        var mirror_open = open;
        if REFINED && IS_IN_THE_OPEN {
            mirror_open = open_in_map * mirror_visibility(in_world, normal, reflect(-to_eye, normal));
        }
        let reflection = surface_reflection(sampled, in_world, normal, to_eye, frame.key.radiance * visibility, mirror_open, slow);
        light.specular += reflection.light;
        irradiance *= 1.0 - reflection.share;
    }
    if REFINED && ROLE == ROLE_SKIN {
        light.scattered = irradiance * (1.0 - sampled.metallic);
    } else {
        light.diffuse = sampled.color.rgb * irradiance * (1.0 - sampled.metallic);
    }
    if SHEEN {
        light = with_sheen(light, in_world, normal, to_eye, frame.key.radiance * visibility, open);
    }
    light.diffuse += sampled.emissive;
    if CLEARCOAT {
        light = with_clearcoat(light, in_world, normal, to_eye, frame.key.radiance * visibility, open);
    }
    return light;
}
