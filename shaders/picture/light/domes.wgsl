// The light of the studio that the head itself blocks, in an accumulated picture. Each sample of a picture has a few directions from which
// light comes, drawn by brightness, and a depth map of the head as seen from each.

// Hairs are finer than the texels of the maps: how far from them shadows begin, in millimetres, so that they do not blacken
// themselves.
const LIFT_OF_HAIR_MM: f32 = 5.0;

// The point at which a map is read for a point of the surface: lifted from the surface, so that it does not shadow itself.
fn lifted_towards(in_world: vec3f, normal: vec3f, to_light: vec3f, texel: f32) -> vec3f {
    if ROLE == ROLE_LASH || ROLE == ROLE_HAIR {
        return in_world + to_light * (texel + LIFT_OF_HAIR_MM / frame.millimetres_per_unit);
    }
    return in_world + normal * (texel * 1.5) + to_light * texel;
}

// 1 where light from that direction arrives, 0 where something is before it.
fn dome_visibility(index: u32, in_world: vec3f, normal: vec3f) -> f32 {
    let dome = frame.domes[index];
    let lifted = lifted_towards(in_world, normal, dome.direction_to_light, dome.texel);
    let in_map = (dome.map_from_world * vec4f(lifted, 1.0)).xyz;
    let uv = in_map.xy * vec2f(0.5, -0.5) + 0.5;
    return textureSampleCompareLevel(dome_maps, shadow_sampler, uv, index, in_map.z);
}

// The part of the studio's diffuse light `studio` that arrives, irradiance over pi, on average over the samples of a picture: what is
// blocked is subtracted (a control variate: what is not blocked has no noise). Some normals are given more than their share by the few
// directions of a picture, and others less. What is blocked is corrected by that, so that nothing is left where everything is blocked.
fn found_studio_light(in_world: vec3f, normal: vec3f, studio: vec3f) -> vec3f {
    let drawn = max(by_harmonics(frame.drawn_sh, normal), vec3f(1e-4));
    var blocked = vec3f();
    // Those that are not in use bring no light. The number in use would be a branch: see frame.wgsl.
    for (var index = 0u; index < DOMES; index++) {
        let dome = frame.domes[index];
        let cosine = dot(normal, dome.direction_to_light);
        if cosine > 0.0 {
            blocked += dome.irradiance * (cosine * (1.0 - dome_visibility(index, in_world, normal)));
        }
    }
    return studio - blocked * clamp(studio / drawn, vec3f(0.4), vec3f(2.5));
}

// The roughness, squared, of the lobe in which blocked light is counted: 4.5 cos^8.
const COUNTING_ALPHA: f32 = 0.35;

// The part of the studio's light around a mirror direction that arrives, on average over the samples of a picture; in a single one it
// may be negative.
fn mirror_visibility(in_world: vec3f, normal: vec3f, reflected: vec3f) -> f32 {
    let brightness = vec3f(0.2126, 0.7152, 0.0722);
    var blocked = 0.0;
    for (var index = 0u; index < frame.dome_count; index++) {
        let dome = frame.domes[index];
        let near = saturate(dot(reflected, dome.direction_to_light));
        if near > 0.3 && dot(normal, dome.direction_to_light) > 0.0 {
            let squared = near * near;
            let counts = 4.5 * squared * squared * squared * squared;
            blocked += dot(dome.irradiance, brightness) * counts * (1.0 - dome_visibility(index, in_world, normal));
        }
    }
    return 1.0 - blocked / max(dot(studio_specular(reflected, COUNTING_ALPHA), brightness), 1e-4);
}

// The fraction of light that comes through skin of a thickness in millimetres (J. Jimenez and others, "Real-time realistic skin
// translucency", 2010).
fn transmittance(thickness: f32) -> vec3f {
    let squared = -thickness * thickness;
    return vec3f(0.233, 0.455, 0.649) * exp(squared / 0.0064)
        + vec3f(0.1, 0.336, 0.344) * exp(squared / 0.0484)
        + vec3f(0.118, 0.198, 0.0) * exp(squared / 0.187)
        + vec3f(0.113, 0.007, 0.007) * exp(squared / 0.567)
        + vec3f(0.358, 0.004, 0.0) * exp(squared / 1.99)
        + vec3f(0.078, 0.0, 0.0) * exp(squared / 7.41);
}

// A factor of thicknesses: skin is clearer than the profile says, because thin parts of a head are mostly cartilage.
const CLEARNESS: f32 = 0.45;

// The part of the light from one direction that comes through to the other side. `first`: the depth at which the head begins,
// `depth`: that of the point, `range`: the world distance of depths 0 and 1.
fn through(normal: vec3f, to_light: vec3f, first: f32, depth: f32, range: f32) -> vec3f {
    let thickness = max(depth - first, 0.0) * range * frame.millimetres_per_unit;
    // Where the light meets the point's own surface first, the mesh is an open shell, and nothing is known of its thickness.
    let is_solid = smoothstep(0.2, 1.5, thickness);
    return saturate(-0.15 - dot(normal, to_light)) * is_solid * transmittance(max(thickness, 1.0) * CLEARNESS);
}

// The light that comes through thin parts of skin, as ears, from behind; irradiance over pi.
fn light_through_skin(in_world: vec3f, normal: vec3f) -> vec3f {
    var light = vec3f();
    for (var index = 0u; index < frame.dome_count; index++) {
        let dome = frame.domes[index];
        if dot(normal, dome.direction_to_light) < -0.15 {
            let in_map = (dome.map_from_world * vec4f(in_world - normal * dome.texel, 1.0)).xyz;
            let texel = vec2i((in_map.xy * vec2f(0.5, -0.5) + 0.5) * vec2f(textureDimensions(dome_maps)));
            let first = textureLoad(dome_maps, texel, index, 0);
            light += dome.irradiance * through(normal, dome.direction_to_light, first, in_map.z, dome.depth_range);
        }
    }
    let to_key = frame.key.direction_to_light;
    if dot(normal, to_key) < -0.15 {
        let in_map = (frame.shadow_from_world * vec4f(in_world - normal * frame.shadow_texel, 1.0)).xyz;
        let size = vec2f(textureDimensions(shadow_map));
        let first = textureLoad(shadow_map, vec2i((in_map.xy * vec2f(0.5, -0.5) + 0.5) * size), 0);
        light += frame.key.radiance * through(normal, to_key, first, in_map.z, frame.shadow_texel * size.x);
    }
    return light;
}
