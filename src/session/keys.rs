//! The keys of a session: set, remove, change how they act on what is below.

use std::collections::{BTreeMap, BTreeSet};

use super::Session;
use super::channels::SAME;
use smirk_face::head::{Channel, Clip, Region};
use smirk_face::motion::{Key, KeyCurve, KeyMode, Keys, Layer, Moment, PoseId};

/// What [`KeysMut::convert_clip`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConvertedKeys {
    pub keys: usize,
    pub channels: usize,
    /// Number of channels that were left since they have keys already.
    pub keyed: usize,
    /// Number of channels that were left since the clip moves them differently on several meshes.
    pub unlike: usize,
}

/// The keys that apply, whatever they belong to.
pub struct KeysMut<'a> {
    pub(super) session: &'a mut Session,
}

impl Session {
    pub fn keys_mut(&mut self) -> KeysMut<'_> {
        KeysMut { session: self }
    }
}

impl KeysMut<'_> {
    /// Sets a key at the play head with the current value of a channel, and gives the channel back to its keys unless a
    /// pose is above them. Does the same for its linked partner.
    ///
    /// The first key on a channel that the clip or a take drives is added to their weights, so that the performance
    /// goes on; on any other channel, keys replace the weight.
    /// A channel that follows others as a corrective gets no key.
    pub fn key(&mut self, channel: usize) {
        self.key_as_shown(self.session.with_partner(channel));
    }

    /// Does the same for every channel of a region.
    pub fn key_region(&mut self, region: Region) {
        let pairs = self.session.head.pairs.iter().filter(|pair| pair.region == region);
        self.key_as_shown(pairs.flat_map(|pair| [Some(pair.first), pair.second]).flatten().collect());
    }

    /// Sets keys at the play head for every channel that a slider or a pose has moved from where the keys and what is
    /// below them would put it. Unless `only_moved`, all channels with keys are keyed too, so that the
    /// face that is seen now is the face at this time, whatever was keyed elsewhere; the poses are in it, and no longer
    /// applied. The first key of a face at rest is one of every channel. Returns the number of channels.
    pub fn key_face(&mut self, only_moved: bool) -> usize {
        let (mix, session) = (self.session.unsilenced(), &*self.session);
        let is_moved = |channel: usize| {
            let layers = session.stack().contributions(channel, &session.moment());
            let keyed = layers.into_iter().rfind(|(layer, _)| *layer <= Layer::Keys);
            let keyed = keyed.map_or(0.0, |(_, value)| value);
            matches!(mix.layers[channel], Layer::Manual | Layer::Pose)
                && (session.head.channel_value(channel, &mix.weights) - keyed).abs() > SAME
        };
        let channels: Vec<usize> = (0..session.head.channels.len()).filter(|&channel| is_moved(channel)).collect();
        if only_moved {
            return self.key_as_shown(channels);
        }
        let mut channels: BTreeSet<usize> = channels.into_iter().chain(self.keyed_channels()).collect();
        if channels.is_empty() && !mix.layers.iter().any(|layer| layer.is_motion()) {
            channels = (0..self.session.head.channels.len()).collect();
        }
        let values =
            channels.into_iter().map(|channel| (channel, session.head.channel_value(channel, &mix.weights))).collect();
        self.session.edits.applied_poses.clear();
        self.key_all(values)
    }

    /// Sets keys at the play head with the weights of a pose, whether it is applied or not. Unless `only_named`, all
    /// other channels with keys are keyed at rest, so that the face at this time is the pose, whatever was keyed
    /// elsewhere; no pose is applied then, and sliders are given back as applying the pose would. Returns the number of
    /// channels.
    pub fn key_pose(&mut self, id: PoseId, only_named: bool) -> usize {
        let Some(pose) = self.session.edits.pose(id).cloned() else { return 0 };
        let named = pose.channels_of(&self.session.head);
        if only_named {
            let count = named.len();
            self.set(named, &[]);
            return count;
        }
        let mut keyed = self.keyed_channels();
        if named.is_empty() && keyed.is_empty() {
            // A pose of a face at rest names nothing. Without any key, no other pose would find this one.
            keyed.extend(0..self.session.head.channels.len());
        }
        let rest = keyed.into_iter().map(|channel| (channel, self.session.channel_default(channel)));
        let values: BTreeMap<usize, f32> = rest.chain(named).collect();
        self.session.poses_mut().set_applied(Vec::new(), values.keys().copied().collect());
        self.key_all(values)
    }

    /// The channels of the head that have keys.
    fn keyed_channels(&self) -> BTreeSet<usize> {
        self.session.keys().channels().flat_map(|name| self.session.head.channel_alike(name)).collect()
    }

    /// Sets keys of a whole face at the play head. A channel that gets its first keys keeps its weight at the times of
    /// the other faces, so that they stay as they are; transitions end. Returns the number of channels.
    fn key_all(&mut self, mut values: BTreeMap<usize, f32>) -> usize {
        values.retain(|&channel, _| !self.session.follows_others(channel));
        let (faces, count) = (self.session.keys().face_times(), values.len());
        self.set(values, &faces);
        // A transition to a pose that was looked at would go on over what is keyed.
        self.session.fades.fill(None);
        count
    }

    /// Sets keys at the play head with the current values of those of these channels that do not follow others. Returns
    /// their number.
    fn key_as_shown(&mut self, mut channels: Vec<usize>) -> usize {
        let mix = self.session.unsilenced();
        channels.retain(|&channel| !self.session.follows_others(channel));
        let head = self.session.head.clone();
        let count = channels.len();
        self.set(channels.into_iter().map(|channel| (channel, head.channel_value(channel, &mix.weights))), &[]);
        count
    }

    /// Sets keys at the play head, so that the weight above the keys of each channel is its value, and gives the
    /// channels back to their keys. A pose is above keys and would hide them, so with a pose a channel stays manual. A
    /// channel without keys also gets one at each of these other times, which changes nothing there.
    fn set(&mut self, values: impl IntoIterator<Item = (usize, f32)>, others: &[f32]) {
        let time_secs = self.session.clock.timeline.time_secs;
        let head = self.session.head.clone();
        let mut channels = Vec::new();
        let mut curves = Vec::new();
        for (channel, value) in values {
            let name = &head.channels[channel].full_name;
            let (layer, below) = self.below(channel, time_secs);
            let curve = self.session.keys().curve(name);
            let mode = curve.map_or(first_key_mode(layer), |curve| curve.mode);
            let key = |secs, value, below| Key::new(secs, if mode == KeyMode::Add { value - below } else { value });
            let mut keys = Vec::new();
            for &secs in others.iter().filter(|_| curve.is_none()) {
                let below = self.below(channel, secs).1;
                keys.push(key(secs, below, below));
            }
            keys.push(key(time_secs, value, below));
            channels.push(channel);
            curves.push((name, mode, keys));
        }
        self.change(|all| {
            for (name, mode, keys) in curves {
                keys.into_iter().for_each(|key| all.set(name, key));
                all.edit_curve(name, |curve| curve.mode = mode);
            }
        });
        let below = self.session.unsilenced().below_manual;
        channels.retain(|&channel| below[channel] == Layer::Keys);
        self.session.channels_mut(channels).give_back();
    }

    /// Inserts a key on the curve of a channel, and of its linked partner. On a channel without keys, it is the first
    /// one and changes nothing yet.
    pub fn insert(&mut self, channel: usize, time_secs: f32) {
        for channel in self.session.with_partner(channel) {
            let name = self.session.head.channels[channel].full_name.clone();
            let (layer, below) = self.below(channel, time_secs);
            let own = self.session.keys().sample(&name, time_secs);
            let adds = own.is_none() && layer.is_motion();
            let value = own.unwrap_or(if adds { 0.0 } else { below });
            self.change(|keys| {
                keys.set(&name, Key::new(time_secs, value));
                if adds {
                    keys.edit_curve(&name, |curve| curve.mode = KeyMode::Add);
                }
            });
        }
    }

    /// The layer below the keys that sets a channel at a time of the timeline, and its weight.
    pub(super) fn below(&self, channel: usize, timeline_secs: f32) -> (Layer, f32) {
        let moment = Moment { timeline_secs, ..self.session.moment() };
        let layers = self.session.stack().contributions(channel, &moment);
        layers.into_iter().rfind(|(layer, _)| *layer < Layer::Keys).unwrap_or((Layer::Rest, 0.0))
    }

    /// Moves, adds or removes keys.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Keys)) {
        self.change(edit);
        self.session.stay_on_timeline();
    }

    /// Edits the keys of a channel and of its linked partner, by their full names.
    pub fn edit_channel(&mut self, channel: usize, edit: impl Fn(&mut Keys, &str)) {
        for channel in self.session.with_partner(channel) {
            let name = self.session.head.channels[channel].full_name.clone();
            self.edit(|keys| edit(keys, &name));
        }
    }

    pub(super) fn change<R>(&mut self, edit: impl FnOnce(&mut Keys) -> R) -> R {
        // The first key makes the timeline. Whatever played before it, it begins at rest.
        self.session.clock.timeline.playing &= self.session.timeline_secs() > 0.0;
        let of = self.session.timing_of();
        self.session.edits.edit_timing(&of, |timing| edit(&mut timing.keys))
    }

    /// Makes the keys of a channel, and of its linked partner, replace what is below or add to it. At the times of the
    /// keys, the weight stays the same.
    pub fn set_mode(&mut self, channel: usize, mode: KeyMode) {
        for channel in self.session.with_partner(channel) {
            let name = self.session.head.channels[channel].full_name.clone();
            let Some(curve) = self.session.keys().curve(&name).filter(|curve| curve.mode != mode) else { continue };
            let sign = if mode == KeyMode::Add { -1.0 } else { 1.0 };
            let mut converted = curve.keys().to_vec();
            for key in &mut converted {
                key.value += sign * self.below(channel, key.time_secs).1;
            }
            self.change(|keys| {
                converted.into_iter().for_each(|key| keys.set(&name, key));
                keys.edit_curve(&name, |curve| curve.mode = mode);
            });
        }
    }

    /// Writes what the clip of the file does with some channels as keys, which replace it: the face stays as it is.
    /// Channels with keys of their own, and those that the clip moves differently on several meshes, which keys cannot,
    /// are left as they are.
    pub fn convert_clip(&mut self, channels: impl IntoIterator<Item = usize>) -> ConvertedKeys {
        let (head, end_secs) = (self.session.head.clone(), self.session.timeline_secs());
        let mut converted = ConvertedKeys::default();
        for channel in channels {
            let Channel { full_name, targets, .. } = &head.channels[channel];
            let clip = self.session.clips().filter(|clip| clip.drives(channel)).last();
            let (Some(clip), Some(&first)) = (clip, targets.first()) else { continue };
            if self.session.keys().curve(full_name).is_some() {
                converted.keyed += 1;
                continue;
            }
            let Some((curve, element)) =
                clip.curve_of(first).filter(|_| targets.iter().all(|&target| moves_alike(clip, [first, target])))
            else {
                converted.unlike += 1;
                continue;
            };
            let curve = KeyCurve::of_clip(curve, element).repeated(clip.duration_secs, end_secs);
            converted.keys += curve.keys().len();
            converted.channels += 1;
            self.change(|keys| keys.set_curve(full_name, curve));
        }
        converted
    }
}

/// Whether a clip moves two targets in the same way.
fn moves_alike(clip: &Clip, targets: [usize; 2]) -> bool {
    let curves = targets.into_iter().filter_map(|target| clip.curve_of(target));
    let mut times = curves.flat_map(|(curve, _)| curve.times());
    times.all(|&secs| match targets.map(|target| clip.sample(secs, target)) {
        [Some(first), Some(second)] => (first - second).abs() <= SAME,
        _ => false,
    })
}

/// What the first key of a channel does to the layer below that sets the channel: a performance goes on.
pub(super) fn first_key_mode(below: Layer) -> KeyMode {
    if below.is_motion() { KeyMode::Add } else { KeyMode::Replace }
}
