// Which blocks a dispatch works on: four of the changed ones per workgroup, a quad per invocation.

// A run of the list of changed blocks: those whose deltas are in the bound page.
struct Run {
    first: u32,
    count: u32,
    // What becomes of the sums of what rests under a hand: 0 nothing, 1 they are kept, 2 they are taken as they were kept.
    cached_sums: u32,
    padding: u32,
}

@group(0) @binding(0) var<uniform> run: Run;
// [changed], by block: its index, where its entries that move under a hand begin and end.
@group(0) @binding(1) var<storage, read> changed_blocks: array<vec4u>;

const WORKGROUP_SIZE: u32 = 64u;
const BLOCKS_PER_WORKGROUP: u32 = WORKGROUP_SIZE / QUADS_PER_BLOCK;

// Stands for "nothing to do": the last workgroup may be longer than the run, and the last row of workgroups.
const NO_BLOCK: u32 = 0xffffffffu;

fn run_block(group: vec3u, groups: vec3u, invocation: u32) -> vec4u {
    let at = (group.y * groups.x + group.x) * BLOCKS_PER_WORKGROUP + invocation / QUADS_PER_BLOCK;
    if at >= run.count {
        return vec4u(NO_BLOCK);
    }
    return changed_blocks[run.first + at];
}
