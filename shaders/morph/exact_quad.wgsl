// Exact deltas, with the numbers of the file: one load is two pairs of 32-bit floats.

alias MorphLoad = vec4f;

fn morph_woven(page: u32, plane: u32, quad: u32) -> Pair {
    return morph_pair(page, plane, quad);
}

fn morph_pair(page: u32, plane: u32, quad: u32) -> Pair {
    let first = plane / 2u + 2u * quad;
    let left = morph_load(page, first);
    let right = morph_load(page, first + 1u);
    return Pair(vec4f(left.xz, right.xz), vec4f(left.yw, right.yw));
}

fn morph_single(page: u32, plane: u32, quad: u32) -> Number {
    return morph_load(page, plane / 2u + quad);
}
