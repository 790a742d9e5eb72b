// The morph sum of a quad: four neighbours at once, as the dispatches want it. They load whole vectors, because a software
// adapter pays per load and not per number, and other adapters like wide loads as well. Joined with morph/exact_quad.wgsl or
// morph/packed_quad.wgsl, which say how a quad's pairs lie in memory.

alias Number = vec4f;

const QUADS_PER_BLOCK: u32 = MORPH_BLOCK_SIZE / 4u;
