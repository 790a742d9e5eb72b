//! Clips as a binary FBX file of version 7.4: meshes with blend shapes, and a stack of animation curves for each clip.
//!
//! Autodesk documents the SDK, not the file. The layout follows what Blender's exporter writes (`io_scene_fbx`), and the description of the
//! format by Blender's developers ("FBX binary file format specification", 2013). Points are in metres and in world space, y is
//! up. Every clip starts at 0.

mod animation;
mod document;
mod geometry;
mod node;
mod objects;

use super::recording::Recording;
use super::scene::ShapeScene;
use objects::Objects;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::Head;

/// The bytes of the file.
pub(super) fn bytes(
    recordings: &[Recording],
    head: &Head,
    with_head: bool,
    tolerance: Option<f32>,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    progress.report("writing", 0.0)?;
    let scene = ShapeScene::of(recordings, head, with_head);
    let mut objects = Objects::default();
    let channels = geometry::write(&scene, &mut objects, progress.part_of(0, 1 + recordings.len()))?;
    for (index, recording) in recordings.iter().enumerate() {
        let progress = progress.part_of(1 + index, 1 + recordings.len());
        animation::write(recording, &scene, &channels, tolerance, &mut objects, progress)?;
    }
    Ok(node::file(&document::nodes(recordings, objects)))
}
