// The morph tables, deltas in one page. Group 1 in every pipeline.

// [block]; entry_count is 0 where no active target touches the block.
@group(1) @binding(0) var<storage, read> morph_blocks: array<MorphBlock>;
// [entry], a block's entries one after the other, by target.
@group(1) @binding(1) var<storage, read> morph_entries: array<MorphEntry>;
// [column][pair][lane]: position xyz in metres (the file's unit), normal xyz and tangent xyz without unit.
@group(1) @binding(2) var<storage, read> morph_deltas: array<vec2f>;

fn morph_delta_pair(page: u32, at: u32) -> vec2f {
    return morph_deltas[at];
}
