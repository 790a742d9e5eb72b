// The morph tables, deltas in one page. Group 1 in every pipeline.

// [block]; entry_count is 0 where no active target touches the block.
@group(1) @binding(0) var<storage, read> morph_blocks: array<MorphBlock>;
// [entry], a block's entries one after the other, by target.
@group(1) @binding(1) var<storage, read> morph_entries: array<MorphEntry>;
// [column][component][lane]; position in metres (the file's unit), normal and tangent without unit.
@group(1) @binding(2) var<storage, read> morph_deltas: array<f32>;

fn morph_delta(page: u32, at: u32) -> f32 {
    return morph_deltas[at];
}
