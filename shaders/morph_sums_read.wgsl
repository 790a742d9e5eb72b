// Sums kept from an earlier dispatch, [block][pair][lane]. Joined with a file that says where they are: `kept_pair`.

// Pairs of floats per vertex.
override SUM_PAIRS: u32 = (MORPH_COMPONENTS + 1u) / 2u;

fn first_pair(block: u32, lane: u32) -> u32 {
    return block * SUM_PAIRS * MORPH_BLOCK_SIZE + lane;
}

fn read_sum(block: u32, lane: u32) -> Deltas {
    let first = first_pair(block, lane);
    var sum = Deltas();
    let zx = kept_pair(first + MORPH_BLOCK_SIZE);
    sum.position = vec3f(kept_pair(first), zx.x);
    if MORPH_COMPONENTS > 3u {
        sum.normal = vec3f(zx.y, kept_pair(first + 2u * MORPH_BLOCK_SIZE));
    }
    if MORPH_COMPONENTS == 10u {
        sum.tangent = vec3f(kept_pair(first + 3u * MORPH_BLOCK_SIZE), kept_pair(first + 4u * MORPH_BLOCK_SIZE).x);
    }
    return sum;
}
