// Sums kept for a later dispatch, as morph_sums_read.wgsl reads them. Joined with a file that says where: `keep_pair`.

fn write_sum(block: u32, lane: u32, sum: Deltas) {
    let first = first_pair(block, lane);
    keep_pair(first, sum.position.xy);
    keep_pair(first + MORPH_BLOCK_SIZE, vec2f(sum.position.z, sum.normal.x));
    if MORPH_COMPONENTS > 3u {
        keep_pair(first + 2u * MORPH_BLOCK_SIZE, sum.normal.yz);
    }
    if MORPH_COMPONENTS == 10u {
        keep_pair(first + 3u * MORPH_BLOCK_SIZE, sum.tangent.xy);
        keep_pair(first + 4u * MORPH_BLOCK_SIZE, vec2f(sum.tangent.z, 0.0));
    }
}
