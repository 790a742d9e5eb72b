// The morph sum, added to the base. Every blend mode that runs on the GPU uses this text.
// glTF 2.0 §3.7.2.2: attribute = base + Σ weight · delta; normals and tangents are renormalised afterwards.
// Deltas are summed first and the base is added once, so that small deltas are not rounded to the precision of a position far from
// the origin.
// Joined with morph/one.wgsl or morph/quad.wgsl, which define `Number` (a number of one vertex, or of four), and with
// morph/page.wgsl or morph/pages.wgsl, which bind the three tables.

// Numbers per delta: 3 (position), 6 (and normal) or 10 (and tangent, and a zero). They are stored in planes of pairs:
// positions alone as xy and z; with normals, one plane per axis of position and normal; then tangents as xy and z0.
override MORPH_COMPONENTS: u32 = 6u;

// The number of vertices in a block.
const MORPH_BLOCK_SIZE: u32 = 64u;

struct Vector {
    x: Number,
    y: Number,
    z: Number,
}

// The number of bits for the position in a word that holds a position and a normal. The same constant as in `blend/layout/column.rs`.
const POSITION_BITS: u32 = 18u;

// Two components of the same vertices, which are neighbours in a plane of a column.
struct Pair {
    first: Number,
    second: Number,
}

// The attributes of one vertex or of a quad in mesh space, or what is added to them.
struct Attributes {
    position: Vector,
    normal: Vector,
    tangent: Vector,
}

fn morph_add_vectors(a: Vector, b: Vector) -> Vector {
    return Vector(a.x + b.x, a.y + b.y, a.z + b.z);
}

// `start` plus Σ weight · delta over the entries first_entry .. end_entry. `at` is the index of the vertex or the quad in its block.
fn morph_sum(start: Attributes, block: vec4u, at: u32, first_entry: u32, end_entry: u32) -> Attributes {
    let page = block.z;
    let first_column = block.w;
    var sum = start;
    for (var entry_at = first_entry; entry_at < end_entry; entry_at++) {
        let entry = morph_entries[entry_at];
        let weights = bitcast<vec3f>(entry.yzw);
        // The number of pairs before the column.
        let column = (entry.x - first_column) * (MORPH_COMPONENTS * MORPH_BLOCK_SIZE / 2u);
        if MORPH_COMPONENTS == 3u {
            let xy = morph_pair(page, column, at);
            sum.position.x += weights.x * xy.first;
            sum.position.y += weights.x * xy.second;
            sum.position.z += weights.x * morph_single(page, column + MORPH_BLOCK_SIZE, at);
        } else {
            let x = morph_woven(page, column, at);
            let y = morph_woven(page, column + MORPH_BLOCK_SIZE, at);
            let z = morph_woven(page, column + 2u * MORPH_BLOCK_SIZE, at);
            sum.position.x += weights.x * x.first;
            sum.position.y += weights.x * y.first;
            sum.position.z += weights.x * z.first;
            sum.normal.x += weights.y * x.second;
            sum.normal.y += weights.y * y.second;
            sum.normal.z += weights.y * z.second;
        }
        if MORPH_COMPONENTS == 10u {
            let tangent_xy = morph_pair(page, column + 3u * MORPH_BLOCK_SIZE, at);
            let tangent_z = morph_pair(page, column + 4u * MORPH_BLOCK_SIZE, at);
            sum.tangent.x += weights.z * tangent_xy.first;
            sum.tangent.y += weights.z * tangent_xy.second;
            sum.tangent.z += weights.z * tangent_z.first;
        }
    }
    return sum;
}

// The square of the length below which a blended direction is undefined: the square of `VANISHING_LENGTH` in `blend/mod.rs`.
const VANISHING_LENGTH_SQUARED: f32 = 1e-12;

// base + delta at unit length. If the sum vanishes, it has no direction, and the base is used.
fn morph_direction(base: Vector, delta: Vector) -> Vector {
    let sum = morph_add_vectors(base, delta);
    let length_squared = sum.x * sum.x + sum.y * sum.y + sum.z * sum.z;
    let is_direction = length_squared > Number(VANISHING_LENGTH_SQUARED);
    let scale = inverseSqrt(max(length_squared, Number(VANISHING_LENGTH_SQUARED)));
    return Vector(
        select(base.x, sum.x * scale, is_direction),
        select(base.y, sum.y * scale, is_direction),
        select(base.z, sum.z * scale, is_direction),
    );
}

// The base plus the sum. Attributes that no delta changes stay as they are in the file.
fn morph_add(base: Attributes, sum: Attributes) -> Attributes {
    var blended = base;
    blended.position = morph_add_vectors(base.position, sum.position);
    if MORPH_COMPONENTS > 3u {
        blended.normal = morph_direction(base.normal, sum.normal);
    }
    if MORPH_COMPONENTS == 10u {
        blended.tangent = morph_direction(base.tangent, sum.tangent);
    }
    return blended;
}
