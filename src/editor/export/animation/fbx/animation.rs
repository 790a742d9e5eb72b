//! A clip as an animation stack of FBX, with a curve for each blend shape.

use super::geometry::ShapeChannel;
use super::node::{Node, property};
use super::objects::{Objects, named};
use crate::export::animation::recording::{FrameKeys, Recording};
use crate::export::animation::scene::ShapeScene;
use smirk_base::progress::{Cancelled, Progress};

/// Ticks per second, in which FBX counts time.
const TICKS_PER_SEC: f64 = 46_186_158_000.0;
/// The curve is straight from this key to the next.
const LINEAR: i32 = 4;

/// The start of a frame of a recording in ticks.
pub(super) fn ticks(recording: &Recording, frame: usize) -> i64 {
    (recording.performance.secs_of(frame) * TICKS_PER_SEC).round() as i64
}

/// Writes a clip. Shapes that stay at their weight at rest get no curve.
pub(super) fn write(
    recording: &Recording,
    scene: &ShapeScene,
    channels: &[ShapeChannel],
    tolerance: Option<f32>,
    objects: &mut Objects,
    progress: Progress<'_>,
) -> Result<(), Cancelled> {
    let end = ticks(recording, recording.frame_count() - 1);
    let time = |name: &str, ticks: i64| property(name, "KTime", "Time", "").long(ticks);
    let properties = Node::new("Properties70")
        .with(time("LocalStart", 0))
        .with(time("LocalStop", end))
        .with(time("ReferenceStart", 0))
        .with(time("ReferenceStop", end));
    let stack = objects.add("AnimationStack", &named(&recording.name, "AnimStack"), "", vec![properties]);
    let layer = objects.add("AnimationLayer", &named("BaseLayer", "AnimLayer"), "", Vec::new());
    objects.connect(layer, stack);
    let mut curves: Vec<Option<FrameKeys>> = Vec::with_capacity(scene.shapes.len());
    for (index, shape) in scene.shapes.iter().enumerate() {
        progress.step("writing", index, scene.shapes.len())?;
        let weights: Vec<f32> = recording.target(shape.target).collect();
        let moves = weights.iter().any(|weight| *weight != shape.default_weight);
        curves.push(moves.then(|| recording.keys(weights, 1, tolerance)));
    }
    for channel in channels {
        let Some(keys) = &curves[channel.shape] else { continue };
        let percent = |weight: f32| f64::from(weight) * 100.0;
        let first = keys.values.first().copied().map_or(0.0, percent);
        let value = property("d|DeformPercent", "Number", "", "A").double(first);
        let inside = vec![Node::new("Properties70").with(value)];
        let node = objects.add("AnimationCurveNode", &named("DeformPercent", "AnimCurveNode"), "", inside);
        objects.connect(node, layer);
        objects.connect_to_property(node, channel.id, "DeformPercent");
        let inside = vec![
            Node::new("Default").double(first),
            Node::new("KeyVer").int(4008),
            Node::new("KeyTime").longs(keys.frames.iter().map(|&frame| ticks(recording, frame))),
            Node::new("KeyValueFloat").floats(keys.values.iter().map(|&weight| percent(weight) as f32)),
            Node::new("KeyAttrFlags").ints(std::iter::once(LINEAR)),
            Node::new("KeyAttrDataFloat").floats([0.0; 4].into_iter()),
            Node::new("KeyAttrRefCount").ints(std::iter::once(keys.frames.len() as i32)),
        ];
        let curve = objects.add("AnimationCurve", &named("", "AnimCurve"), "", inside);
        objects.connect_to_property(curve, node, "d|DeformPercent");
    }
    Ok(())
}
