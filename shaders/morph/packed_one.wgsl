// Packed deltas: a pair is a word. Two numbers of one kind are the halves of the word. If the pair is a position and a normal, the
// position is the whole word as an integer, and the normal is what remains when the position is shifted out. The weights of an entry include the scales
// of its column, which are in units of the word.

alias MorphLoad = u32;

fn morph_word(word: u32) -> Number {
    return f32(bitcast<i32>(word));
}

fn morph_woven(page: u32, plane: u32, lane: u32) -> Pair {
    let word = morph_load(page, plane + lane);
    return Pair(morph_word(word), morph_word(word << POSITION_BITS));
}

fn morph_pair(page: u32, plane: u32, lane: u32) -> Pair {
    let word = morph_load(page, plane + lane);
    return Pair(morph_word(word << 16u), morph_word(word & 0xffff0000u));
}

// One word holds two neighbouring vertices.
fn morph_single(page: u32, plane: u32, lane: u32) -> Number {
    let two = morph_load(page, plane + lane / 2u);
    return morph_word(select(two << 16u, two & 0xffff0000u, (lane & 1u) == 1u));
}
