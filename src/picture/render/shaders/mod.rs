//! The WGSL texts, joined by plain concatenation: in WGSL declarations may come in any order. [`Template`] makes
//! modules of them.

mod template;

pub(super) use template::{PipelineModule, Template};

use smirk_shaders::picture::*;

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
        UV_TRANSFORM,
        MATERIAL,
        ROLES,
        LIGHT,
        REFLECTION,
        PANEL,
        STUDIO,
        SHADOW,
        DOMES,
        ARRIVING,
        FILE_LIGHTS,
        SHEEN_AND_CLEARCOAT,
        BESIDE_TOON,
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
        SAMPLE,
        TIERS,
    ]
    .join("\n")
}

/// The module of surfaces with toon shading and of their outlines, with vertices from a buffer that already holds the
/// blended shape.
pub(super) fn toon_from_buffer(is_skinned: bool) -> String {
    [toon(is_skinned).as_str(), TOON_FROM_BUFFER].join("\n")
}

/// The same module, whose vertex stage sums the targets by the blender's WGSL text `morph`.
pub(super) fn toon_from_morph(morph: &str, is_skinned: bool) -> String {
    [toon(is_skinned).as_str(), TOON_FROM_MORPH, morph].join("\n")
}

/// The text of the toon module without the vertex stage.
fn toon(is_skinned: bool) -> String {
    let transform = vertex_transform(is_skinned);
    [FRAME, &transform, TONE, UV_TRANSFORM, TOON_MATERIAL, PANEL, ARRIVING, SAMPLE, TOON].join("\n")
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
