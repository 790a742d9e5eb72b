// How much of the light of a light of the head's file arrives at a point.

// Whether the head's file has lights. The pipelines of other heads are built without this code.
override HAS_FILE_LIGHTS: bool = false;

// xyz: the unit direction towards the light; w: the fraction of its radiance that arrives (KHR_lights_punctual, range and
// cone).
fn arriving(file_light: FileLight, in_world: vec3f) -> vec4f {
    let away = file_light.position - in_world;
    let distance_squared = max(dot(away, away), file_light.nearest * file_light.nearest);
    let to_light = away * inverseSqrt(max(dot(away, away), 1e-30));
    let reached = sqrt(distance_squared) * file_light.inverse_range;
    let end = saturate(1.0 - reached * reached * reached * reached);
    let cone = saturate(dot(-to_light, file_light.direction) * file_light.cone_scale + file_light.cone_offset);
    let from_position = vec4f(to_light, end * cone * cone / distance_squared);
    // No branch: see frame.wgsl.
    return select(from_position, vec4f(-file_light.direction, 1.0), file_light.is_directional == 1u);
}
