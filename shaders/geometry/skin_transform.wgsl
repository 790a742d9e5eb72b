// A mesh that hangs on joints: each vertex where its own joints pull it (glTF 2.0 §3.7.3.3), after it is morphed.

// [vertex of the mesh][pair]: a joint, the bits of how strongly it pulls (a vertex's sum is 1), and another. Whole vectors,
// because a software adapter pays per load and not per number.
@group(2) @binding(1) var<storage, read> skin_pairs: array<vec4u>;
// [joint]: the rows of what it makes of a vertex that hangs on it alone, mesh space to world.
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
    // At about the size of 1 first: products of a head in micrometres would vanish.
    let size_squared = (dot(columns[0], columns[0]) + dot(columns[1], columns[1]) + dot(columns[2], columns[2])) / 3.0;
    let shrink = inverseSqrt(max(size_squared, 1e-36));
    let x = columns[0] * shrink;
    let y = columns[1] * shrink;
    let z = columns[2] * shrink;
    // The cofactors: the inverse transpose up to a factor, and still right where there is no inverse.
    let side = select(1.0, -1.0, dot(cross(x, y), z) < 0.0);
    let normal = mat3x3f(cross(y, z), cross(z, x), cross(x, y)) * side;
    let world_from_mesh = mat4x4f(
        vec4f(columns[0], 0.0), vec4f(columns[1], 0.0), vec4f(columns[2], 0.0), vec4f(columns[3], 1.0));
    return VertexTransform(world_from_mesh, normal, side);
}
