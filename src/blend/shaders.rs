//! The WGSL of the blend modes, joined by plain concatenation. One text of the morph sum is part of every module.

/// Bindings for deltas in one page, and the morph sum: `morphed_vertex`, group 1.
pub const ONE_PAGE: &str =
    concat!(include_str!("../../shaders/morph_page.wgsl"), include_str!("../../shaders/morph.wgsl"));

/// The same for deltas in up to [`MAX_PAGES`] pages.
pub const MANY_PAGES: &str =
    concat!(include_str!("../../shaders/morph_pages.wgsl"), include_str!("../../shaders/morph.wgsl"));

/// How many pages [`MANY_PAGES`] binds.
pub const MAX_PAGES: usize = 8;

/// Compute mode.
pub const COMPUTE: &str = concat!(
    include_str!("../../shaders/morph_page.wgsl"),
    include_str!("../../shaders/morph.wgsl"),
    include_str!("../../shaders/morph_run.wgsl"),
    include_str!("../../shaders/morph_output.wgsl"),
    include_str!("../../shaders/morph_compute.wgsl"),
);

/// Multi-pass mode, a pass over four targets.
pub const MULTIPASS: &str = concat!(
    include_str!("../../shaders/morph_page.wgsl"),
    include_str!("../../shaders/morph.wgsl"),
    include_str!("../../shaders/morph_run.wgsl"),
    include_str!("../../shaders/morph_multipass.wgsl"),
);

/// Multi-pass mode, the last step.
pub const RESOLVE: &str = concat!(
    include_str!("../../shaders/morph_page.wgsl"),
    include_str!("../../shaders/morph.wgsl"),
    include_str!("../../shaders/morph_run.wgsl"),
    include_str!("../../shaders/morph_output.wgsl"),
    include_str!("../../shaders/morph_resolve.wgsl"),
);

/// Vertex mode drawn as points, to be joined behind [`ONE_PAGE`] or [`MANY_PAGES`].
pub const READ_BACK: &str = include_str!("../../shaders/morph_read_back.wgsl");

/// Normals recomputed from the deformed surface, after the blend.
pub const NORMALS: &str = include_str!("../../shaders/normals.wgsl");
