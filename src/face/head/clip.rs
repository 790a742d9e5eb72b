//! Clips: the animations of a glTF file, as far as they animate weights and nodes.

use std::ops::RangeInclusive;

use std::sync::Arc;
use strum::IntoStaticStr;

use glam::{DMat3, Mat3, Mat4, Quat, Vec3, Vec4};
use thiserror::Error;

use super::{Channel, Extensions, Rig};
use crate::head::{LocalTransform, Trs, Turn};

/// A curve and the targets it animates: curve element `i` drives head-wide target `first_target + i`.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Head-wide index of the target that the curve's first element drives.
    pub first_target: usize,
    pub curve: Curve,
}

/// A named animation of weights and of the transforms of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The name in the file, or `clip N`.
    pub name: String,
    /// From 0 to the last key of the longest track, in seconds.
    pub duration_secs: f32,
    pub tracks: Vec<Track>,
    pub node_tracks: Vec<NodeTrack>,
    /// Per channel of the head, whether the clip drives it: some key differs from the weight at rest.
    /// Exporters write keys for every target of a mesh; channels whose keys all have the weight at rest are not driven.
    driven_channels: Vec<bool>,
    /// The frame rate that the file states.
    stated_rate: Option<f32>,
    /// The time of the file at which the clip starts.
    pub start_secs: f64,
    /// The extensions of the animation in its file, which Smirk does not read.
    pub carried: Extensions,
}

impl Clip {
    /// A key that differs by more than this from the weight at rest drives its channel.
    const STILL: f32 = 1e-6;

    /// A clip as long as its longest track. [`crate::head::Head::new`] determines the channels that it drives.
    pub fn new(name: String, tracks: Vec<Track>) -> Self {
        let duration_secs = tracks.iter().map(|track| track.curve.end_secs()).fold(0.0, f32::max);
        Self {
            name,
            duration_secs,
            tracks,
            node_tracks: Vec::new(),
            driven_channels: Vec::new(),
            stated_rate: None,
            start_secs: 0.0,
            carried: Extensions::new(),
        }
    }

    /// Whether it is no motion, but the pose from which others are retargeted (`KHR_character_reference_pose`, a
    /// draft).
    pub fn is_reference_pose(&self) -> bool {
        self.carried.contains_key("KHR_character_reference_pose")
    }

    pub fn with_node_tracks(mut self, node_tracks: Vec<NodeTrack>) -> Self {
        let ends = node_tracks.iter().map(|track| track.curve.end_secs());
        self.duration_secs = ends.fold(self.duration_secs, f32::max);
        self.node_tracks = node_tracks;
        self
    }

    pub fn with_frame_rate(self, frames_per_sec: f32) -> Self {
        Self { stated_rate: Some(frames_per_sec), ..self }
    }

    pub fn starting_at(self, start_secs: f64) -> Self {
        Self { start_secs, ..self }
    }

    /// The frame rate: that of the file, else the lowest usual one at which all keys are on frames, else that of most
    /// keys. None if the keys say nothing: there are few, or they are at no even times.
    pub fn frames_per_sec(&self) -> Option<f32> {
        self.stated_rate.or_else(|| {
            let node_curves = self.node_tracks.iter().map(|track| &track.curve);
            let curves: Vec<&Curve> = self.tracks.iter().map(|track| &track.curve).chain(node_curves).collect();
            // Most programs write all curves with the same keys.
            let most = curves.iter().max_by_key(|curve| curve.times().len())?.times();
            if most.len() < FEWEST_KEYS {
                return None;
            }
            let usual = USUAL_RATES.into_iter();
            let mut usual = usual.filter(|rate| curves.iter().all(|curve| is_on_frames(curve.times(), *rate)));
            usual.next().or_else(|| rate_of_steps(most))
        })
    }

    /// The time within the clip when the play head is at a time of the timeline. A clip that is shorter than the
    /// timeline repeats.
    pub fn time_within(&self, timeline_secs: f32) -> f32 {
        if self.duration_secs > 0.0 && timeline_secs > self.duration_secs {
            timeline_secs.rem_euclid(self.duration_secs)
        } else {
            timeline_secs
        }
    }

    pub fn moves_nodes(&self) -> bool {
        !self.node_tracks.is_empty()
    }

    pub(crate) fn find_driven_channels(&mut self, channels: &[Channel], rest: &[f32]) {
        let mut driven_targets = vec![false; rest.len()];
        for track in &self.tracks {
            for element in 0..track.curve.width() {
                let target = track.first_target + element;
                driven_targets[target] |= !track.curve.rests_at(rest[target], element, Self::STILL);
            }
        }
        self.driven_channels =
            channels.iter().map(|channel| channel.targets.iter().any(|&target| driven_targets[target])).collect();
    }

    pub fn drives(&self, channel: usize) -> bool {
        self.driven_channels.get(channel).copied().unwrap_or(false)
    }

    pub fn driven_channels(&self) -> impl Iterator<Item = usize> + '_ {
        self.driven_channels.iter().enumerate().filter_map(|(channel, driven)| driven.then_some(channel))
    }

    /// The world transforms of all nodes at a time; nodes without tracks are at rest. None if the clip animates no
    /// node.
    ///
    /// A node whose transform is not finite stays at rest.
    pub fn world_from_nodes(&self, rig: &Rig, time_secs: f32) -> Option<Vec<Mat4>> {
        let mut pose = NodePose::at_rest(rig);
        pose.play(&self.node_tracks, time_secs);
        pose.world_from_nodes()
    }

    /// The weight of one target at a time, if a track animates it.
    pub fn sample(&self, time_secs: f32, target: usize) -> Option<f32> {
        self.curve_of(target).map(|(curve, element)| curve.sample(time_secs, element))
    }

    /// The curve of one target and the element of it, if a track animates it.
    pub fn curve_of(&self, target: usize) -> Option<(&Curve, usize)> {
        self.track_of(target).map(|(track, element)| (&self.tracks[track].curve, element))
    }

    /// The index of the track that animates a target, and the element of its curve.
    pub(crate) fn track_of(&self, target: usize) -> Option<(usize, usize)> {
        self.tracks.iter().enumerate().find_map(|(index, track)| {
            let element = target.checked_sub(track.first_target)?;
            (element < track.curve.width()).then_some((index, element))
        })
    }
}

/// Fewer keys do not tell the frame rate of a clip.
const FEWEST_KEYS: usize = 4;

/// The frame rates that keys are compared with, the preferred one first: keys that are on the frames of several rates
/// have the first.
const USUAL_RATES: [f32; 11] =
    [30.0, 24.0, 25.0, 24_000.0 / 1001.0, 30_000.0 / 1001.0, 48.0, 50.0, 60.0, 60_000.0 / 1001.0, 120.0, 240.0];

/// The frame rates that the step between keys may mean.
const RATES: RangeInclusive<f32> = 1.0..=1000.0;

/// Whether all keys are on frames of a rate, counted from the first.
fn is_on_frames(times: &[f32], frames_per_sec: f32) -> bool {
    let rate = f64::from(frames_per_sec);
    let first = times.first().copied().map_or(0.0, f64::from);
    times.iter().all(|&time| {
        let frame = (f64::from(time) - first) * rate;
        // Times are stored with 24 bits: what the rounding of one is, in frames.
        let rounding = f64::from(time.abs()) * f64::from(f32::EPSILON) * rate;
        (frame - frame.round()).abs() <= 0.02 + rounding
    })
}

/// The frame rate at which most keys follow each other, if most do so evenly.
fn rate_of_steps(times: &[f32]) -> Option<f32> {
    let mut steps: Vec<f32> = times.windows(2).map(|pair| pair[1] - pair[0]).filter(|it| *it > 0.0).collect();
    steps.sort_by(f32::total_cmp);
    let (middle, even) = (*steps.get(steps.len() / 2)?, steps.len() * 9 / 10);
    let is_even = steps.iter().filter(|step| (**step / middle - 1.0).abs() < 0.02).count() >= even;
    // Over the whole curve, since each time is rounded.
    let secs = times.last()? - times.first()?;
    let rate = (secs / middle).round() / secs;
    (is_even && RATES.contains(&rate)).then_some((rate * 100.0).round() / 100.0)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// Constant: the value of the previous key.
    Step,
    Linear,
    /// Cubic Hermite spline. Each key stores all in-tangents, then all values, then all out-tangents; tangents are per
    /// second.
    CubicSpline,
}

#[derive(Debug, Error, PartialEq)]
pub enum CurveError {
    #[error("it has no keys")]
    Empty,
    #[error("the time of key {0} is not a finite number")]
    TimeNotFinite(usize),
    #[error("value {0} is not a finite number")]
    ValueNotFinite(usize),
    #[error("the time of key {0} is before that of the key ahead of it")]
    TimesDecrease(usize),
    #[error("{keys} keys of {width} values each need {expected} numbers, the file has {found}")]
    ValueCount { keys: usize, width: usize, expected: usize, found: usize },
}

/// Values over time. Copies share their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    interpolation: Interpolation,
    /// In seconds, ascending, at least one.
    times: Arc<[f32]>,
    /// `times × width` numbers, three times as many for a cubic spline.
    values: Arc<[f32]>,
    width: usize,
}

impl Curve {
    pub fn scale(&mut self, factor: f32) {
        Arc::make_mut(&mut self.values).iter_mut().for_each(|value| *value *= factor);
    }

    pub fn scale_element(&mut self, element: usize, factor: f32) {
        let width = self.width;
        Arc::make_mut(&mut self.values).iter_mut().skip(element).step_by(width).for_each(|value| *value *= factor);
    }

    /// Checks counts, order and finiteness.
    pub fn new(
        interpolation: Interpolation,
        times: Vec<f32>,
        values: Vec<f32>,
        width: usize,
    ) -> Result<Self, CurveError> {
        Self::sharing(interpolation, times.into(), values, width)
    }

    /// [`Self::new`] with key times that other curves may share.
    pub fn sharing(
        interpolation: Interpolation,
        times: Arc<[f32]>,
        values: Vec<f32>,
        width: usize,
    ) -> Result<Self, CurveError> {
        if times.is_empty() || width == 0 {
            return Err(CurveError::Empty);
        }
        if let Some(key) = times.iter().position(|time| !time.is_finite()) {
            return Err(CurveError::TimeNotFinite(key));
        }
        if let Some(key) = times.windows(2).position(|pair| pair[1] < pair[0]) {
            return Err(CurveError::TimesDecrease(key + 1));
        }
        let expected = times.len() * width * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        if values.len() != expected {
            return Err(CurveError::ValueCount { keys: times.len(), width, expected, found: values.len() });
        }
        if let Some(index) = values.iter().position(|value| !value.is_finite()) {
            return Err(CurveError::ValueNotFinite(index));
        }
        Ok(Self { interpolation, times, values: values.into(), width })
    }

    /// Adds a number to an element at all times.
    pub fn offset_element(&mut self, element: usize, by: f32) {
        let (rows_per_key, value_row) = if self.interpolation == Interpolation::CubicSpline { (3, 1) } else { (1, 0) };
        let (width, values) = (self.width, Arc::make_mut(&mut self.values));
        let own = values.iter_mut().skip(value_row * width + element).step_by(rows_per_key * width);
        own.for_each(|value| *value += by);
    }

    /// A curve of some elements, in that order. That of all elements shares their numbers.
    pub fn with_elements(&self, elements: &[usize]) -> Self {
        if elements.iter().copied().eq(0..self.width) {
            return self.clone();
        }
        let rows = self.values.chunks_exact(self.width.max(1));
        let values: Vec<f32> = rows.flat_map(|row| elements.iter().map(|&element| row[element])).collect();
        Self { values: values.into(), width: elements.len(), ..self.clone() }
    }

    pub fn constant(value: f32) -> Self {
        Self { interpolation: Interpolation::Step, times: [0.0].into(), values: [value].into(), width: 1 }
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn bytes(&self) -> usize {
        size_of_val(self.times()) + size_of_val(self.values())
    }

    pub fn shared_times(&self) -> &Arc<[f32]> {
        &self.times
    }

    /// Whether both curves share the memory of their key times, so that one search for a key serves both.
    pub fn shares_times(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.times, &other.times)
    }

    /// Whether this is a copy of the other curve that shares its numbers. Cheap, unlike a comparison of all numbers.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        self.shares_times(other) && Arc::ptr_eq(&self.values, &other.values)
    }

    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// All numbers, key by key; for a cubic spline each key's in-tangents, values and out-tangents.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    pub fn end_secs(&self) -> f32 {
        self.times[self.times.len() - 1]
    }

    /// The value of `element` at key `key`, without tangents.
    pub fn key_value(&self, key: usize, element: usize) -> f32 {
        match self.interpolation {
            Interpolation::CubicSpline => self.values[(key * 3 + 1) * self.width + element],
            Interpolation::Step | Interpolation::Linear => self.values[key * self.width + element],
        }
    }

    /// Whether `element` stays within `tolerance` of `value` all the time: all its keys are within it, and its tangents
    /// are flat enough.
    pub fn rests_at(&self, value: f32, element: usize, tolerance: f32) -> bool {
        (0..self.times.len()).all(|key| {
            let is_flat = match self.interpolation {
                Interpolation::CubicSpline => {
                    [0, 2].iter().all(|part| self.values[(key * 3 + part) * self.width + element] == 0.0)
                }
                Interpolation::Step | Interpolation::Linear => true,
            };
            is_flat && (self.key_value(key, element) - value).abs() <= tolerance
        })
    }

    /// The keys before and after a time, and its position between them, 0..1. Beyond the ends both are the same key.
    fn keys_around(&self, time_secs: f32) -> (usize, usize, f32) {
        let next = self.next_key(time_secs);
        if next == 0 || next == self.times.len() {
            let only = next.saturating_sub(1);
            return (only, only, 0.0);
        }
        let (from, to) = (self.times[next - 1], self.times[next]);
        (next - 1, next, (time_secs - from) / (to - from))
    }

    /// The value of `element` at `time_secs`. Before the first and after the last key it is the value of that key.
    pub fn sample(&self, time_secs: f32, element: usize) -> f32 {
        self.sample_before(self.next_key(time_secs), time_secs, element)
    }

    /// The first key after a time; the number of keys if there is none.
    pub fn next_key(&self, time_secs: f32) -> usize {
        self.times.partition_point(|&key| key <= time_secs)
    }

    /// [`Self::sample`] for a caller that has already computed [`Self::next_key`] of the time.
    pub(crate) fn sample_before(&self, next: usize, time_secs: f32, element: usize) -> f32 {
        if next == 0 {
            return self.key_value(0, element);
        }
        let key = next - 1;
        if next == self.times.len() {
            return self.key_value(key, element);
        }
        let span_secs = self.times[next] - self.times[key];
        let s = (time_secs - self.times[key]) / span_secs;
        let (from, to) = (self.key_value(key, element), self.key_value(next, element));
        let value = match self.interpolation {
            Interpolation::Step => from,
            Interpolation::Linear => from + (to - from) * s,
            Interpolation::CubicSpline => {
                let out_tangent = self.values[(key * 3 + 2) * self.width + element] * span_secs;
                let in_tangent = self.values[next * 3 * self.width + element] * span_secs;
                let (s2, s3) = (s * s, s * s * s);
                (2.0 * s3 - 3.0 * s2 + 1.0) * from
                    + (s3 - 2.0 * s2 + s) * out_tangent
                    + (-2.0 * s3 + 3.0 * s2) * to
                    + (s3 - s2) * in_tangent
            }
        };
        // Sums of very large keys overflow.
        if value.is_finite() { value } else { from }
    }

    /// The slope of `element` just before and just after `time_secs`, per second.
    pub fn slopes(&self, time_secs: f32, element: usize) -> [f32; 2] {
        let before = self.times.partition_point(|&key| key < time_secs);
        let after = self.times.partition_point(|&key| key <= time_secs);
        [before, after].map(|next| self.slope_before(next, time_secs, element))
    }

    /// The slope of `element` at a time between key `next - 1` and key `next`; 0 beyond the ends.
    fn slope_before(&self, next: usize, time_secs: f32, element: usize) -> f32 {
        if next == 0 || next == self.times.len() {
            return 0.0;
        }
        let key = next - 1;
        let span_secs = self.times[next] - self.times[key];
        let (from, to) = (self.key_value(key, element), self.key_value(next, element));
        let slope = match self.interpolation {
            Interpolation::Step => 0.0,
            Interpolation::Linear => (to - from) / span_secs,
            Interpolation::CubicSpline => {
                let s = (time_secs - self.times[key]) / span_secs;
                let out_tangent = self.values[(key * 3 + 2) * self.width + element];
                let in_tangent = self.values[next * 3 * self.width + element];
                6.0 * (s - s * s) * (to - from) / span_secs
                    + (3.0 * s * s - 4.0 * s + 1.0) * out_tangent
                    + (3.0 * s * s - 2.0 * s) * in_tangent
            }
        };
        if slope.is_finite() { slope } else { 0.0 }
    }
}

/// The part of a node's transform that a track animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum NodePath {
    /// Three numbers per key, in the file's unit.
    Translation,
    /// Four numbers per key: a quaternion, x y z w.
    Rotation,
    /// Three numbers per key.
    Scale,
}

impl NodePath {
    pub fn name(self) -> &'static str {
        self.into()
    }

    pub fn width(self) -> usize {
        match self {
            Self::Translation | Self::Scale => 3,
            Self::Rotation => 4,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct NodeTrack {
    /// Index into [`crate::head::Rig::nodes`].
    pub node: usize,
    pub path: NodePath,
    /// As wide as [`NodePath::width`].
    pub curve: Curve,
}

impl NodeTrack {
    /// Sets the animated part of a transform to the value at a time. Values that are not finite are ignored.
    pub fn apply(&self, time_secs: f32, place: &mut Trs) {
        let vector = match self.path {
            NodePath::Translation => &mut place.translation,
            NodePath::Scale => &mut place.scale,
            NodePath::Rotation => {
                place.rotation = rotation(&self.curve, time_secs).unwrap_or(place.rotation);
                return;
            }
        };
        let new = Vec3::from_array([0, 1, 2].map(|element| self.curve.sample(time_secs, element)));
        if new.is_finite() {
            *vector = new;
        }
    }
}

/// The rotation of four numbers, normalised; none if they have no direction.
fn unit_quaternion(numbers: [f32; 4]) -> Option<Quat> {
    let numbers = Vec4::from_array(numbers).as_dvec4();
    let unit = numbers / numbers.length();
    unit.is_finite().then(|| Quat::from_vec4(unit.as_vec4()))
}

/// Interpolates between two keys: spherically; a spline by its four components, normalised afterwards.
fn rotation(curve: &Curve, time_secs: f32) -> Option<Quat> {
    if curve.interpolation() != Interpolation::Linear {
        return unit_quaternion([0, 1, 2, 3].map(|element| curve.sample(time_secs, element)));
    }
    let (from, to, share) = curve.keys_around(time_secs);
    let [from, to] = [from, to].map(|key| unit_quaternion([0, 1, 2, 3].map(|element| curve.key_value(key, element))));
    Some(from?.slerp(to?, share))
}

/// The nodes of a rig, each relative to its parent.
#[derive(Debug)]
pub(crate) struct NodePose<'r> {
    rig: &'r Rig,
    locals: Vec<LocalTransform>,
    /// Applied before the local transform of a node: the rotation of a joint in its own space.
    turned: Vec<(usize, Mat4)>,
    /// Applied after everything else.
    world_from_whole: Option<Mat4>,
    is_at_rest: bool,
}

impl<'r> NodePose<'r> {
    pub(crate) fn at_rest(rig: &'r Rig) -> Self {
        let locals = rig.nodes.iter().map(|node| node.rest).collect();
        Self { rig, locals, turned: Vec::new(), world_from_whole: None, is_at_rest: true }
    }

    /// Moves nodes to where the tracks of a clip have them at a time of the clip.
    pub(crate) fn play(&mut self, tracks: &[NodeTrack], time_secs: f32) {
        self.is_at_rest &= tracks.is_empty();
        for track in tracks {
            if let Some(LocalTransform::Trs(trs)) = self.locals.get_mut(track.node) {
                track.apply(time_secs, trs);
            }
        }
    }

    /// Adds the difference between what tracks show at a time and what they show at their first moment.
    pub(crate) fn add(&mut self, tracks: &[NodeTrack], time_secs: f32) {
        self.is_at_rest &= tracks.is_empty();
        for track in tracks {
            let Some(local) = self.locals.get_mut(track.node) else { continue };
            let [mut from, mut to] = [Trs::IDENTITY; 2];
            track.apply(0.0, &mut from);
            track.apply(time_secs, &mut to);
            let mut own = local.trs();
            own.translation += to.translation - from.translation;
            own.scale += to.scale - from.scale;
            own.rotation = (own.rotation * from.rotation.inverse() * to.rotation).normalize();
            *local = LocalTransform::Trs(own);
        }
    }

    /// Turns a joint about its own origin. `world_from_joint` is its transform at rest, which tells how the axes of the
    /// actor lie in the joint. Tracks of the joint, and of its parents, carry the turn along.
    pub(crate) fn turn(&mut self, joint: usize, world_from_joint: &Mat4, turn: Turn) {
        // In f64, because the axes of a head in micrometres are short.
        let axes = Mat3::from_mat4(*world_from_joint).as_dmat3();
        let turned = axes.inverse() * DMat3::from_quat(turn.rotation().as_dquat()) * axes;
        if turned.is_finite() {
            self.turned.push((joint, Mat4::from_mat3(turned.as_mat3())));
            self.is_at_rest = false;
        }
    }

    /// Gives a node another rotation relative to its parent, and moves it away from where it is at rest.
    pub(crate) fn place(&mut self, node: usize, rotation: Quat, moved: Vec3) {
        if let Some(local) = self.locals.get_mut(node).filter(|_| rotation.is_finite() && moved.is_finite()) {
            let rest = self.rig.nodes[node].rest.trs();
            *local = LocalTransform::Trs(Trs { rotation, translation: rest.translation + moved, ..rest });
            self.is_at_rest = false;
        }
    }

    /// Turns everything about a point in world space, after all else.
    pub(crate) fn turn_whole(&mut self, center: Vec3, turn: Turn) {
        let turned = Mat4::from_quat(turn.rotation());
        self.world_from_whole = Some(Mat4::from_translation(center) * turned * Mat4::from_translation(-center));
        self.is_at_rest = false;
    }

    /// The world transforms of all nodes; none if all are at rest. A node whose transform is not finite stays at rest.
    pub(crate) fn world_from_nodes(self) -> Option<Vec<Mat4>> {
        if self.is_at_rest && !self.rig.aims() {
            return None;
        }
        let local_of = |node: usize| {
            let turns = self.turned.iter().filter(|(joint, _)| *joint == node);
            turns.fold(self.locals[node].matrix(), |local, (_, turned)| local * *turned)
        };
        let mut worlds = if self.rig.constraints.is_empty() {
            self.rig.world_from_nodes(local_of)
        } else {
            let mut locals: Vec<Mat4> = (0..self.locals.len()).map(local_of).collect();
            self.rig.follow_constraints(&mut locals);
            self.rig.world_from_nodes(|node| locals[node])
        };
        if let Some(whole) = self.world_from_whole {
            worlds.iter_mut().for_each(|world| *world = whole * *world);
        }
        if worlds.iter().any(|world| !world.is_finite()) {
            for (world, rest) in worlds.iter_mut().zip(self.rig.world_from_nodes_at_rest()) {
                if !world.is_finite() {
                    *world = rest;
                }
            }
        }
        Some(worlds)
    }
}

#[cfg(test)]
mod tests {
    use std::f32::consts::{FRAC_PI_2, PI};

    use glam::Mat4;

    use crate::head::{Clip, LocalTransform, Node, Rig};

    use super::*;

    fn curve(interpolation: Interpolation, values: &[f32]) -> Curve {
        Curve::new(interpolation, vec![1.0, 3.0], values.to_vec(), 1).unwrap()
    }

    #[test]
    fn the_frame_rate_follows_from_the_keys() {
        let rate_of = |times: Vec<f32>| {
            let values = times.clone();
            let curve = Curve::new(Interpolation::Linear, times, values, 1).unwrap();
            Clip::new("clip".into(), vec![Track { first_target: 0, curve }]).frames_per_sec()
        };
        let every =
            |rate: f64, first: u32| (first..first + 100).map(|at| (f64::from(at) / rate) as f32).collect::<Vec<_>>();
        for rate in
            [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 120.0, 24_000.0 / 1001.0, 30_000.0 / 1001.0, 60_000.0 / 1001.0, 72.0]
        {
            for first in [0, 1, 5000] {
                let found = rate_of(every(rate, first)).unwrap();
                assert!((f64::from(found) / rate - 1.0).abs() < 1e-4, "{rate} from {first}: {found}");
            }
            // With few of the keys that a reduction keeps.
            let kept: Vec<f32> = [0, 1, 7, 20, 33, 61, 62, 99].into_iter().map(|at| every(rate, 0)[at]).collect();
            if rate != 72.0 {
                let found = rate_of(kept).unwrap();
                assert!((f64::from(found) / rate - 1.0).abs() < 1e-4, "{rate}: {found}");
            }
        }
        assert_eq!(rate_of(vec![0.0, 0.5, 1.0]), None, "too few");
        assert_eq!(rate_of(vec![0.0, 0.1017, 0.37, 0.38113, 1.0, 1.5]), None, "at no frames");
        assert_eq!(Clip::new("still".into(), Vec::new()).frames_per_sec(), None);
        assert_eq!(Clip::new("fbx".into(), Vec::new()).with_frame_rate(48.0).frames_per_sec(), Some(48.0));
    }

    #[test]
    fn step_holds_and_linear_mixes() {
        assert_eq!(curve(Interpolation::Step, &[2.0, 6.0]).sample(2.9, 0), 2.0);
        assert_eq!(curve(Interpolation::Step, &[2.0, 6.0]).sample(3.0, 0), 6.0);
        assert_eq!(curve(Interpolation::Linear, &[2.0, 6.0]).sample(1.5, 0), 3.0);
    }

    #[test]
    fn keys_as_large_as_numbers_go_are_held() {
        for (interpolation, values) in
            [(Interpolation::Linear, &[f32::MIN, f32::MAX][..]), (Interpolation::CubicSpline, &[f32::MAX; 6][..])]
        {
            assert!(curve(interpolation, values).sample(2.0, 0).is_finite());
        }
    }

    #[test]
    fn time_outside_the_keys_clamps() {
        let linear = curve(Interpolation::Linear, &[2.0, 6.0]);
        assert_eq!((linear.sample(-9.0, 0), linear.sample(99.0, 0)), (2.0, 6.0));
    }

    #[test]
    fn cubic_tangents_are_per_second() {
        // in, value, out of key 0; in, value, out of key 1. A straight line of slope 2 over 2 s.
        let line = curve(Interpolation::CubicSpline, &[0.0, 1.0, 2.0, 2.0, 5.0, 0.0]);
        assert!((line.sample(1.5, 0) - 2.0).abs() < 1e-6);
        assert!((line.sample(2.0, 0) - 3.0).abs() < 1e-6);
    }

    #[test]
    fn slopes_are_per_second_on_either_side_of_a_key() {
        assert_eq!(curve(Interpolation::Linear, &[2.0, 6.0]).slopes(3.0, 0), [2.0, 0.0]);
        assert_eq!(curve(Interpolation::Step, &[2.0, 6.0]).slopes(2.0, 0), [0.0, 0.0]);
        let spline = curve(Interpolation::CubicSpline, &[9.0, 1.0, 2.0, -3.0, 5.0, 9.0]);
        assert_eq!((spline.slopes(1.0, 0), spline.slopes(3.0, 0)), ([0.0, 2.0], [-3.0, 0.0]));
        let (time, step) = (1.7, 1e-3);
        let measured = (spline.sample(time + step, 0) - spline.sample(time - step, 0)) / (2.0 * step);
        assert!((spline.slopes(time, 0)[0] - measured).abs() < 1e-2, "{measured}");
    }

    #[test]
    fn cubic_layout_is_all_in_tangents_then_values_then_out_tangents() {
        let values = vec![0.0, 0.0, 10.0, 20.0, 0.0, 0.0, 0.0, 0.0, 30.0, 40.0, 0.0, 0.0];
        let two = Curve::new(Interpolation::CubicSpline, vec![0.0, 1.0], values, 2).unwrap();
        assert_eq!((two.sample(0.0, 0), two.sample(0.0, 1), two.sample(1.0, 1)), (10.0, 20.0, 40.0));
        assert_eq!(two.sample(0.5, 1), 30.0);
    }

    #[test]
    fn a_spline_with_keys_at_rest_moves_by_its_tangents() {
        let spline = curve(Interpolation::CubicSpline, &[0.0, 0.0, 3.0, -3.0, 0.0, 0.0]);
        assert!(spline.sample(2.0, 0) > 0.5);
        assert!(!spline.rests_at(0.0, 0, 1e-6));
        assert!(curve(Interpolation::CubicSpline, &[0.0; 6]).rests_at(0.0, 0, 1e-6));
        assert!(!curve(Interpolation::Linear, &[0.0, 0.1]).rests_at(0.0, 0, 1e-6));
    }

    #[test]
    fn two_keys_at_one_time_jump() {
        let jump = Curve::new(Interpolation::Linear, vec![0.0, 1.0, 1.0, 2.0], vec![0.0, 0.0, 1.0, 1.0], 1).unwrap();
        assert_eq!((jump.sample(0.999, 0), jump.sample(1.0, 0), jump.sample(1.5, 0)), (0.0, 1.0, 1.0));
    }

    #[test]
    fn bad_numbers_are_refused() {
        let new = |times: &[f32], values: &[f32]| {
            Curve::new(Interpolation::Linear, times.to_vec(), values.to_vec(), 1).unwrap_err()
        };
        assert_eq!(new(&[], &[]), CurveError::Empty);
        assert_eq!(new(&[0.0, f32::NAN], &[0.0, 0.0]), CurveError::TimeNotFinite(1));
        assert_eq!(new(&[1.0, 0.0], &[0.0, 0.0]), CurveError::TimesDecrease(1));
        assert_eq!(new(&[0.0], &[f32::INFINITY]), CurveError::ValueNotFinite(0));
        assert_eq!(new(&[0.0], &[1.0, 2.0]), CurveError::ValueCount { keys: 1, width: 1, expected: 1, found: 2 });
    }

    fn track(path: NodePath, interpolation: Interpolation, times: &[f32], values: &[f32]) -> NodeTrack {
        NodeTrack {
            node: 0,
            path,
            curve: Curve::new(interpolation, times.to_vec(), values.to_vec(), path.width()).unwrap(),
        }
    }

    fn turned(track: &NodeTrack, time_secs: f32) -> Quat {
        let mut place = Trs::IDENTITY;
        track.apply(time_secs, &mut place);
        place.rotation
    }

    #[test]
    fn a_linear_turn_is_even_and_takes_the_shorter_way() {
        let to = Quat::from_rotation_y(FRAC_PI_2);
        for sign in [1.0, -1.0] {
            let values = [Quat::IDENTITY.to_array(), (to * sign).to_array()].concat();
            let track = track(NodePath::Rotation, Interpolation::Linear, &[1.0, 3.0], &values);
            for (time_secs, degrees) in [(0.0, 0.0), (1.5, 22.5), (2.5, 67.5), (9.0, 90.0_f32)] {
                let expected = Quat::from_rotation_y(degrees.to_radians());
                assert!(turned(&track, time_secs).angle_between(expected) < 1e-3, "{sign}, {time_secs} s");
            }
        }
    }

    #[test]
    fn a_spline_of_turns_stays_a_turn_and_a_step_holds() {
        let (from, to) = (Quat::from_rotation_x(0.1).to_array(), Quat::from_rotation_x(2.9).to_array());
        let still = [0.0; 4];
        let spline = track(
            NodePath::Rotation,
            Interpolation::CubicSpline,
            &[0.0, 1.0],
            &[still, from, [0.5; 4], [0.5; 4], to, still].concat(),
        );
        assert!((0..=10).all(|tenth| turned(&spline, tenth as f32 * 0.1).is_normalized()));
        assert!(turned(&spline, 0.0).angle_between(Quat::from_rotation_x(0.1)) < 1e-3);
        let step = track(NodePath::Rotation, Interpolation::Step, &[0.0, 1.0], &[from, to].concat());
        assert_eq!(turned(&step, 0.99), turned(&step, 0.0));
    }

    #[test]
    fn values_that_are_not_finite_leave_the_transform_at_rest() {
        let nothing = track(NodePath::Rotation, Interpolation::Linear, &[0.0], &[0.0; 4]);
        assert_eq!(turned(&nothing, 0.0), Quat::IDENTITY);
        let huge = [0.0, f32::MAX, f32::MAX, f32::MAX, f32::MAX, 0.0].map(|value| [value; 3]).concat();
        let spline = track(NodePath::Translation, Interpolation::CubicSpline, &[0.0, 9.0], &huge);
        let mut place = Trs { translation: Vec3::X, ..Trs::IDENTITY };
        spline.apply(4.0, &mut place);
        assert!(place.translation.is_finite());
    }

    #[test]
    fn a_clip_moves_the_nodes_it_names_and_their_children_and_lasts_as_long_as_its_longest_track() {
        let node = |parent, rest| Node { name: String::new(), parent, rest };
        let rest = LocalTransform::Trs(Trs { translation: Vec3::X, ..Trs::IDENTITY });
        let rig = Rig { nodes: vec![node(None, rest), node(Some(0), rest), node(None, rest)], ..Rig::default() };
        let turn = [Quat::IDENTITY, Quat::from_rotation_z(PI * 0.5)].map(|turn| turn.to_array()).concat();
        let scale = [[1.0; 3], [0.0; 3]].concat();
        let tracks = vec![
            track(NodePath::Rotation, Interpolation::Linear, &[0.0, 1.0], &turn),
            track(NodePath::Scale, Interpolation::Step, &[0.0, 2.0], &scale),
        ];
        let clip = Clip::new("turn".into(), Vec::new()).with_node_tracks(tracks);
        assert_eq!(clip.duration_secs, 2.0);
        let at = |time_secs| clip.world_from_nodes(&rig, time_secs).unwrap();
        let child = at(1.0)[1].transform_point3(Vec3::ZERO);
        assert!(child.distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-6, "{child}");
        assert_eq!(at(1.0)[2], Mat4::from_translation(Vec3::X), "a node without a track is at rest");
        assert_eq!(at(2.0)[1].transform_point3(Vec3::ONE), Vec3::X, "a scale of 0 is legal");
        assert_eq!(Clip::new("still".into(), Vec::new()).world_from_nodes(&rig, 0.0), None);
        let huge = track(NodePath::Scale, Interpolation::Step, &[0.0], &[f32::MAX; 3]);
        let twice = vec![huge.clone(), NodeTrack { node: 1, ..huge }];
        let clip = Clip::new("huge".into(), Vec::new()).with_node_tracks(twice);
        assert_eq!(clip.world_from_nodes(&rig, 0.0).unwrap()[1], rig.world_from_nodes_at_rest()[1]);
    }
}
