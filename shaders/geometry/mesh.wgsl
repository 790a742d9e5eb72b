// What differs per mesh, and what puts its vertices into the world: the text of placing_node.wgsl or placing_skin.wgsl.

struct Mesh {
    world_from_mesh: mat4x4f,
    // Its inverse transpose; keeps normals upright under uneven scale.
    world_from_mesh_normal: mat3x3f,
    // -1 where the mesh is mirrored, else 1: bitangents turn over with it.
    side: f32,
    // 1 where normals and tangents come recomputed and no target may turn them again.
    are_directions_final: u32,
    // The rest is a skinned mesh's. Its first vertex's place in the head-wide array.
    first_place: u32,
    // Where its pulls begin.
    first_pair: u32,
    // How many pairs of pulls each vertex has.
    pairs_per_vertex: u32,
    // Where its skin's joints begin.
    first_joint: u32,
}

@group(2) @binding(0) var<uniform> mesh: Mesh;

// What puts one vertex into the world.
struct VertexTransform {
    world_from_mesh: mat4x4f,
    // Its inverse transpose, up to a positive factor.
    world_from_mesh_normal: mat3x3f,
    // -1 where it mirrors, else 1.
    side: f32,
}
