// Multi-pass mode, the last step: adds the base to the sums and renormalises directions.

// [block][component][quad]: the sums of all passes; units as in morph_deltas.
@group(0) @binding(4) var<storage, read> sums: array<Number>;

fn load_sum(at: u32) -> Number {
    return sums[at];
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn resolve_blocks(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = run_block(group, groups, invocation).x;
    if index == NO_BLOCK {
        return;
    }
    let quad = invocation % QUADS_PER_BLOCK;
    let head_quad = index * QUADS_PER_BLOCK + quad;
    write_quad(head_quad, morph_add(base_quad(head_quad), read_sum(index, quad)));
}
