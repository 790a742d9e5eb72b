// Packed deltas: a pair is a word. Two numbers of one kind are the halves of the word. If the pair is a position and a normal, the
// position is the whole word as an integer, and the normal is what remains when the position is shifted out. The weights of an entry include the scales
// of its column, which are in units of the word.

alias MorphLoad = vec4u;

fn morph_words(words: vec4u) -> Number {
    return vec4f(bitcast<vec4i>(words));
}

fn morph_woven(page: u32, plane: u32, quad: u32) -> Pair {
    let words = morph_load(page, plane / 4u + quad);
    return Pair(morph_words(words), morph_words(words << vec4u(POSITION_BITS)));
}

fn morph_pair(page: u32, plane: u32, quad: u32) -> Pair {
    let words = morph_load(page, plane / 4u + quad);
    return Pair(morph_words(words << vec4u(16u)), morph_words(words & vec4u(0xffff0000u)));
}

// One load holds two quads.
fn morph_single(page: u32, plane: u32, quad: u32) -> Number {
    let words = morph_load(page, plane / 4u + quad / 2u);
    let two = select(words.xy, words.zw, (quad & 1u) == 1u);
    let left = two << vec2u(16u);
    let right = two & vec2u(0xffff0000u);
    return morph_words(vec4u(left.x, right.x, left.y, right.y));
}
