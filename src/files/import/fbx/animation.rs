//! Animation stacks as clips: weights with the keys of the file, transforms of nodes sampled at the frame rate of the
//! file, because FBX turns nodes by angles about axes and clips by quaternions. FBX has four kinds of interpolation,
//! each from one key to the next; a curve of a clip has one kind for all keys. A curve of a clip that is equal is made
//! from the keys where there is one, else the weight is sampled. What goes on after its last key, because it repeats or
//! keeps its slope, is sampled to the end of its stack. A clip starts where its stack does, which for a shot may be at
//! frame 1001.

use std::collections::HashSet;
use std::sync::Arc;

use ufbx::{
    Anim, AnimCurve, AnimStack, BakeOpts, BakedAnimRoot, BlendChannel, Element, ExtrapolationMode, Keyframe, Scene,
};

use super::channels::channels_of;
use super::nodes::NodeTree;
use super::scene::limited;
use crate::import::fbx::{name_or_number, quat, trs, vec3};
use crate::import::{Fault, Import};
use smirk_face::head::{Clip, Curve, Interpolation, Kind, LocalTransform, NodePath, NodeTrack, Subject, Track, Trs};

const DEFORM_PERCENT: &str = "DeformPercent";

/// A clip for each stack that moves something. `sources` are, per mesh of the head, the index of the file's mesh.
pub(crate) fn read_clips(
    scene: &Scene,
    tree: &NodeTree,
    sources: &[usize],
    import: &mut Import<'_>,
) -> Result<Vec<Clip>, Fault> {
    import.begin("reading animations", 0.9);
    let mut clips = Vec::new();
    for (index, stack) in scene.anim_stacks.iter().enumerate() {
        import.tick_at(0.9 + 0.08 * index as f32 / scene.anim_stacks.len() as f32)?;
        let name = name_or_number(&stack.element, "clip", index);
        let subject = Subject::named(Kind::Animation, &name);
        let starts_at = start_of(stack);
        let mut reader = StackReader { scene, stack, starts_at, subject: &subject, import };
        let tracks = reader.weights(sources)?;
        let node_tracks = reader.nodes(tree)?;
        let rate = reader.frames_per_sec();
        if tracks.is_empty() && node_tracks.is_empty() {
            import.notes.inform(&subject, "moves nothing; left out");
            continue;
        }
        let curves = tracks.iter().map(|track| &track.curve).chain(node_tracks.iter().map(|track| &track.curve));
        let begin = curves.filter_map(|curve| curve.times().first().copied()).fold(0.0, f32::min);
        if begin < -SAME_TIME_SECS {
            let begin = starts_at + f64::from(begin);
            let message = format!("begins at {begin:.2} s; it is played from {starts_at:.2} s, the start of its stack");
            import.notes.warn(&subject, message);
        }
        let clip = Clip::new(name, tracks).with_node_tracks(node_tracks).with_frame_rate(rate as f32);
        clips.push(clip.starting_at(starts_at));
    }
    Ok(clips)
}

/// Times that are closer to each other than this differ by rounding.
const SAME_TIME_SECS: f32 = 1e-4;

/// The time of the file at which a stack starts: as it says, unless all its keys are earlier. One that starts within the
/// first second starts at 0, so that frames of programs that count from 1 have their numbers.
fn start_of(stack: &AnimStack) -> f64 {
    let animated = stack.layers.iter().flat_map(|layer| layer.anim_props.iter());
    let curves = animated.flat_map(|animated| animated.anim_value.curves.iter().flatten());
    let last = curves.map(|curve| curve.max_time).fold(f64::NEG_INFINITY, f64::max);
    let is_elsewhere = !(0.0..1.0).contains(&stack.time_begin);
    if is_elsewhere && stack.time_begin <= last { stack.time_begin } else { 0.0 }
}

struct StackReader<'r, 'a> {
    scene: &'r Scene,
    stack: &'r AnimStack,
    /// The time of the file that is 0 in the clip.
    starts_at: f64,
    subject: &'r Subject,
    import: &'r mut Import<'a>,
}

impl StackReader<'_, '_> {
    /// The tracks of weights: one for each animated channel, on each mesh of the head that has it.
    fn weights(&mut self, sources: &[usize]) -> Result<Vec<Track>, Fault> {
        let mut tracks: Vec<Track> = Vec::new();
        let mut first_target = 0;
        let mut sampled_count = 0;
        for &source in sources {
            let Some(mesh) = self.scene.meshes.get(source) else { continue };
            for (index, channel) in channels_of(mesh).enumerate() {
                self.import.tick()?;
                let Some((curve, is_exact)) = self.curve(channel)? else { continue };
                sampled_count += usize::from(!is_exact);
                // Programs write keys for all channels at the same times.
                let last = tracks.last().filter(|last| last.curve.times() == curve.times());
                let times = last.map(|last| Arc::clone(last.curve.shared_times()));
                let curve = match times {
                    Some(times) => {
                        Curve::sharing(curve.interpolation(), times, curve.values().to_vec(), 1).unwrap_or(curve)
                    }
                    None => curve,
                };
                self.import.budget.spend((curve.bytes() + size_of::<Track>()) as u64, self.subject)?;
                tracks.push(Track { first_target: first_target + index, curve });
            }
            first_target += channels_of(mesh).count();
        }
        if sampled_count > 0 {
            let rate = self.frames_per_sec();
            let message = format!("{sampled_count} of its curves were sampled at {rate} frames per second");
            self.import.notes.inform(self.subject, message);
        }
        Ok(tracks)
    }

    /// The curve of a channel's weight, and whether it has the keys of the file; none if the stack does not animate it.
    fn curve(&mut self, channel: &BlendChannel) -> Result<Option<(Curve, bool)>, Fault> {
        let anim = &self.stack.anim;
        let animated = curves_of(self.stack, channel);
        let Some(first) = animated.first() else { return Ok(None) };
        self.import.budget.spend((first.keyframes.len() * size_of::<[f32; 4]>()) as u64, self.subject)?;
        let ends_at = self.stack.time_end;
        let goes_on = animated.iter().any(|curve| goes_on(curve, ends_at));
        if !goes_on && let Some(curve) = exact(first, self.starts_at, anim, channel) {
            return Ok(Some((curve, true)));
        }
        let times = animated.iter().flat_map(|curve| [curve.min_time, curve.max_time]);
        let last = if goes_on { ends_at } else { f64::NEG_INFINITY };
        let range = (times.clone().fold(f64::INFINITY, f64::min), times.fold(last, f64::max));
        let rate = self.frames_per_sec();
        let bytes = sample_count(range.0, range.1, rate) * size_of::<[f32; 4]>();
        self.import.budget.spend(bytes as u64, self.subject)?;
        let curve = sampled(range, self.starts_at, rate, anim, channel);
        if curve.is_none() {
            let subject = self.subject.part(Subject::named(Kind::Target, &*channel.element.name));
            self.import.notes.warn(subject, "its weights are not finite; left out");
        }
        Ok(curve.map(|curve| (curve, false)))
    }

    /// The tracks of nodes that do not stay at rest.
    fn nodes(&mut self, tree: &NodeTree) -> Result<Vec<NodeTrack>, Fault> {
        let Some(baked) = self.baked() else { return Ok(Vec::new()) };
        let going_on = self.elements_going_on();
        let mut tracks = Vec::new();
        for node in &baked.nodes {
            self.import.tick()?;
            let Some(index) = tree.rig_index(node.typed_id as usize) else { continue };
            let Some(LocalTransform::Trs(rest)) = tree.rig().nodes.get(index).map(|node| node.rest) else { continue };
            let turns = node.rotation_keys.iter().flat_map(|key| quat(&key.value).to_array()).collect();
            let turn_times = node.rotation_keys.iter().map(|key| (key.time - self.starts_at) as f32).collect();
            let [moves, sizes] = [&node.translation_keys, &node.scale_keys].map(|keys| vectors(keys, self.starts_at));
            let mut keys = [moves, (turn_times, turns), sizes];
            if going_on.contains(&node.element_id)
                && let Some(of_scene) = self.scene.nodes.get(node.typed_id as usize)
            {
                self.go_on(of_scene, &mut keys)?;
            }
            let [translation, rotation, scale] = keys;
            for (path, (times, values), rest) in [
                (NodePath::Translation, translation, &rest.translation.to_array()[..]),
                (NodePath::Rotation, rotation, &rest.rotation.to_array()),
                (NodePath::Scale, scale, &rest.scale.to_array()),
            ] {
                if values.is_empty() || is_at_rest(&values, rest) {
                    continue;
                }
                self.import.budget.spend(((times.len() + values.len()) * size_of::<f32>()) as u64, self.subject)?;
                match Curve::new(Interpolation::Linear, times, values, path.width()) {
                    Ok(curve) => tracks.push(NodeTrack { node: index, path, curve }),
                    Err(error) => {
                        let subject = self.subject.part(Subject::named(Kind::Node, &tree.rig().nodes[index].name));
                        self.import.notes.warn(subject, format!("{error}; left out"));
                    }
                }
            }
        }
        Ok(tracks)
    }

    /// The elements of which a curve goes on after its last key.
    fn elements_going_on(&self) -> HashSet<u32> {
        let animated = self.stack.layers.iter().flat_map(|layer| layer.anim_props.iter());
        let going_on = animated.filter(|animated| {
            animated.anim_value.curves.iter().flatten().any(|curve| goes_on(curve, self.stack.time_end))
        });
        going_on.map(|animated| animated.element.element_id).collect()
    }

    /// Adds what a node does after its last keys to the times and values of its translation, its rotation and its
    /// scale.
    fn go_on(&mut self, node: &ufbx::Node, keys: &mut [(Vec<f32>, Vec<f32>); 3]) -> Result<(), Fault> {
        let (ends_at, rate) = (self.stack.time_end - self.starts_at, self.frames_per_sec());
        for (path, (times, values)) in
            [NodePath::Translation, NodePath::Rotation, NodePath::Scale].into_iter().zip(keys)
        {
            let Some(last) = times.last().map(|&last| f64::from(last)) else { continue };
            let count = sample_count(last, ends_at, rate);
            self.import.budget.spend((count * size_of::<[f32; 5]>()) as u64, self.subject)?;
            for sample in 1..count {
                let secs = last + (ends_at - last) * sample as f64 / (count - 1) as f64;
                let of_file = ufbx::evaluate_transform(&self.stack.anim, node, self.starts_at + secs);
                let Trs { translation, rotation, scale } = trs(&of_file);
                times.push(secs as f32);
                match path {
                    NodePath::Translation => values.extend(translation.to_array()),
                    NodePath::Rotation => values.extend(rotation.to_array()),
                    NodePath::Scale => values.extend(scale.to_array()),
                }
            }
        }
        Ok(())
    }

    /// The transforms of nodes at the frame rate of the file.
    fn baked(&mut self) -> Option<BakedAnimRoot> {
        const BASE_BYTES: usize = 16 << 20;
        // A key may become up to 32 samples.
        const TIMES_SCENE: usize = 8;
        let limit = BASE_BYTES.saturating_add(self.scene.metadata.result_memory_used.saturating_mul(TIMES_SCENE));
        let options = BakeOpts {
            temp_allocator: limited(limit),
            result_allocator: limited(limit),
            resample_rate: self.frames_per_sec(),
            key_reduction_enabled: true,
            key_reduction_rotation: true,
            ..BakeOpts::default()
        };
        match ufbx::bake_anim(self.scene, &self.stack.anim, options) {
            Ok(baked) => Some(baked),
            Err(_) => {
                self.import.notes.warn(self.subject, "has too many keys of nodes, which are left out");
                None
            }
        }
    }

    fn frames_per_sec(&self) -> f64 {
        let rate = self.scene.settings.frames_per_second;
        if rate.is_finite() { rate.clamp(1.0, 240.0) } else { 30.0 }
    }
}

fn vectors(keys: &[ufbx::BakedVec3], starts_at: f64) -> (Vec<f32>, Vec<f32>) {
    let values = keys.iter().flat_map(|key| vec3(&key.value).to_array()).collect();
    (keys.iter().map(|key| (key.time - starts_at) as f32).collect(), values)
}

/// Whether a curve changes between its last key and the end of its stack.
fn goes_on(curve: &AnimCurve, ends_at: f64) -> bool {
    let after = &curve.post_extrapolation;
    let changes = match after.mode {
        ExtrapolationMode::Constant => false,
        ExtrapolationMode::Slope => true,
        ExtrapolationMode::Repeat | ExtrapolationMode::Mirror | ExtrapolationMode::RepeatRelative => {
            after.repeat_count != 0
        }
    };
    // Of one key alone, nothing can be repeated, and it has no slope.
    changes && curve.keyframes.len() > 1 && ends_at > curve.max_time
}

/// Whether all values are those at rest. A quaternion and its negative are the same rotation.
fn is_at_rest(values: &[f32], rest: &[f32]) -> bool {
    values.chunks(rest.len()).all(|key| near(key, 1.0, rest) || (rest.len() == 4 && near(key, -1.0, rest)))
}

fn near(key: &[f32], sign: f32, rest: &[f32]) -> bool {
    const ROUNDING: f32 = 1e-6;
    key.iter().zip(rest).all(|(value, rest)| (value - sign * rest).abs() <= ROUNDING * rest.abs().max(1.0))
}

/// The curves of a stack that animate the weight of a channel: one for each layer that does. Old files animate a
/// property of the mesh, which the weight is connected to.
fn curves_of<'a>(stack: &'a AnimStack, channel: &'a BlendChannel) -> Vec<&'a AnimCurve> {
    let own: (&Element, &str) = (&channel.element, DEFORM_PERCENT);
    let connected = channel.element.connections_dst.iter().filter(|connection| &*connection.dst_prop == DEFORM_PERCENT);
    let connected = connected.map(|connection| (connection.src.as_ref(), &*connection.src_prop));
    let driven: Vec<(&Element, &str)> =
        std::iter::once(own).chain(connected.filter(|(_, property)| !property.is_empty())).collect();
    let mut curves = Vec::new();
    for layer in &stack.layers {
        let animated = driven.iter().find_map(|(element, property)| layer.find_anim_prop(element, property));
        curves.extend(animated.and_then(|animated| animated.anim_value.curves[0].as_deref()));
    }
    curves.retain(|curve| !curve.keyframes.is_empty());
    curves
}

/// A weight in percent is this many times the weight of a target.
const PER_CENT: f64 = 0.01;

/// The largest difference of weights that is not visible.
const TOLERANCE: f32 = 1e-4;

/// The same curve with the keys of the file; none if no curve of a clip is the same, or if the channel follows more
/// than this curve.
fn exact(curve: &AnimCurve, starts_at: f64, anim: &Anim, channel: &BlendChannel) -> Option<Curve> {
    let converted = converted(&curve.keyframes, starts_at)?;
    let last = curve.keyframes.last()?.time;
    let between = curve.keyframes.windows(2).flat_map(|pair| {
        let (from, to) = (pair[0].time, pair[1].time);
        [0.25, 0.5, 0.75].map(|share| from + share * (to - from))
    });
    let is_same = std::iter::once(last).chain(between).all(|secs| {
        let weight = ufbx::evaluate_blend_weight(anim, channel, secs) as f32;
        (converted.sample((secs - starts_at) as f32, 0) - weight).abs() <= TOLERANCE * weight.abs().max(1.0)
    });
    is_same.then_some(converted)
}

/// The weight of a channel at even distances; none if a weight is not finite.
fn sampled(
    (from_secs, to_secs): (f64, f64),
    starts_at: f64,
    frames_per_sec: f64,
    anim: &Anim,
    channel: &BlendChannel,
) -> Option<Curve> {
    let count = sample_count(from_secs, to_secs, frames_per_sec);
    let secs = (0..count).map(|sample| from_secs + (to_secs - from_secs) * sample as f64 / (count - 1).max(1) as f64);
    let keys = secs.map(|secs| ((secs - starts_at) as f32, ufbx::evaluate_blend_weight(anim, channel, secs) as f32));
    let (mut times, mut weights): (Vec<f32>, Vec<f32>) = keys.unzip();
    if weights.iter().all(|weight| *weight == weights[0]) {
        times.truncate(1);
        weights.truncate(1);
    }
    Curve::new(Interpolation::Linear, times, weights, 1).ok()
}

/// The number of samples of a range, at most a number that is enough for hours.
fn sample_count(from_secs: f64, to_secs: f64, frames_per_sec: f64) -> usize {
    const MOST: f64 = 500_000.0;
    let frames = ((to_secs - from_secs) * frames_per_sec).round();
    if frames.is_finite() { frames.clamp(0.0, MOST) as usize + 1 } else { 1 }
}

/// The keys as a curve, with cubic segments as if their handles were at a third of the way, where most programs put
/// them.
fn converted(keys: &[Keyframe], starts_at: f64) -> Option<Curve> {
    use ufbx::Interpolation::{ConstantPrev, Linear};
    // The interpolation of the last key means nothing.
    let segments = &keys[..keys.len().saturating_sub(1)];
    let interpolation = if segments.iter().all(|key| key.interpolation == Linear) {
        Interpolation::Linear
    } else if segments.iter().all(|key| key.interpolation == ConstantPrev) {
        Interpolation::Step
    } else {
        return cubic(keys, starts_at);
    };
    let times = keys.iter().map(|key| (key.time - starts_at) as f32).collect();
    let values = keys.iter().map(|key| (key.value * PER_CENT) as f32).collect();
    Curve::new(interpolation, times, values, 1).ok()
}

/// Keys of any kind as a cubic spline. Where the value jumps, there are two keys at one time.
fn cubic(keys: &[Keyframe], starts_at: f64) -> Option<Curve> {
    use ufbx::Interpolation::{ConstantNext, ConstantPrev, Cubic, Linear};
    // The time of each, and its slope before it, its value and its slope after it.
    let mut written: Vec<(f64, [f64; 3])> = Vec::with_capacity(keys.len());
    let mut in_slope = 0.0;
    for (index, key) in keys.iter().enumerate() {
        let Some(next) = keys.get(index + 1) else {
            written.push((key.time, [in_slope, key.value, 0.0]));
            break;
        };
        let (span, rise) = (next.time - key.time, next.value - key.value);
        match key.interpolation {
            Linear | Cubic => {
                let is_cubic = key.interpolation == Cubic;
                let out_slope = if is_cubic { slope(&key.right) } else { rise / span };
                written.push((key.time, [in_slope, key.value, out_slope]));
                in_slope = if is_cubic { slope(&next.left) } else { rise / span };
            }
            ConstantPrev | ConstantNext => {
                let held =
                    if key.interpolation == ConstantPrev { (next.time, key.value) } else { (key.time, next.value) };
                written.extend([(key.time, [in_slope, key.value, 0.0]), (held.0, [0.0, held.1, 0.0])]);
                in_slope = 0.0;
            }
        }
    }
    let times = written.iter().map(|(time, _)| (time - starts_at) as f32).collect();
    let values = written.iter().flat_map(|(_, key)| key.map(|number| (number * PER_CENT) as f32)).collect();
    Curve::new(Interpolation::CubicSpline, times, values, 1).ok()
}

fn slope(tangent: &ufbx::Tangent) -> f64 {
    if tangent.dx == 0.0 { 0.0 } else { f64::from(tangent.dy) / f64::from(tangent.dx) }
}
