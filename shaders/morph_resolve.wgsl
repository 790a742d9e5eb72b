// Multi-pass mode, the last step: the base is added to the sums, directions are renormalised.

// Pairs of floats per vertex.
override SUM_PAIRS: u32 = (MORPH_COMPONENTS + 1u) / 2u;

// [block][pair][lane]: what the passes left.
@group(0) @binding(4) var<storage, read> sums: array<vec2f>;

@compute @workgroup_size(MORPH_BLOCK_SIZE)
fn resolve_block(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = run_block(group, groups);
    if index == NO_BLOCK {
        return;
    }
    let first = index * SUM_PAIRS * MORPH_BLOCK_SIZE + lane;
    let zx = sums[first + MORPH_BLOCK_SIZE];
    var sum = Deltas();
    sum.position = vec3f(sums[first], zx.x);
    if MORPH_COMPONENTS > 3u {
        sum.normal = vec3f(zx.y, sums[first + 2u * MORPH_BLOCK_SIZE]);
    }
    if MORPH_COMPONENTS == 10u {
        sum.tangent = vec3f(sums[first + 3u * MORPH_BLOCK_SIZE], sums[first + 4u * MORPH_BLOCK_SIZE].x);
    }
    let place = index * MORPH_BLOCK_SIZE + lane;
    write_vertex(place, morph_add(base_vertex(place), sum));
}
