// Multi-pass mode, the last step: the base is added to the sums, directions are renormalised.

// [block][pair][lane]: what the passes left.
@group(0) @binding(4) var<storage, read> sums: array<vec2f>;

fn kept_pair(at: u32) -> vec2f {
    return sums[at];
}

@compute @workgroup_size(MORPH_BLOCK_SIZE)
fn resolve_block(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = run_block(group, groups).x;
    if index == NO_BLOCK {
        return;
    }
    let place = index * MORPH_BLOCK_SIZE + lane;
    write_vertex(place, morph_add(base_vertex(place), read_sum(index, lane)));
}
