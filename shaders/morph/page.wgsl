// The morph tables, deltas in one page. Group 1 wherever targets are summed. Joined with a file that says what is loaded at once:
// `MorphLoad`.

// [block]: first entry, number of entries (0 where no active target touches the block), page, the column its page begins with.
@group(1) @binding(0) var<storage, read> morph_blocks: array<vec4u>;
// [entry], a block's entries one after the other, by target: column, and bits of the weights of position, normal, tangent.
// Whole vectors, because a software adapter pays per load and not per number.
@group(1) @binding(1) var<storage, read> morph_entries: array<vec4u>;
// [column][pair][lane]: position xyz in metres (the file's unit), normal xyz and tangent xyz without unit;
// packed, two to a word.
@group(1) @binding(2) var<storage, read> morph_deltas: array<MorphLoad>;

fn morph_load(page: u32, at: u32) -> MorphLoad {
    return morph_deltas[at];
}
