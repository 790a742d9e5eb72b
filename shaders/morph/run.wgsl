// Which blocks a dispatch works on: four changed blocks per workgroup, a quad of vertices per invocation.

// A part of the list of changed blocks: those whose deltas are in the bound page.
struct Run {
    first: u32,
    count: u32,
    // The use of the cached sums of the targets that are not moving: 0 they are not used, 1 they are written, 2 they are read.
    cached_sums: u32,
    padding: u32,
}

// The run of this dispatch, selected by a dynamic offset.
@group(0) @binding(0) var<uniform> run: Run;
// [changed block]: the index of the block, then the first entry of its moving targets and the one after the last; the fourth number
// is not used.
@group(0) @binding(1) var<storage, read> changed_blocks: array<vec4u>;

const WORKGROUP_SIZE: u32 = 64u;
const BLOCKS_PER_WORKGROUP: u32 = WORKGROUP_SIZE / QUADS_PER_BLOCK;

// Returned if there is no block for an invocation: the last workgroup and the last row of workgroups may reach beyond the run.
const NO_BLOCK: u32 = 0xffffffffu;

fn run_block(group: vec3u, groups: vec3u, invocation: u32) -> vec4u {
    let at = (group.y * groups.x + group.x) * BLOCKS_PER_WORKGROUP + invocation / QUADS_PER_BLOCK;
    if at >= run.count {
        return vec4u(NO_BLOCK);
    }
    return changed_blocks[run.first + at];
}
