// The morph sum and what becomes of it: one text for every blend mode that runs on the GPU.
// glTF 2.0 §3.7.2.2: attribute = base + Σ weight · delta; normals and tangents are renormalised afterwards.
// Deltas are summed first and the base is added once: far from the origin that keeps the small numbers exact.
// Joined behind morph_page.wgsl or morph_pages.wgsl, which bind the three tables and say `morph_delta_pair`.

// Numbers per delta: 3 (position), 6 (and normal) or 10 (and tangent, and a zero). They lie in planes of pairs, because one
// load of two costs a software adapter hardly more than a load of one, and other adapters no more at all.
override MORPH_COMPONENTS: u32 = 6u;

// Vertices per block; also the workgroup's size.
const MORPH_BLOCK_SIZE: u32 = 64u;

// A vertex in mesh space.
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

// Σ weight · delta over the entries first_entry .. end_entry, for one vertex of a block, on top of `start`.
fn morph_sum(start: Deltas, block: vec4u, lane: u32, first_entry: u32, end_entry: u32) -> Deltas {
    let page = block.z;
    let first_column = block.w;
    var sum = start;
    for (var at = first_entry; at < end_entry; at++) {
        let entry = morph_entries[at];
        let weights = bitcast<vec3f>(entry.yzw);
        let first = (entry.x - first_column) * (MORPH_COMPONENTS * MORPH_BLOCK_SIZE / 2u);
        let xy = morph_delta_pair(page, first + lane);
        if MORPH_COMPONENTS == 3u {
            // The z of two neighbours make a pair.
            let two_z = morph_delta_pair(page, first + MORPH_BLOCK_SIZE + lane / 2u);
            sum.position += weights.x * vec3f(xy, select(two_z.x, two_z.y, (lane & 1u) == 1u));
        } else {
            let zx = morph_delta_pair(page, first + lane + MORPH_BLOCK_SIZE);
            let yz = morph_delta_pair(page, first + lane + 2u * MORPH_BLOCK_SIZE);
            sum.position += weights.x * vec3f(xy, zx.x);
            sum.normal += weights.y * vec3f(zx.y, yz);
        }
        if MORPH_COMPONENTS == 10u {
            let tangent_xy = morph_delta_pair(page, first + lane + 3u * MORPH_BLOCK_SIZE);
            let tangent_z = morph_delta_pair(page, first + lane + 4u * MORPH_BLOCK_SIZE);
            sum.tangent += weights.z * vec3f(tangent_xy, tangent_z.x);
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

// What no delta moves stays as the file has it.
fn morph_add(base: Vertex, sum: Deltas) -> Vertex {
    var vertex = base;
    vertex.position += sum.position;
    if MORPH_COMPONENTS > 3u {
        vertex.normal = morph_direction(base.normal, sum.normal);
    }
    if MORPH_COMPONENTS == 10u {
        vertex.tangent = vec4f(morph_direction(base.tangent.xyz, sum.tangent), base.tangent.w);
    }
    return vertex;
}

// The whole blend of one vertex. `place` counts over the whole head, padding included.
fn morphed_vertex(place: u32, base: Vertex) -> Vertex {
    let block = morph_blocks[place / MORPH_BLOCK_SIZE];
    if block.y == 0u {
        return base;
    }
    return morph_add(base, morph_sum(Deltas(), block, place % MORPH_BLOCK_SIZE, block.x, block.x + block.y));
}
