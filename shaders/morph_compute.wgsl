// Compute mode: the whole blend in one pass, sums in registers.

@compute @workgroup_size(MORPH_BLOCK_SIZE)
fn blend_block(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = run_block(group, groups);
    if block == NO_BLOCK {
        return;
    }
    let first_entry = morph_blocks[block].first_entry;
    let sum = morph_sum(block, lane, first_entry, first_entry + morph_blocks[block].entry_count);
    let vertex_index = block * MORPH_BLOCK_SIZE + lane;
    write_vertex(vertex_index, morph_add(base_vertex(vertex_index), sum));
}
