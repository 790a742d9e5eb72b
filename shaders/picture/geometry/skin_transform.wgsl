// Linear blend skinning (glTF 2.0 §3.7.3.3): the transform of a blended vertex is the weighted sum of the transforms of its
// joints.

// [vertex of the mesh][pair]: a joint, the bits of its weight as f32 (a vertex's weights sum to 1), and another such
// pair. Each element is a whole vector, because on a software adapter the cost is per load and not per number.
@group(2) @binding(1) var<storage, read> skin_pairs: array<vec4u>;
// [joint]: the three rows of the affine matrix world_from_mesh of a vertex with only that joint.
@group(2) @binding(2) var<storage, read> skin_joints: array<mat3x4f>;

fn vertex_transform(place: u32) -> VertexTransform {
    let first = mesh.first_pair + (place - mesh.first_place) * mesh.pairs_per_vertex;
    var rows = mat3x4f();
    for (var at = first; at < first + mesh.pairs_per_vertex; at++) {
        let pair = skin_pairs[at];
        rows += skin_joints[mesh.first_joint + pair.x] * bitcast<f32>(pair.y);
        rows += skin_joints[mesh.first_joint + pair.z] * bitcast<f32>(pair.w);
    }
    let columns = transpose(rows);
    // The columns are scaled to a length of about 1 first: products of a head in micrometres would vanish.
    let size_squared = (dot(columns[0], columns[0]) + dot(columns[1], columns[1]) + dot(columns[2], columns[2])) / 3.0;
    let shrink = inverseSqrt(max(size_squared, 1e-36));
    let x = columns[0] * shrink;
    let y = columns[1] * shrink;
    let z = columns[2] * shrink;
    // The matrix of cofactors is the inverse transpose up to a factor, and is still right where there is no inverse.
    let side = select(1.0, -1.0, dot(cross(x, y), z) < 0.0);
    let normal = mat3x3f(cross(y, z), cross(z, x), cross(x, y)) * side;
    let world_from_mesh = mat4x4f(
        vec4f(columns[0], 0.0), vec4f(columns[1], 0.0), vec4f(columns[2], 0.0), vec4f(columns[3], 1.0));
    return VertexTransform(world_from_mesh, normal, side);
}
