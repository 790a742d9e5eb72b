// The edges of triangles as lines of one pixel.

// Reaches towards the eye as far as the surface beside the line may, where it is steep: within about a pixel.
fn edge_position(transform: VertexTransform, position: vec3f, normal: vec3f) -> vec4f {
    let in_world = (transform.world_from_mesh * vec4f(position, 1.0)).xyz;
    let in_world_normal = transform.world_from_mesh_normal * normal;
    let towards_eye = frame.eye_in_world - in_world;
    let distance = length(towards_eye);
    let to_eye = towards_eye / max(distance, 1e-30);
    let facing = abs(dot(in_world_normal, to_eye)) * inverseSqrt(max(dot(in_world_normal, in_world_normal), 1e-36));
    let projection = frame.projection_from_world;
    let zoom = length(vec3f(projection[0].y, projection[1].y, projection[2].y));
    // What a pixel covers at distance 1; in a tile of a large picture, the second number.
    let pixel = max(2.0 / max(zoom * frame.picture_size.y, 1e-6), 0.0004);
    let slope = sqrt(1.0 - min(facing * facing, 1.0)) / max(facing, 0.15);
    return projection * vec4f(in_world + to_eye * (distance * pixel * (0.5 + slope)), 1.0);
}

const EDGE_ALPHA: f32 = 0.55;

@fragment
fn edge_fragment() -> @location(0) vec4f {
    return vec4f(vec3f(0.004, 0.006, 0.01), EDGE_ALPHA);
}

@fragment
fn sample_edge_fragment() -> Sample {
    let hides = vec4f(0.0, 0.0, 0.0, EDGE_ALPHA);
    return Sample(hides, hides, hides, vec4f(vec3f(0.004, 0.006, 0.01) * EDGE_ALPHA, EDGE_ALPHA));
}
