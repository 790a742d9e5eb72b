// How a fragment differs from its neighbours, and what follows from it.

// The change from one pixel to that beside it, and to that below it.
struct Steps {
    across_in_world: vec3f,
    down_in_world: vec3f,
    across_at_rest: vec3f,
    down_at_rest: vec3f,
    across_uv: vec2f,
    down_uv: vec2f,
}

fn steps_of(in_world: vec3f, at_rest: vec3f, uv: vec2f) -> Steps {
    return Steps(dpdx(in_world), dpdy(in_world), dpdx(at_rest), dpdy(at_rest), dpdx(uv), dpdy(uv));
}

// World units per millimetre at rest.
fn world_per_mm(steps: Steps) -> f32 {
    let world = dot(steps.across_in_world, steps.across_in_world) + dot(steps.down_in_world, steps.down_in_world);
    let rest = dot(steps.across_at_rest, steps.across_at_rest) + dot(steps.down_at_rest, steps.down_at_rest);
    return sqrt(world / max(rest, 1e-20));
}

// The numbers of pixels across and down that lead as far along the surface as `way`: the nearest to it, where `way` leaves the
// plane of `across` and `down`.
fn pixels_along(way: vec3f, across: vec3f, down: vec3f) -> vec2f {
    let a = dot(across, across);
    let b = dot(across, down);
    let c = dot(down, down);
    let area_squared = a * c - b * b;
    let x = dot(across, way);
    let y = dot(down, way);
    return vec2f(c * x - b * y, a * y - b * x) / max(area_squared, 1e-6 * a * c + 1e-30);
}

// The numbers of pixels across and down that lead as far as `way` in the texture.
fn pixels_for_uv(way: vec2f, steps: Steps) -> vec2f {
    let area = steps.across_uv.x * steps.down_uv.y - steps.across_uv.y * steps.down_uv.x;
    let solved = vec2f(way.x * steps.down_uv.y - way.y * steps.down_uv.x, way.y * steps.across_uv.x - way.x * steps.across_uv.y);
    return solved * (sign(area) / max(abs(area), 1e-20));
}

// The normal of a surface that is raised by a height whose gradient at rest, in millimetres per millimetre, is given (M. Mikkelsen,
// "Bump mapping unparametrized surfaces on the GPU", 2010).
fn bent_by_height(normal: vec3f, gradient_at_rest: vec3f, steps: Steps) -> vec3f {
    let across = cross(steps.down_in_world, normal);
    let down = cross(normal, steps.across_in_world);
    let area = dot(steps.across_in_world, across);
    let slope = (across * dot(gradient_at_rest, steps.across_at_rest) + down * dot(gradient_at_rest, steps.down_at_rest))
        * (world_per_mm(steps) * sign(area) / max(abs(area), 1e-30));
    // A pixel that is seen edge-on has no reliable slope.
    let steepness = dot(slope, slope);
    return normalize(normal - slope * inverseSqrt(max(steepness, 1.0)));
}

// Roughness that holds what the normal does within a pixel, so that highlights do not sparkle (Y. Tokuyoshi and A. Kaplanyan,
// "Improved geometric specular antialiasing", 2019).
fn roughness_over_pixel(roughness: f32, normal: vec3f) -> f32 {
    let across = dpdx(normal);
    let down = dpdy(normal);
    let variance = 0.15915494 * (dot(across, across) + dot(down, down));
    let alpha = roughness * roughness;
    return sqrt(sqrt(saturate(alpha * alpha + min(2.0 * variance, 0.18))));
}
