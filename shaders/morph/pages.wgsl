// The morph tables, with the deltas in up to eight pages, for adapters whose bindings are too small for one page: group 1.

// [block]: first entry, number of entries (0 where no active target touches the block), page, first column of the page.
@group(1) @binding(0) var<storage, read> morph_blocks: array<vec4u>;
// [entry], a block's entries one after the other, by target: column, then the bits of the f32 weights of position, normal and
// tangent, without unit. They are loaded as whole vectors, because on a software adapter the cost is per load and not per number.
@group(1) @binding(1) var<storage, read> morph_entries: array<vec4u>;
// [column of the page][pair][lane]: position xyz in metres (the file's unit), normal xyz and tangent xyz without unit.
// If packed, two numbers per word, in units of the word.
@group(1) @binding(2) var<storage, read> morph_deltas_0: array<MorphLoad>;
@group(1) @binding(3) var<storage, read> morph_deltas_1: array<MorphLoad>;
@group(1) @binding(4) var<storage, read> morph_deltas_2: array<MorphLoad>;
@group(1) @binding(5) var<storage, read> morph_deltas_3: array<MorphLoad>;
@group(1) @binding(6) var<storage, read> morph_deltas_4: array<MorphLoad>;
@group(1) @binding(7) var<storage, read> morph_deltas_5: array<MorphLoad>;
@group(1) @binding(8) var<storage, read> morph_deltas_6: array<MorphLoad>;
@group(1) @binding(9) var<storage, read> morph_deltas_7: array<MorphLoad>;

fn morph_load(page: u32, at: u32) -> MorphLoad {
    switch page {
        case 0u: { return morph_deltas_0[at]; }
        case 1u: { return morph_deltas_1[at]; }
        case 2u: { return morph_deltas_2[at]; }
        case 3u: { return morph_deltas_3[at]; }
        case 4u: { return morph_deltas_4[at]; }
        case 5u: { return morph_deltas_5[at]; }
        case 6u: { return morph_deltas_6[at]; }
        default: { return morph_deltas_7[at]; }
    }
}
