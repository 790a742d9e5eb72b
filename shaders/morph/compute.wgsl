// Compute mode: one pass does the whole blend, with the sums in registers.

// The values of `run.cached_sums`, the same as in `blend/gpu/tables.rs`.
const CACHED_SUMS_WRITE: u32 = 1u;
const CACHED_SUMS_READ: u32 = 2u;

// [block][component][quad]: the sums of all active targets that are not moving; units as in morph_deltas.
@group(0) @binding(4) var<storage, read_write> cached_sums: array<Number>;

fn load_sum(at: u32) -> Number {
    return cached_sums[at];
}

fn store_sum(at: u32, sum: Number) {
    cached_sums[at] = sum;
}

@compute @workgroup_size(WORKGROUP_SIZE)
fn blend_blocks(
    @builtin(workgroup_id) group: vec3u,
    @builtin(num_workgroups) groups: vec3u,
    @builtin(local_invocation_index) invocation: u32,
) {
    let changed = run_block(group, groups, invocation);
    if changed.x == NO_BLOCK {
        return;
    }
    let block = morph_blocks[changed.x];
    let quad = invocation % QUADS_PER_BLOCK;
    var sum = Attributes();
    if run.cached_sums == CACHED_SUMS_READ {
        sum = read_sum(changed.x, quad);
    } else {
        sum = morph_sum(sum, block, quad, block.x, block.x + block.y);
    }
    if run.cached_sums == CACHED_SUMS_WRITE {
        write_sum(changed.x, quad, sum);
    }
    sum = morph_sum(sum, block, quad, changed.y, changed.z);
    let head_quad = changed.x * QUADS_PER_BLOCK + quad;
    write_quad(head_quad, morph_add(base_quad(head_quad), sum));
}
