//! The WGSL texts, joined by plain concatenation: in WGSL declarations may come in any order. [`Template`] makes modules of them.

mod template;

pub(super) use template::{PipelineModule, Template};

const FRAME: &str = include_str!("../../shaders/frame.wgsl");
const TONE: &str = include_str!("../../shaders/tone.wgsl");
const BACKGROUND: &str = include_str!("../../shaders/background.wgsl");

const MESH: &str = include_str!("../../shaders/geometry/mesh.wgsl");
const NODE_TRANSFORM: &str = include_str!("../../shaders/geometry/node_transform.wgsl");
const SKIN_TRANSFORM: &str = include_str!("../../shaders/geometry/skin_transform.wgsl");

const LIGHT: &str = include_str!("../../shaders/light/light.wgsl");
const REFLECTION: &str = include_str!("../../shaders/light/reflection.wgsl");
const STUDIO: &str = include_str!("../../shaders/light/studio.wgsl");
const SHADOW: &str = include_str!("../../shaders/light/shadow.wgsl");
const DOMES: &str = include_str!("../../shaders/light/domes.wgsl");
const FILE_LIGHTS: &str = include_str!("../../shaders/light/file_lights.wgsl");

const MATERIAL: &str = include_str!("../../shaders/surface/material.wgsl");
const SHEEN_AND_CLEARCOAT: &str = include_str!("../../shaders/surface/sheen_and_clearcoat.wgsl");
const SURFACE: &str = include_str!("../../shaders/surface/surface.wgsl");
const TIERS: &str = include_str!("../../shaders/surface/tiers.wgsl");
const BY_VERTEX: &str = include_str!("../../shaders/surface/by_vertex.wgsl");
const STEPS: &str = include_str!("../../shaders/surface/steps.wgsl");
const SURFACE_NORMAL_MAPPED: &str = include_str!("../../shaders/surface/surface_normal_mapped.wgsl");
const VERTEX_FROM_BUFFER: &str = include_str!("../../shaders/surface/vertex_from_buffer.wgsl");
const VERTEX_FROM_MORPH: &str = include_str!("../../shaders/surface/vertex_from_morph.wgsl");

const ROLES: &str = include_str!("../../shaders/role/roles.wgsl");
const BY_ROLE: &str = include_str!("../../shaders/role/by_role.wgsl");
const SKIN: &str = include_str!("../../shaders/role/skin.wgsl");
const EYE: &str = include_str!("../../shaders/role/eye.wgsl");
const HAIR: &str = include_str!("../../shaders/role/hair.wgsl");
const LASH: &str = include_str!("../../shaders/role/lash.wgsl");
const TEETH: &str = include_str!("../../shaders/role/teeth.wgsl");

const VIEW: &str = include_str!("../../shaders/view/view.wgsl");
const VIEW_PATTERNS: &str = include_str!("../../shaders/view/patterns.wgsl");
const COLOR_SCALE: &str = include_str!("../../shaders/view/color_scale.wgsl");
const VIEW_INTERSECTIONS: &str = include_str!("../../shaders/view/intersections.wgsl");
const VIEW_EDGES: &str = include_str!("../../shaders/view/edges.wgsl");
const VIEW_FROM_BUFFER: &str = include_str!("../../shaders/view/view_from_buffer.wgsl");
const VIEW_FROM_MORPH: &str = include_str!("../../shaders/view/view_from_morph.wgsl");

const REGION: &str = include_str!("../../shaders/refinement/region.wgsl");
const ACCUMULATE: &str = include_str!("../../shaders/refinement/accumulate.wgsl");
const FINISH: &str = include_str!("../../shaders/refinement/finish.wgsl");
const STRANDS: &str = include_str!("../../shaders/strands/strands.wgsl");

/// Draws a finished picture onto the window.
pub(super) const BLIT: &str = include_str!("../../shaders/blit.wgsl");

/// The transform of a vertex to world space: that of its mesh's node, or that of the joints of its skin.
pub(super) fn vertex_transform(is_skinned: bool) -> String {
    [MESH, if is_skinned { SKIN_TRANSFORM } else { NODE_TRANSFORM }].join("\n")
}

/// The module of the head's surface, with vertices from a buffer that already holds the blended shape.
pub(super) fn surface_from_buffer(is_skinned: bool) -> String {
    [surface(is_skinned).as_str(), VERTEX_FROM_BUFFER].join("\n")
}

/// The module of the head's surface, whose vertex stage sums the targets by the blender's WGSL text `morph`.
pub(super) fn surface_from_morph(morph: &str, is_skinned: bool) -> String {
    [surface(is_skinned).as_str(), VERTEX_FROM_MORPH, morph].join("\n")
}

/// The text of the surface's module without the vertex stage.
fn surface(is_skinned: bool) -> String {
    [
        FRAME,
        &vertex_transform(is_skinned),
        TONE,
        MATERIAL,
        ROLES,
        LIGHT,
        REFLECTION,
        STUDIO,
        SHADOW,
        DOMES,
        FILE_LIGHTS,
        SHEEN_AND_CLEARCOAT,
        SURFACE,
        SURFACE_NORMAL_MAPPED,
        BY_VERTEX,
        BY_ROLE,
        STEPS,
        SKIN,
        EYE,
        HAIR,
        LASH,
        TEETH,
        TIERS,
    ]
    .join("\n")
}

/// The module of the views of the surface, with vertices from a buffer that already holds the blended shape.
pub(super) fn view_from_buffer(is_skinned: bool) -> String {
    [view(is_skinned).as_str(), VIEW_FROM_BUFFER].join("\n")
}

/// The module of the views of the surface, whose vertex stage sums the targets by the blender's WGSL text `morph`.
pub(super) fn view_from_morph(morph: &str, is_skinned: bool) -> String {
    [view(is_skinned).as_str(), VIEW_FROM_MORPH, morph].join("\n")
}

/// The text of the views' module without the vertex stage.
fn view(is_skinned: bool) -> String {
    [surface(is_skinned).as_str(), VIEW, VIEW_PATTERNS, COLOR_SCALE, VIEW_INTERSECTIONS, VIEW_EDGES].join("\n")
}

/// The module that adds a sample of an accumulated picture to the mean.
pub(super) fn accumulate() -> String {
    [REGION, ACCUMULATE].join("\n")
}

/// The module that makes a picture of the mean of the samples.
pub(super) fn finish() -> String {
    [FRAME, REGION, TONE, BACKGROUND, FINISH].join("\n")
}

/// The module of hair that is drawn as strands.
pub(super) fn strands() -> String {
    [surface(false).as_str(), STRANDS].join("\n")
}

/// The module of the background behind the head.
pub(super) fn background() -> String {
    [FRAME, BACKGROUND].join("\n")
}

#[cfg(test)]
mod branches_tests;
#[cfg(test)]
mod tests;
