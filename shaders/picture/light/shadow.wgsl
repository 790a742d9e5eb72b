// The shadow of the key light.

// The distance in texels at which points are lifted above the surface, so that no texel that is read shows the surface itself.
const LIFT: f32 = 2.5;

// The fraction 0..1 of texels around a place (see `place_in_shadow_map`) that are not before it, weighted by a cubic B-spline 4 texels wide, whose edge has
// no steps. Four reads suffice, because each gives the mean of 2x2 comparisons (C. Sigg and M. Hadwiger, "Fast third-order
// texture filtering", 2005).
fn smooth_visibility(place: vec3f) -> f32 {
    let uv = place.xy;
    let depth = place.z;
    let size = vec2f(textureDimensions(shadow_map));
    let at = uv * size - 0.5;
    let f = fract(at);
    let g = 1.0 - f;
    let outer_before = g * g * g * (1.0 / 6.0);
    let outer_after = f * f * f * (1.0 / 6.0);
    let after = outer_after + (2.0 / 3.0) - g * g + 0.5 * g * g * g;
    let before = 1.0 - after;
    let texel = 1.0 / size;
    let first = (at - f - 0.5 + (before - outer_before) / before) * texel;
    let second = (at - f + 1.5 + outer_after / after) * texel;
    let lower = before.x * textureSampleCompareLevel(shadow_map, shadow_sampler, first, depth)
        + after.x * textureSampleCompareLevel(shadow_map, shadow_sampler, vec2f(second.x, first.y), depth);
    let upper = before.x * textureSampleCompareLevel(shadow_map, shadow_sampler, vec2f(first.x, second.y), depth)
        + after.x * textureSampleCompareLevel(shadow_map, shadow_sampler, second, depth);
    return before.y * lower + after.y * upper;
}

// How far towards the light nothing is taken for a blocker. Light that enters skin beside the edge of its own shadow still leaves
// it behind that edge, so what the skin itself blocks within some millimetres does not count. `key_dot`: normal · direction to the
// key.
fn depth_of_skin(key_dot: f32) -> f32 {
    if ROLE == ROLE_SKIN {
        return clamp(13.0 - 108.0 * key_dot, 0.0, 43.0) / frame.millimetres_per_unit;
    }
    return 0.0;
}

// Where the shadow map is read for a point of a surface in a preview: its texture coordinates, and the depth there.
fn place_in_shadow_map(in_world: vec3f, normal: vec3f) -> vec3f {
    let away = depth_of_skin(dot(normal, frame.key.direction_to_light));
    let lifted = in_world + normal * (frame.shadow_texel * LIFT) + frame.key.direction_to_light * (away + frame.shadow_slack);
    let in_map = (frame.shadow_from_world * vec4f(lifted, 1.0)).xyz;
    return vec3f(in_map.xy * vec2f(0.5, -0.5) + 0.5, in_map.z);
}

// 1 where the key light arrives, 0 where something is before it.
fn key_visibility(in_world: vec3f, normal: vec3f) -> f32 {
    if REFINED {
        let away = depth_of_skin(dot(normal, frame.key.direction_to_light));
        return sampled_key_visibility(in_world, normal, away);
    }
    return smooth_visibility(place_in_shadow_map(in_world, normal));
}

// Offsets in texels at which the shadow map is read in an accumulated picture.
const SHADOW_TAPS: array<vec2f, 3> = array<vec2f, 3>(vec2f(1.0, 0.0), vec2f(-1.28, 1.17), vec2f(0.2, -2.23));

// One sample of the above in an accumulated picture, where every sample has another point of the light. The few taps only smooth the edge of
// each of these shadows.
fn sampled_key_visibility(in_world: vec3f, normal: vec3f, away: f32) -> f32 {
    let lifted = lifted_towards(in_world, normal, frame.key.direction_to_light, frame.shadow_texel) + frame.key.direction_to_light * away;
    let in_map = (frame.shadow_from_world * vec4f(lifted, 1.0)).xyz;
    let uv = in_map.xy * vec2f(0.5, -0.5) + 0.5;
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var lit = 0.0;
    for (var tap = 0u; tap < 3u; tap++) {
        lit += textureSampleCompareLevel(shadow_map, shadow_sampler, uv + SHADOW_TAPS[tap] * texel, in_map.z);
    }
    return lit * (1.0 / 3.0);
}
