//! The shaders of Smirk as texts, which the crates that draw and blend join to modules.
//!
//! [`morph`]: the morph sum, and the normals after it, for `smirk-graphics`. [`picture`]: everything that is drawn, for
//! `smirk-picture`. WGSL has no preprocessor, and its declarations may come in any order, so that modules are made by concatenation.
#![warn(unreachable_pub)]

/// The texts of `morph/`.
pub mod morph {
    pub const COMPUTE: &str = include_str!("morph/compute.wgsl");
    pub const EXACT_ONE: &str = include_str!("morph/exact_one.wgsl");
    pub const EXACT_QUAD: &str = include_str!("morph/exact_quad.wgsl");
    pub const MULTIPASS: &str = include_str!("morph/multipass.wgsl");
    pub const NORMALS: &str = include_str!("morph/normals.wgsl");
    pub const ONE: &str = include_str!("morph/one.wgsl");
    pub const OUTPUT: &str = include_str!("morph/output.wgsl");
    pub const PACKED_ONE: &str = include_str!("morph/packed_one.wgsl");
    pub const PACKED_QUAD: &str = include_str!("morph/packed_quad.wgsl");
    pub const PAGE: &str = include_str!("morph/page.wgsl");
    pub const PAGES: &str = include_str!("morph/pages.wgsl");
    pub const QUAD: &str = include_str!("morph/quad.wgsl");
    pub const READ_BACK: &str = include_str!("morph/read_back.wgsl");
    pub const RESOLVE: &str = include_str!("morph/resolve.wgsl");
    pub const RUN: &str = include_str!("morph/run.wgsl");
    pub const SUM: &str = include_str!("morph/sum.wgsl");
    pub const SUMS_READ: &str = include_str!("morph/sums_read.wgsl");
    pub const SUMS_WRITTEN: &str = include_str!("morph/sums_written.wgsl");
}

/// The texts of `picture/`.
pub mod picture {
    pub const FRAME: &str = include_str!("picture/frame.wgsl");
    pub const TONE: &str = include_str!("picture/tone.wgsl");
    pub const BACKGROUND: &str = include_str!("picture/background.wgsl");
    pub const BLIT: &str = include_str!("picture/blit.wgsl");

    pub const MESH: &str = include_str!("picture/geometry/mesh.wgsl");
    pub const NODE_TRANSFORM: &str = include_str!("picture/geometry/node_transform.wgsl");
    pub const SKIN_TRANSFORM: &str = include_str!("picture/geometry/skin_transform.wgsl");

    pub const LIGHT: &str = include_str!("picture/light/light.wgsl");
    pub const REFLECTION: &str = include_str!("picture/light/reflection.wgsl");
    pub const STUDIO: &str = include_str!("picture/light/studio.wgsl");
    pub const SHADOW: &str = include_str!("picture/light/shadow.wgsl");
    pub const DOMES: &str = include_str!("picture/light/domes.wgsl");
    pub const PANEL: &str = include_str!("picture/light/panel.wgsl");
    pub const ARRIVING: &str = include_str!("picture/light/arriving.wgsl");
    pub const FILE_LIGHTS: &str = include_str!("picture/light/file_lights.wgsl");

    pub const MATERIAL: &str = include_str!("picture/surface/material.wgsl");
    pub const UV_TRANSFORM: &str = include_str!("picture/surface/uv_transform.wgsl");
    pub const SAMPLE: &str = include_str!("picture/surface/sample.wgsl");
    pub const SHEEN_AND_CLEARCOAT: &str = include_str!("picture/surface/sheen_and_clearcoat.wgsl");
    pub const SURFACE: &str = include_str!("picture/surface/surface.wgsl");
    pub const BESIDE_TOON: &str = include_str!("picture/surface/beside_toon.wgsl");
    pub const TIERS: &str = include_str!("picture/surface/tiers.wgsl");
    pub const BY_VERTEX: &str = include_str!("picture/surface/by_vertex.wgsl");
    pub const STEPS: &str = include_str!("picture/surface/steps.wgsl");
    pub const SURFACE_NORMAL_MAPPED: &str = include_str!("picture/surface/surface_normal_mapped.wgsl");
    pub const VERTEX_FROM_BUFFER: &str = include_str!("picture/surface/vertex_from_buffer.wgsl");
    pub const VERTEX_FROM_MORPH: &str = include_str!("picture/surface/vertex_from_morph.wgsl");

    pub const TOON_MATERIAL: &str = include_str!("picture/toon/material.wgsl");
    pub const TOON: &str = include_str!("picture/toon/toon.wgsl");
    pub const TOON_FROM_BUFFER: &str = include_str!("picture/toon/from_buffer.wgsl");
    pub const TOON_FROM_MORPH: &str = include_str!("picture/toon/from_morph.wgsl");

    pub const ROLES: &str = include_str!("picture/role/roles.wgsl");
    pub const BY_ROLE: &str = include_str!("picture/role/by_role.wgsl");
    pub const SKIN: &str = include_str!("picture/role/skin.wgsl");
    pub const EYE: &str = include_str!("picture/role/eye.wgsl");
    pub const HAIR: &str = include_str!("picture/role/hair.wgsl");
    pub const LASH: &str = include_str!("picture/role/lash.wgsl");
    pub const TEETH: &str = include_str!("picture/role/teeth.wgsl");

    pub const VIEW: &str = include_str!("picture/view/view.wgsl");
    pub const VIEW_PATTERNS: &str = include_str!("picture/view/patterns.wgsl");
    pub const COLOR_SCALE: &str = include_str!("picture/view/color_scale.wgsl");
    pub const VIEW_INTERSECTIONS: &str = include_str!("picture/view/intersections.wgsl");
    pub const VIEW_EDGES: &str = include_str!("picture/view/edges.wgsl");
    pub const VIEW_FROM_BUFFER: &str = include_str!("picture/view/view_from_buffer.wgsl");
    pub const VIEW_FROM_MORPH: &str = include_str!("picture/view/view_from_morph.wgsl");

    pub const REGION: &str = include_str!("picture/refinement/region.wgsl");
    pub const ACCUMULATE: &str = include_str!("picture/refinement/accumulate.wgsl");
    pub const FINISH: &str = include_str!("picture/refinement/finish.wgsl");

    pub const STRANDS: &str = include_str!("picture/strands/strands.wgsl");
}
