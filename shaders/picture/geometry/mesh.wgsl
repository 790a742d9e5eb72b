// The uniforms of a mesh. Joined with node_transform.wgsl or skin_transform.wgsl, which transform the mesh's vertices.

struct Mesh {
    world_from_mesh: mat4x4f,
    // The inverse transpose of the above, which keeps normals perpendicular to the surface under non-uniform scale.
    world_from_mesh_normal: mat3x3f,
    // -1 if the transform mirrors the mesh, else 1. It is a factor of the sign of the bitangent.
    side: f32,
    // 1 if normals and tangents are recomputed from the blended shape, so that the vertex stage must not add deltas to them.
    are_directions_final: u32,
    // This member and the following ones are used by skinned meshes only. The place of the mesh's first vertex in the head-wide
    // array.
    first_place: u32,
    // Index of the mesh's first element of `skin_pairs`.
    first_pair: u32,
    // The number of elements of `skin_pairs` per vertex.
    pairs_per_vertex: u32,
    // Index of the skin's first element of `skin_joints`.
    first_joint: u32,
}

// [1]: one struct, which a dynamic offset selects.
@group(2) @binding(0) var<uniform> mesh: Mesh;

// The transform of one vertex to world space.
struct VertexTransform {
    world_from_mesh: mat4x4f,
    // The inverse transpose of the above, up to a positive factor.
    world_from_mesh_normal: mat3x3f,
    // -1 if the transform mirrors, else 1.
    side: f32,
}
