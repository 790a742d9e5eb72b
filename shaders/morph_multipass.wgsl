// Multi-pass mode, one pass: up to four more targets are added to every changed block's sums, which travel back and
// forth between two buffers as in Dawn's Stream Out method (GPU Gems 3, chapter 3).

const TARGETS_PER_PASS: u32 = 4u;
// Pairs of floats per vertex.
override SUM_PAIRS: u32 = (MORPH_COMPONENTS + 1u) / 2u;

// [block][pair][lane]: the sums so far. Not read by pass 0.
@group(0) @binding(2) var<storage, read> sums_before: array<vec2f>;
// [block][pair][lane]: the same with this pass's targets.
@group(0) @binding(3) var<storage, read_write> sums_after: array<vec2f>;

struct Pass {
    index: u32,
}

@group(0) @binding(4) var<uniform> this_pass: Pass;

@compute @workgroup_size(MORPH_BLOCK_SIZE)
fn add_four_targets(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) lane: u32,
) {
    let index = run_block(group, groups);
    if index == NO_BLOCK {
        return;
    }
    let block = morph_blocks[index];
    let end_entry = block.x + block.y;
    let first_entry = min(block.x + this_pass.index * TARGETS_PER_PASS, end_entry);
    var sum = morph_sum(block, lane, first_entry, min(first_entry + TARGETS_PER_PASS, end_entry));

    let first = index * SUM_PAIRS * MORPH_BLOCK_SIZE + lane;
    if this_pass.index > 0u {
        let xy = sums_before[first];
        let zx = sums_before[first + MORPH_BLOCK_SIZE];
        sum.position += vec3f(xy, zx.x);
        if MORPH_COMPONENTS > 3u {
            sum.normal += vec3f(zx.y, sums_before[first + 2u * MORPH_BLOCK_SIZE]);
        }
        if MORPH_COMPONENTS == 10u {
            let tangent_xy = sums_before[first + 3u * MORPH_BLOCK_SIZE];
            let tangent_z = sums_before[first + 4u * MORPH_BLOCK_SIZE];
            sum.tangent += vec3f(tangent_xy, tangent_z.x);
        }
    }
    sums_after[first] = sum.position.xy;
    sums_after[first + MORPH_BLOCK_SIZE] = vec2f(sum.position.z, sum.normal.x);
    if MORPH_COMPONENTS > 3u {
        sums_after[first + 2u * MORPH_BLOCK_SIZE] = sum.normal.yz;
    }
    if MORPH_COMPONENTS == 10u {
        sums_after[first + 3u * MORPH_BLOCK_SIZE] = sum.tangent.xy;
        sums_after[first + 4u * MORPH_BLOCK_SIZE] = vec2f(sum.tangent.z, 0.0);
    }
}
