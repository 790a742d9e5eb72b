// The morph sum and what becomes of it: one text for every blend mode that runs on the GPU.
// glTF 2.0 §3.7.2.2: attribute = base + Σ weight · delta; normals and tangents are renormalised afterwards.
// Deltas are summed first and the base is added once: far from the origin that keeps the small numbers exact.
// Joined behind morph_page.wgsl or morph_pages.wgsl, which bind the three tables and say `morph_delta_pair`.

// Pairs of floats per delta: 3 (position, normal) or 5 (and tangent, and a zero). Pairs, because one load of two floats
// costs a software adapter hardly more than a load of one, and other adapters no more at all.
override MORPH_PAIRS: u32 = 3u;

// Vertices per block; also the workgroup's size.
const MORPH_BLOCK_SIZE: u32 = 64u;

// A vertex as slot 0 has it, in mesh space.
struct Vertex {
    position: vec3f,
    normal: vec3f,
    // w: the bitangent's side, never morphed.
    tangent: vec4f,
}

// What is added to a vertex, in mesh space.
struct Deltas {
    position: vec3f,
    normal: vec3f,
    tangent: vec3f,
}

// Where a block's active entries are, and where its columns are.
struct MorphBlock {
    first_entry: u32,
    entry_count: u32,
    page: u32,
    // The column its page begins with.
    first_column: u32,
}

// An active target in one block.
struct MorphEntry {
    // Head-wide.
    column: u32,
    // Unbounded, never 0.
    weight: f32,
}

// Σ weight · delta over the entries first_entry .. end_entry, for one vertex of a block.
fn morph_sum(block: u32, lane: u32, first_entry: u32, end_entry: u32) -> Deltas {
    let page = morph_blocks[block].page;
    let first_column = morph_blocks[block].first_column;
    var sum = Deltas();
    for (var at = first_entry; at < end_entry; at++) {
        let entry = morph_entries[at];
        let first = (entry.column - first_column) * MORPH_PAIRS * MORPH_BLOCK_SIZE + lane;
        let xy = morph_delta_pair(page, first);
        let zx = morph_delta_pair(page, first + MORPH_BLOCK_SIZE);
        let yz = morph_delta_pair(page, first + 2u * MORPH_BLOCK_SIZE);
        sum.position += entry.weight * vec3f(xy, zx.x);
        sum.normal += entry.weight * vec3f(zx.y, yz);
        if MORPH_PAIRS == 5u {
            let tangent_xy = morph_delta_pair(page, first + 3u * MORPH_BLOCK_SIZE);
            let tangent_z = morph_delta_pair(page, first + 4u * MORPH_BLOCK_SIZE);
            sum.tangent += entry.weight * vec3f(tangent_xy, tangent_z.x);
        }
    }
    return sum;
}

// A blended direction can vanish; then the base is the better answer.
fn morph_direction(base: vec3f, delta: vec3f) -> vec3f {
    let sum = base + delta;
    let length_squared = dot(sum, sum);
    if length_squared > 1e-12 {
        return sum * inverseSqrt(length_squared);
    }
    return base;
}

fn morph_add(base: Vertex, sum: Deltas) -> Vertex {
    return Vertex(
        base.position + sum.position,
        morph_direction(base.normal, sum.normal),
        vec4f(morph_direction(base.tangent.xyz, sum.tangent), base.tangent.w),
    );
}

// The whole blend of one vertex. `vertex_index` counts over the whole head, padding included.
fn morphed_vertex(vertex_index: u32, base: Vertex) -> Vertex {
    let block = vertex_index / MORPH_BLOCK_SIZE;
    let entry_count = morph_blocks[block].entry_count;
    if entry_count == 0u {
        return base;
    }
    let first_entry = morph_blocks[block].first_entry;
    return morph_add(base, morph_sum(block, vertex_index % MORPH_BLOCK_SIZE, first_entry, first_entry + entry_count));
}
