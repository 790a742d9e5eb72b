// What differs per mesh. Joined with node_transform.wgsl or skin_transform.wgsl, which transform the mesh's vertices.

struct Mesh {
    world_from_mesh: mat4x4f,
    // The inverse transpose of the above; keeps normals perpendicular to the surface under uneven scale.
    world_from_mesh_normal: mat3x3f,
    // -1 where the transform mirrors the mesh, else 1: the bitangent changes sign with it.
    side: f32,
    // 1 where normals and tangents come recomputed from the blended shape, so that no target may change them again.
    are_directions_final: u32,
    // The rest is used by skinned meshes only. The place of the mesh's first vertex in the head-wide array.
    first_place: u32,
    // Index of the mesh's first element of `skin_pairs`.
    first_pair: u32,
    // How many elements of `skin_pairs` each vertex has.
    pairs_per_vertex: u32,
    // Index of the skin's first element of `skin_joints`.
    first_joint: u32,
}

// One struct, chosen by a dynamic offset.
@group(2) @binding(0) var<uniform> mesh: Mesh;

// The transform that puts one vertex into the world.
struct VertexTransform {
    world_from_mesh: mat4x4f,
    // The inverse transpose of the above, up to a positive factor.
    world_from_mesh_normal: mat3x3f,
    // -1 where it mirrors, else 1.
    side: f32,
}
