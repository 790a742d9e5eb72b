// Multi-pass mode, the last step: the base is added to the sums, directions are renormalised.

// [block][pair][lane]: what the passes left.
@group(0) @binding(4) var<storage, read> sums: array<vec2f>;

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
    let first = block * MORPH_PAIRS * MORPH_BLOCK_SIZE + lane;
    let zx = sums[first + MORPH_BLOCK_SIZE];
    var sum = Deltas();
    sum.position = vec3f(sums[first], zx.x);
    sum.normal = vec3f(zx.y, sums[first + 2u * MORPH_BLOCK_SIZE]);
    if MORPH_PAIRS == 5u {
        sum.tangent = vec3f(sums[first + 3u * MORPH_BLOCK_SIZE], sums[first + 4u * MORPH_BLOCK_SIZE].x);
    }
    let vertex_index = block * MORPH_BLOCK_SIZE + lane;
    write_vertex(vertex_index, morph_add(base_vertex(vertex_index), sum));
}
