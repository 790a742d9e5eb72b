// The light of the studio that the head itself blocks, in the resting tier. Each sample of a picture has a few directions from which
// light comes, drawn by brightness, and a depth map of the head as seen from each.

// 1 where light from that direction arrives, 0 where something is before it.
fn dome_visibility(index: u32, in_world: vec3f, normal: vec3f) -> f32 {
    let dome = frame.domes[index];
    let lifted = in_world + normal * (dome.texel * 1.5) + dome.direction_to_light * dome.texel;
    let in_map = (dome.map_from_world * vec4f(lifted, 1.0)).xyz;
    let uv = in_map.xy * vec2f(0.5, -0.5) + 0.5;
    return textureSampleCompareLevel(dome_maps, shadow_sampler, uv, index, in_map.z);
}

// What the head blocks of the diffuse light of the studio, irradiance over pi. Subtracted from `studio_diffuse`, it gives the
// light that arrives, on average over the samples of a picture (a control variate: what is not blocked has no noise).
fn blocked_studio_light(in_world: vec3f, normal: vec3f) -> vec3f {
    var blocked = vec3f();
    for (var index = 0u; index < frame.dome_count; index++) {
        let dome = frame.domes[index];
        let cosine = dot(normal, dome.direction_to_light);
        if cosine > 0.0 {
            blocked += dome.irradiance * (cosine * (1.0 - dome_visibility(index, in_world, normal)));
        }
    }
    return blocked;
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

// The light that comes through thin parts of skin, as ears, from behind; irradiance over pi.
fn light_through_skin(in_world: vec3f, normal: vec3f) -> vec3f {
    var through = vec3f();
    for (var index = 0u; index < frame.dome_count; index++) {
        let dome = frame.domes[index];
        // Light from behind; at grazing angles it arrives at the front as well.
        let cosine = saturate(0.3 - dot(normal, dome.direction_to_light));
        if cosine > 0.0 {
            let inside = in_world - normal * dome.texel;
            let in_map = (dome.map_from_world * vec4f(inside, 1.0)).xyz;
            let size = vec2f(textureDimensions(dome_maps));
            let first = textureLoad(dome_maps, vec2i((in_map.xy * vec2f(0.5, -0.5) + 0.5) * size), index, 0);
            let thickness = max(in_map.z - first, 0.0) * dome.depth_range * frame.millimetres_per_unit;
            through += dome.irradiance * (cosine * transmittance(max(thickness, 0.5)));
        }
    }
    return through;
}
