// Compute mode: the whole blend in one pass, sums in registers.

@compute @workgroup_size(MORPH_BLOCK_SIZE)
fn blend_block(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = run_block(group, groups);
    if index == NO_BLOCK {
        return;
    }
    let block = morph_blocks[index];
    let sum = morph_sum(block, lane, block.x, block.x + block.y);
    let place = index * MORPH_BLOCK_SIZE + lane;
    write_vertex(place, morph_add(base_vertex(place), sum));
}
