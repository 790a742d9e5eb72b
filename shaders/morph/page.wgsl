// The morph tables, with the deltas in one page: group 1 of every shader that sums targets. Joined with a file that defines
// `MorphLoad`, the type of one load.

// [block]: first entry, number of entries (0 where no active target touches the block), page, first column of the page.
@group(1) @binding(0) var<storage, read> morph_blocks: array<vec4u>;
// [entry], a block's entries one after the other, by target: column, then the bits of the f32 weights of position, normal and
// tangent, without unit. They are loaded as whole vectors, because on a software adapter the cost is per load and not per number.
@group(1) @binding(1) var<storage, read> morph_entries: array<vec4u>;
// [column][pair][lane]: position xyz in metres (the file's unit), normal xyz and tangent xyz without unit.
// If packed, two numbers per word, in units of the word.
@group(1) @binding(2) var<storage, read> morph_deltas: array<MorphLoad>;

fn morph_load(page: u32, at: u32) -> MorphLoad {
    return morph_deltas[at];
}
