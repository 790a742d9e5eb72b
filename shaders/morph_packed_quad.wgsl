// Deltas packed: a pair is two 16-bit numbers in a word, the first in its lower half, and four words are a load. An entry's
// weights carry the column's scales.

alias MorphLoad = vec4u;

fn morph_pair(page: u32, plane: u32, quad: u32) -> Pair {
    let words = bitcast<vec4i>(morph_load(page, plane / 4u + quad));
    return Pair(vec4f((words << vec4u(16u)) >> vec4u(16u)), vec4f(words >> vec4u(16u)));
}

// Two quads to a load.
fn morph_single(page: u32, plane: u32, quad: u32) -> Number {
    let words = morph_load(page, plane / 4u + quad / 2u);
    let two = bitcast<vec2i>(select(words.xy, words.zw, (quad & 1u) == 1u));
    let first = (two << vec2u(16u)) >> vec2u(16u);
    let second = two >> vec2u(16u);
    return vec4f(vec4i(first.x, second.x, first.y, second.y));
}
