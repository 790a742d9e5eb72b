// Deltas packed: a pair is two 16-bit numbers in a word, the first in its lower half. An entry's weights carry the column's
// scales.

alias MorphLoad = u32;

fn morph_unpacked(pair: MorphLoad) -> vec2f {
    let word = bitcast<i32>(pair);
    return vec2f(f32((word << 16u) >> 16u), f32(word >> 16u));
}
