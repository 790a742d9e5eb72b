//! The WGSL of the blend modes, joined by plain concatenation. One text of the morph sum is part of every module.

use super::Precision;

/// How many pages of deltas the vertex stage binds where one is not enough.
pub const MAX_PAGES: usize = 8;

/// Bindings for deltas in one page or up to [`MAX_PAGES`], and the morph sum: `morphed_vertex`, group 1.
pub fn morph(precision: Precision, page_count: usize) -> String {
    let numbers = match precision {
        Precision::Exact => include_str!("../../shaders/morph_exact.wgsl"),
        Precision::Packed => include_str!("../../shaders/morph_packed.wgsl"),
    };
    let pages = if page_count == 1 {
        include_str!("../../shaders/morph_page.wgsl")
    } else {
        include_str!("../../shaders/morph_pages.wgsl")
    };
    [numbers, pages, include_str!("../../shaders/morph.wgsl")].concat()
}

/// Sums that are kept between dispatches.
const SUMS_READ: &str = include_str!("../../shaders/morph_sums_read.wgsl");
const SUMS_WRITTEN: &str = include_str!("../../shaders/morph_sums_written.wgsl");

/// Compute mode.
pub fn compute(precision: Precision) -> String {
    [
        &morph(precision, 1),
        include_str!("../../shaders/morph_run.wgsl"),
        include_str!("../../shaders/morph_output.wgsl"),
        SUMS_READ,
        SUMS_WRITTEN,
        include_str!("../../shaders/morph_compute.wgsl"),
    ]
    .concat()
}

/// Multi-pass mode, a pass over four targets.
pub fn multipass(precision: Precision) -> String {
    [
        &morph(precision, 1),
        include_str!("../../shaders/morph_run.wgsl"),
        SUMS_READ,
        SUMS_WRITTEN,
        include_str!("../../shaders/morph_multipass.wgsl"),
    ]
    .concat()
}

/// Multi-pass mode, the last step.
pub fn resolve(precision: Precision) -> String {
    [
        &morph(precision, 1),
        include_str!("../../shaders/morph_run.wgsl"),
        include_str!("../../shaders/morph_output.wgsl"),
        SUMS_READ,
        include_str!("../../shaders/morph_resolve.wgsl"),
    ]
    .concat()
}

/// Vertex mode drawn as points, to be joined behind [`morph`].
pub const READ_BACK: &str = include_str!("../../shaders/morph_read_back.wgsl");

/// Normals recomputed from the deformed surface, after the blend.
pub const NORMALS: &str = include_str!("../../shaders/normals.wgsl");
