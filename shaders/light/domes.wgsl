// The light of the studio that the head itself blocks, in the resting tier.

// What the head blocks of the diffuse light of the studio, irradiance over pi. Subtracted from `studio_diffuse`, it gives the
// light that arrives, on average over the samples of a picture (a control variate).
fn blocked_studio_light(in_world: vec3f, normal: vec3f) -> vec3f {
    return vec3f();
}

// The light that comes through thin parts of skin, as ears, from behind; irradiance over pi.
fn light_through_skin(in_world: vec3f, normal: vec3f) -> vec3f {
    return vec3f();
}
