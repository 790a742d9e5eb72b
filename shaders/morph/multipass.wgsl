// Multi-pass mode, one pass: adds up to four more targets to the sums of every changed block. Two buffers of sums are read and
// written by turns, as in Dawn's Stream Out method (GPU Gems 3, chapter 3).

// The same constant as in `blend/gpu/modes.rs`.
const TARGETS_PER_PASS: u32 = 4u;
// [block][component][quad]: the sums so far; units as in morph_deltas. Pass 0 does not read them.
@group(0) @binding(2) var<storage, read> sums_before: array<Number>;
// [block][component][quad]: the sums including the targets of this pass; units as in morph_deltas.
@group(0) @binding(3) var<storage, read_write> sums_after: array<Number>;

struct Pass {
    index: u32,
}

// The number of this pass, counted from 0. A dynamic offset selects it.
@group(0) @binding(4) var<uniform> this_pass: Pass;

fn load_sum(at: u32) -> Number {
    return sums_before[at];
}

fn store_sum(at: u32, sum: Number) {
    sums_after[at] = sum;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn add_four_targets(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let index = run_block(group, groups, invocation).x;
    if index == NO_BLOCK {
        return;
    }
    let block = morph_blocks[index];
    let quad = invocation % QUADS_PER_BLOCK;
    let end_entry = block.x + block.y;
    let first_entry = min(block.x + this_pass.index * TARGETS_PER_PASS, end_entry);
    var sum = Attributes();
    if this_pass.index > 0u {
        sum = read_sum(index, quad);
    }
    sum = morph_sum(sum, block, quad, first_entry, min(first_entry + TARGETS_PER_PASS, end_entry));
    write_sum(index, quad, sum);
}
