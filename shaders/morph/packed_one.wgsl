// Deltas packed: a pair is a word, two numbers of one kind its halves, a position the whole of it, and the normal beside it what
// is left when the position is shifted out. An entry's weights carry the column's scales, which are in units of the word.

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

// Two neighbours to a word.
fn morph_single(page: u32, plane: u32, lane: u32) -> Number {
    let two = morph_load(page, plane + lane / 2u);
    return morph_word(select(two << 16u, two & 0xffff0000u, (lane & 1u) == 1u));
}
