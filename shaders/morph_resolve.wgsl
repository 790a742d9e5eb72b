// Multi-pass mode, the last step: the base is added to the sums, directions are renormalised.

// [block][component][lane]: what the passes left.
@group(0) @binding(4) var<storage, read> sums: array<f32>;

fn finished_sum(first: u32) -> vec3f {
    return vec3f(sums[first], sums[first + MORPH_BLOCK_SIZE], sums[first + 2u * MORPH_BLOCK_SIZE]);
}

@compute @workgroup_size(MORPH_BLOCK_SIZE)
fn resolve_block(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = run_block(group, groups);
    if block == NO_BLOCK {
        return;
    }
    let first = block * MORPH_COMPONENTS * MORPH_BLOCK_SIZE + lane;
    var sum = Deltas();
    sum.position = finished_sum(first);
    sum.normal = finished_sum(first + 3u * MORPH_BLOCK_SIZE);
    if MORPH_COMPONENTS == 9u {
        sum.tangent = finished_sum(first + 6u * MORPH_BLOCK_SIZE);
    }
    let vertex_index = block * MORPH_BLOCK_SIZE + lane;
    write_vertex(vertex_index, morph_add(base_vertex(vertex_index), sum));
}
