//! The estimated size of an export of an animation.

use super::clip::AnimationClip;
use super::format::AnimationFormat;
use crate::export::head::texture_bytes;
use smirk_face::head::{Head, Target};

/// About how large the file of clips of a head becomes; with sparse keys, it may be far smaller.
pub(super) fn bytes(clips: &[AnimationClip], head: &Head, format: AnimationFormat, with_head: bool) -> u64 {
    let frames: usize = clips.iter().map(|clip| clip.span.count()).sum();
    let (channels, targets) = (head.channels.len() as u64, head.target_count() as u64);
    // The numbers of bytes are those of the bundled head.
    let (of_frame, of_names) = match format {
        AnimationFormat::Gltf => (4 * targets, 60 * targets),
        AnimationFormat::Fbx => (12 * targets, 900 * targets),
        AnimationFormat::Usd => (9 * channels, 250 * targets),
        AnimationFormat::LiveLink => (61 * 13 + 20, 0),
        AnimationFormat::Table | AnimationFormat::Audio2Face => (8 * channels, 20 * channels),
        AnimationFormat::MediaPipe => (75 * channels, 0),
        AnimationFormat::Keys => (60 * channels, 40 * channels),
    };
    let of_head = match format {
        _ if !with_head => 0,
        AnimationFormat::Gltf => geometry(head, [60, 12, 28]) + texture_bytes(head),
        AnimationFormat::Fbx => geometry(head, [40, 120, 52]),
        AnimationFormat::Usd => geometry(head, [120, 30, 80]),
        _ => 0,
    };
    of_frame * frames as u64 + of_names + of_head + 1024
}

/// The bytes of a head's meshes, from those of a vertex, a triangle and a moved vertex of a target.
fn geometry(head: &Head, [of_vertex, of_triangle, of_row]: [u64; 3]) -> u64 {
    let shapes = head.meshes.iter().flat_map(|mesh| &mesh.targets).flat_map(Target::shapes);
    let rows: usize = shapes.map(|shape| shape.rows.len()).sum();
    head.vertex_count() as u64 * of_vertex + head.triangle_count() as u64 * of_triangle + rows as u64 * of_row
}
