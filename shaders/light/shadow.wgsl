// The shadow of the key light.

// Offsets in texels at which the shadow map is read: a spiral of golden angles spreads them evenly over a disc (H.
// Vogel, "A better way to construct the sunflower head", 1979).
const SHADOW_TAPS: array<vec2f, 8> = array<vec2f, 8>(
    vec2f(1.0, 0.0), vec2f(-1.28, 1.17), vec2f(0.2, -2.23), vec2f(1.61, 2.1),
    vec2f(-2.95, -0.52), vec2f(2.8, -1.78), vec2f(-0.94, 3.48), vec2f(-1.79, -3.44),
);

// 1 where the key light arrives, 0 where something is before it. The mean over a disc gives the soft edge of the shadow of a
// large light source. Each tap is itself the mean of 2x2 texels.
fn key_visibility(in_world: vec3f, normal: vec3f) -> f32 {
    if REFINED {
        return sampled_key_visibility(in_world, normal);
    }
    let lifted = in_world + normal * (frame.shadow_texel * 3.0) + frame.key.direction_to_light * frame.shadow_slack;
    let in_map = (frame.shadow_from_world * vec4f(lifted, 1.0)).xyz;
    let uv = in_map.xy * vec2f(0.5, -0.5) + 0.5;
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var lit = 0.0;
    for (var tap = 0u; tap < 8u; tap++) {
        lit += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + SHADOW_TAPS[tap] * texel, in_map.z);
    }
    return lit * 0.125;
}

// One sample of the above in the resting tier, where every sample has another point of the light. The few taps only smooth the edge of
// each of these shadows.
fn sampled_key_visibility(in_world: vec3f, normal: vec3f) -> f32 {
    let lifted = lifted_towards(in_world, normal, frame.key.direction_to_light, frame.shadow_texel);
    let in_map = (frame.shadow_from_world * vec4f(lifted, 1.0)).xyz;
    let uv = in_map.xy * vec2f(0.5, -0.5) + 0.5;
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var lit = 0.0;
    for (var tap = 0u; tap < 3u; tap++) {
        lit += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + SHADOW_TAPS[tap] * texel, in_map.z);
    }
    return lit * (1.0 / 3.0);
}
