// Compute mode: the whole blend in one pass, sums in registers.

const RESTING_KEEP: u32 = 1u;
const RESTING_KEPT: u32 = 2u;

// [block][pair][lane]: under a hand, the sums of all targets that do not move.
@group(0) @binding(4) var<storage, read_write> resting_sums: array<vec2f>;

fn kept_pair(at: u32) -> vec2f {
    return resting_sums[at];
}

fn keep_pair(at: u32, pair: vec2f) {
    resting_sums[at] = pair;
}

@compute @workgroup_size(MORPH_BLOCK_SIZE)
fn blend_block(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let changed = run_block(group, groups);
    if changed.x == NO_BLOCK {
        return;
    }
    let block = morph_blocks[changed.x];
    var sum = Deltas();
    if run.resting == RESTING_KEPT {
        sum = read_sum(changed.x, lane);
    } else {
        sum = morph_sum(sum, block, lane, block.x, block.x + block.y);
    }
    if run.resting == RESTING_KEEP {
        write_sum(changed.x, lane, sum);
    }
    sum = morph_sum(sum, block, lane, changed.y, changed.z);
    let place = changed.x * MORPH_BLOCK_SIZE + lane;
    write_vertex(place, morph_add(base_vertex(place), sum));
}
