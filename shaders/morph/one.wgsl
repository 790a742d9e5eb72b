// The morph sum of one vertex, for the vertex stage. Joined with morph/exact_one.wgsl or morph/packed_one.wgsl, which read pairs
// from memory.

alias Number = f32;

// A vertex in mesh space.
struct Vertex {
    position: vec3f,
    normal: vec3f,
    // w: the sign of the bitangent, which is never morphed.
    tangent: vec4f,
}

fn morph_vector(vector: vec3f) -> Vector {
    return Vector(vector.x, vector.y, vector.z);
}

// Blends one vertex. `place` is its index in the head-wide array, padding included.
fn morphed_vertex(place: u32, base: Vertex) -> Vertex {
    let block = morph_blocks[place / MORPH_BLOCK_SIZE];
    if block.y == 0u {
        return base;
    }
    let at_rest =
        Attributes(morph_vector(base.position), morph_vector(base.normal), morph_vector(base.tangent.xyz));
    let sum = morph_sum(Attributes(), block, place % MORPH_BLOCK_SIZE, block.x, block.x + block.y);
    let blended = morph_add(at_rest, sum);
    let position = blended.position;
    let normal = blended.normal;
    let tangent = blended.tangent;
    return Vertex(
        vec3f(position.x, position.y, position.z),
        vec3f(normal.x, normal.y, normal.z),
        vec4f(tangent.x, tangent.y, tangent.z, base.tangent.w),
    );
}
