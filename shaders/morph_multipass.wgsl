// Multi-pass mode, one pass: up to four more targets are added to every changed block's sums, which travel back and
// forth between two buffers as in Dawn's Stream Out method (GPU Gems 3, chapter 3).

const TARGETS_PER_PASS: u32 = 4u;

// [block][component][lane]: the sums so far. Not read by pass 0.
@group(0) @binding(2) var<storage, read> sums_before: array<f32>;
// [block][component][lane]: the same with this pass's targets.
@group(0) @binding(3) var<storage, read_write> sums_after: array<f32>;

struct Pass {
    index: u32,
}

@group(0) @binding(4) var<uniform> this_pass: Pass;

fn sum_before(first: u32) -> vec3f {
    return vec3f(
        sums_before[first],
        sums_before[first + MORPH_BLOCK_SIZE],
        sums_before[first + 2u * MORPH_BLOCK_SIZE],
    );
}

fn write_sum(first: u32, sum: vec3f) {
    sums_after[first] = sum.x;
    sums_after[first + MORPH_BLOCK_SIZE] = sum.y;
    sums_after[first + 2u * MORPH_BLOCK_SIZE] = sum.z;
}

@compute @workgroup_size(MORPH_BLOCK_SIZE)
fn add_four_targets(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = run_block(group, groups);
    if block == NO_BLOCK {
        return;
    }
    let end_entry = morph_blocks[block].first_entry + morph_blocks[block].entry_count;
    let first_entry = min(morph_blocks[block].first_entry + this_pass.index * TARGETS_PER_PASS, end_entry);
    var sum = morph_sum(block, lane, first_entry, min(first_entry + TARGETS_PER_PASS, end_entry));

    let first = block * MORPH_COMPONENTS * MORPH_BLOCK_SIZE + lane;
    if this_pass.index > 0u {
        sum.position += sum_before(first);
        sum.normal += sum_before(first + 3u * MORPH_BLOCK_SIZE);
        if MORPH_COMPONENTS == 9u {
            sum.tangent += sum_before(first + 6u * MORPH_BLOCK_SIZE);
        }
    }
    write_sum(first, sum.position);
    write_sum(first + 3u * MORPH_BLOCK_SIZE, sum.normal);
    if MORPH_COMPONENTS == 9u {
        write_sum(first + 6u * MORPH_BLOCK_SIZE, sum.tangent);
    }
}
