//! A clip as a USD stage in text: `UsdSkel` blend shapes, and an animation of their weights.
//!
//! The schema is that of OpenUSD (UsdSkel: `SkelRoot`, `Skeleton`, `SkelAnimation`, `BlendShape`). Points are in metres and in
//! world space, y is up. Frame 0 of the stage is the first frame of the clip.

mod mesh;
mod text;

use super::recording::Recording;
use super::scene::ShapeScene;
use smirk_base::progress::{Cancelled, Progress};
use smirk_face::head::Head;
use text::{Names, Text, joined, quoted};

/// The text of the stage.
pub(super) fn text(
    recording: &Recording,
    head: &Head,
    with_head: bool,
    tolerance: Option<f32>,
    progress: Progress<'_>,
) -> Result<Vec<u8>, Cancelled> {
    progress.report("writing", 0.0)?;
    let scene = ShapeScene::of(std::slice::from_ref(recording), head, with_head);
    let mut names = Names::default();
    let root = names.unique(&head.name);
    let mut text = Text::default();
    let rate = recording.performance.span.rate.frames_per_sec();
    text.line("#usda 1.0");
    text.open("(");
    text.line(format!("defaultPrim = {}", quoted(&root)));
    text.line(format!("endTimeCode = {}", recording.frame_count() - 1));
    text.line(format!("framesPerSecond = {rate}"));
    text.line("metersPerUnit = 1");
    text.line("startTimeCode = 0");
    text.line(format!("timeCodesPerSecond = {rate}"));
    text.line("upAxis = \"Y\"");
    text.close(")");
    text.line("");
    text.open(format!("def SkelRoot {} (\n    prepend apiSchemas = [\"SkelBindingAPI\"]\n)\n{{", quoted(&root)));
    animation(recording, &scene, &root, tolerance, &mut text, progress.part_of(0, 1 + scene.head.meshes.len()))?;
    mesh::meshes(&scene, &root, &mut text, progress)?;
    text.close("}");
    Ok(text.finish().into_bytes())
}

/// The skeleton, which has one joint that stands still, since some programs look for one, and the animation of the weights.
fn animation(
    recording: &Recording,
    scene: &ShapeScene,
    root: &str,
    tolerance: Option<f32>,
    text: &mut Text,
    progress: Progress<'_>,
) -> Result<(), Cancelled> {
    let identity = "[( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )]";
    text.open("def Skeleton \"Skeleton\" (\n        prepend apiSchemas = [\"SkelBindingAPI\"]\n    )\n    {");
    text.line(format!("uniform matrix4d[] bindTransforms = {identity}"));
    text.line("uniform token[] joints = [\"root\"]");
    text.line(format!("uniform matrix4d[] restTransforms = {identity}"));
    text.line(format!("rel skel:animationSource = </{root}/Skeleton/Animation>"));
    text.line("");
    text.open("def SkelAnimation \"Animation\"\n        {");
    text.line(format!(
        "uniform token[] blendShapes = [{}]",
        joined(scene.shapes.iter().map(|shape| quoted(&shape.name)))
    ));
    text.open("float[] blendShapeWeights.timeSamples = {");
    let width = scene.shapes.len();
    let keys = recording.keys(scene.weights(recording), width, tolerance);
    let rows = keys.frames.iter().zip(keys.values.chunks_exact(width.max(1)));
    for (index, (frame, weights)) in rows.enumerate() {
        progress.step("writing", index, keys.frames.len())?;
        text.line(format!("{frame}: [{}],", joined(weights.iter())));
    }
    text.close("}");
    text.line("uniform token[] joints = [\"root\"]");
    text.line("quatf[] rotations = [(1, 0, 0, 0)]");
    text.line("half3[] scales = [(1, 1, 1)]");
    text.line("float3[] translations = [(0, 0, 0)]");
    text.close("}");
    text.close("}");
    Ok(())
}
