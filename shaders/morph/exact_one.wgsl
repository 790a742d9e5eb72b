// Exact deltas, with the numbers of the file: a pair is two 32-bit floats.

alias MorphLoad = vec2f;

fn morph_woven(page: u32, plane: u32, lane: u32) -> Pair {
    return morph_pair(page, plane, lane);
}

fn morph_pair(page: u32, plane: u32, lane: u32) -> Pair {
    let pair = morph_load(page, plane + lane);
    return Pair(pair.x, pair.y);
}

// One load holds two neighbouring vertices.
fn morph_single(page: u32, plane: u32, lane: u32) -> Number {
    let two = morph_load(page, plane + lane / 2u);
    return select(two.x, two.y, (lane & 1u) == 1u);
}
