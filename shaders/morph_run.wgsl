// Which blocks a dispatch works on: one workgroup per changed block.

// A run of the list of changed blocks: those whose deltas are in the bound page.
struct Run {
    first: u32,
    count: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
// [changed], indices of blocks, ascending.
@group(0) @binding(1) var<storage, read> changed_blocks: array<u32>;

// Stands for "nothing to do": dispatches are two-dimensional, their last row may be longer than the run.
const NO_BLOCK: u32 = 0xffffffffu;

fn run_block(group: vec3u, groups: vec3u) -> u32 {
    let at = group.y * groups.x + group.x;
    if at >= run.count {
        return NO_BLOCK;
    }
    return changed_blocks[run.first + at];
}
