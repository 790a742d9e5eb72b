//! The WGSL of the blend modes, joined by plain concatenation. One text of the morph sum is part of every module.

use crate::blend::{BLOCK_SIZE, Precision};

/// How many pages of deltas the vertex stage binds where one is not enough.
pub const MAX_PAGES: usize = 8;

/// Invocations per workgroup.
pub const WORKGROUP_SIZE: u32 = 64;

/// Vertices an invocation of a dispatch blends.
const QUAD: u32 = 4;

/// How many blocks a workgroup blends: one alone has too few quads to fill it.
pub const BLOCKS_PER_WORKGROUP: u32 = WORKGROUP_SIZE * QUAD / BLOCK_SIZE as u32;

/// The morph sum whatever it is of, and the bindings of deltas in one page: group 1.
const SUM: &str = include_str!("../../../shaders/morph/sum.wgsl");
const PAGE: &str = include_str!("../../../shaders/morph/page.wgsl");

/// Bindings for deltas in one page or up to [`MAX_PAGES`], and the morph sum of one vertex, for the vertex stage: `morphed_vertex`,
/// group 1.
pub fn morph_one(precision: Precision, page_count: usize) -> String {
    let numbers = match precision {
        Precision::Exact => include_str!("../../../shaders/morph/exact_one.wgsl"),
        Precision::Packed => include_str!("../../../shaders/morph/packed_one.wgsl"),
    };
    let pages = if page_count == 1 { PAGE } else { include_str!("../../../shaders/morph/pages.wgsl") };
    [numbers, include_str!("../../../shaders/morph/one.wgsl"), pages, SUM].concat()
}

/// The morph sum of four vertices at once, for a dispatch over blocks whose deltas are in one page.
fn quads(precision: Precision) -> String {
    let numbers = match precision {
        Precision::Exact => include_str!("../../../shaders/morph/exact_quad.wgsl"),
        Precision::Packed => include_str!("../../../shaders/morph/packed_quad.wgsl"),
    };
    let run = include_str!("../../../shaders/morph/run.wgsl");
    [numbers, include_str!("../../../shaders/morph/quad.wgsl"), PAGE, SUM, run].concat()
}

/// Sums that are kept between dispatches.
const SUMS_READ: &str = include_str!("../../../shaders/morph/sums_read.wgsl");
const SUMS_WRITTEN: &str = include_str!("../../../shaders/morph/sums_written.wgsl");

/// Compute mode.
pub fn compute(precision: Precision) -> String {
    [
        &quads(precision),
        include_str!("../../../shaders/morph/output.wgsl"),
        SUMS_READ,
        SUMS_WRITTEN,
        include_str!("../../../shaders/morph/compute.wgsl"),
    ]
    .concat()
}

/// Multi-pass mode, a pass over four targets.
pub fn multipass(precision: Precision) -> String {
    [&quads(precision), SUMS_READ, SUMS_WRITTEN, include_str!("../../../shaders/morph/multipass.wgsl")].concat()
}

/// Multi-pass mode, the last step.
pub fn resolve(precision: Precision) -> String {
    [
        &quads(precision),
        include_str!("../../../shaders/morph/output.wgsl"),
        SUMS_READ,
        include_str!("../../../shaders/morph/resolve.wgsl"),
    ]
    .concat()
}

/// Vertex mode drawn as points, to be joined behind [`morph_one`].
pub const READ_BACK: &str = include_str!("../../../shaders/morph/read_back.wgsl");

/// Normals recomputed from the deformed surface, after the blend.
pub const NORMALS: &str = include_str!("../../../shaders/normals.wgsl");
