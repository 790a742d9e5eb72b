// The morph sum of a quad, which is four neighbouring vertices, for compute shaders. These load whole vectors, because on a software
// adapter the cost is per load and not per number, and other adapters are quicker with wide loads as well. Joined with
// morph/exact_quad.wgsl or morph/packed_quad.wgsl, which read the pairs of a quad from memory.

alias Number = vec4f;

const QUADS_PER_BLOCK: u32 = MORPH_BLOCK_SIZE / 4u;
