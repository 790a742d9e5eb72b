// Stores sums for a later dispatch, which morph/sums_read.wgsl reads. Joined with a file that defines `store_sum`.

fn store_vector(first: u32, vector: Vector) {
    store_sum(first, vector.x);
    store_sum(first + QUADS_PER_BLOCK, vector.y);
    store_sum(first + 2u * QUADS_PER_BLOCK, vector.z);
}

fn write_sum(block: u32, quad: u32, sum: Attributes) {
    let first = first_sum(block, quad);
    store_vector(first, sum.position);
    if MORPH_COMPONENTS > 3u {
        store_vector(first + 3u * QUADS_PER_BLOCK, sum.normal);
    }
    if MORPH_COMPONENTS == 10u {
        store_vector(first + 6u * QUADS_PER_BLOCK, sum.tangent);
    }
}
