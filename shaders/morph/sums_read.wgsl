// Reads sums that an earlier dispatch stored, [block][component][quad]. Joined with a file that defines `load_sum`.

fn first_sum(block: u32, quad: u32) -> u32 {
    return block * MORPH_COMPONENTS * QUADS_PER_BLOCK + quad;
}

fn load_vector(first: u32) -> Vector {
    return Vector(load_sum(first), load_sum(first + QUADS_PER_BLOCK), load_sum(first + 2u * QUADS_PER_BLOCK));
}

fn read_sum(block: u32, quad: u32) -> Attributes {
    let first = first_sum(block, quad);
    var sum = Attributes();
    sum.position = load_vector(first);
    if MORPH_COMPONENTS > 3u {
        sum.normal = load_vector(first + 3u * QUADS_PER_BLOCK);
    }
    if MORPH_COMPONENTS == 10u {
        sum.tangent = load_vector(first + 6u * QUADS_PER_BLOCK);
    }
    return sum;
}
