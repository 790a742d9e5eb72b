//! Operations on keys: set, remove, change how they act on what is below.

use super::Session;
use super::channels::SAME;
use smirk_face::head::{Channel, Region};
use smirk_face::motion::{Extrapolation, Key, KeyCurve, KeyMode, Keys, Layer, Moment, PoseId};

/// What [`Session::convert_to_keys`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConvertedKeys {
    pub keys: usize,
    pub channels: usize,
    /// Number of channels that were left since they have keys already.
    pub keyed: usize,
    /// Number of channels that were left since the clip moves them differently on several meshes.
    pub unlike: usize,
}

impl Session {
    /// Sets a key at the play head with the current value of a channel, and gives the channel back to its keys unless a
    /// pose is above them. Does the same for its linked partner.
    ///
    /// The first key on a channel that the clip or a take drives is added to their weights, so that the performance
    /// goes on; on any other channel, keys replace the weight.
    /// A channel that follows others as a corrective gets no key.
    pub fn key_channel(&mut self, channel: usize) {
        self.key_as_shown(self.movable_with_partner(channel));
    }

    /// Does the same for every channel of a region.
    pub fn key_region(&mut self, region: Region) {
        let pairs = self.head.pairs.iter().filter(|pair| pair.region == region);
        let channels: Vec<usize> = pairs.flat_map(|pair| [Some(pair.first), pair.second]).flatten().collect();
        self.key_as_shown(channels);
    }

    /// Does the same for every channel that a slider or a pose has moved from where the keys and what is below them
    /// would put it. Returns their number.
    pub fn key_moved(&mut self) -> usize {
        let mix = self.unsilenced();
        let time_secs = self.clock.timeline.time_secs;
        let is_moved = |&channel: &usize| {
            let stack = self.stack();
            let moment = Moment { timeline_secs: time_secs, ..self.moment() };
            let layers = stack.contributions(channel, &moment);
            let keyed = layers.into_iter().rfind(|(layer, _)| *layer <= Layer::Keys).map_or(0.0, |(_, value)| value);
            (self.head.channel_value(channel, &mix.weights) - keyed).abs() > SAME
        };
        let channels = 0..self.head.channels.len();
        let moved = channels.filter(|&channel| matches!(mix.layers[channel], Layer::Manual | Layer::Pose));
        let moved: Vec<usize> = moved.filter(is_moved).collect();
        let count = moved.len();
        self.key_as_shown(moved);
        count
    }

    /// Sets keys at the play head with the weights of a pose, for the channels that it names, whether it is applied or
    /// not.
    pub fn key_pose(&mut self, id: PoseId) {
        let Some(pose) = self.edits.pose(id).cloned() else { return };
        for (name, &weight) in &pose.weights {
            for channel in self.head.channel_alike(name) {
                self.set_key(channel, weight);
                self.show_keys(channel);
            }
        }
    }

    /// Sets keys at the play head with the current values of some channels.
    fn key_as_shown(&mut self, channels: Vec<usize>) {
        let mix = self.unsilenced();
        for channel in channels {
            self.set_key(channel, self.head.channel_value(channel, &mix.weights));
            self.show_keys(channel);
        }
    }

    /// Gives a channel that has a new key back to its keys. A pose is above keys and would hide them, so with a pose
    /// the channel stays manual.
    fn show_keys(&mut self, channel: usize) {
        if self.unsilenced().below_manual[channel] == Layer::Keys {
            self.give_slider_back(channel);
        }
    }

    /// Sets a key at the play head, so that the weight above the keys is `value`.
    fn set_key(&mut self, channel: usize, value: f32) {
        let time_secs = self.clock.timeline.time_secs;
        let (layer, below) = self.below_keys(channel, time_secs);
        let name = self.head.channels[channel].full_name.clone();
        self.change_keys(|keys| {
            let mode = keys.curve(&name).map_or(first_key_mode(layer), |curve| curve.mode);
            let value = if mode == KeyMode::Add { value - below } else { value };
            keys.set(&name, Key::new(time_secs, value));
            keys.edit_curve(&name, |curve| curve.mode = mode);
        });
    }

    /// Inserts a key on the curve of a channel, and of its linked partner. On a channel without keys, it is the first
    /// one and changes nothing yet.
    pub fn insert_key(&mut self, channel: usize, time_secs: f32) {
        for channel in self.with_partner(channel) {
            let name = self.head.channels[channel].full_name.clone();
            let (layer, below) = self.below_keys(channel, time_secs);
            let own = self.keys().sample(&name, time_secs);
            let adds = own.is_none() && layer.is_motion();
            let value = own.unwrap_or(if adds { 0.0 } else { below });
            self.change_keys(|keys| {
                keys.set(&name, Key::new(time_secs, value));
                if adds {
                    keys.edit_curve(&name, |curve| curve.mode = KeyMode::Add);
                }
            });
        }
    }

    /// The layer below the keys that sets a channel at a time of the timeline, and its weight.
    pub fn below_keys(&self, channel: usize, time_secs: f32) -> (Layer, f32) {
        let moment = Moment { timeline_secs: time_secs, ..self.moment() };
        let layers = self.stack().contributions(channel, &moment);
        layers.into_iter().rfind(|(layer, _)| *layer < Layer::Keys).unwrap_or((Layer::Rest, 0.0))
    }

    /// Removes the keys at the play head of a channel and of its linked partner.
    pub fn delete_key(&mut self, channel: usize) {
        for channel in self.with_partner(channel) {
            let (name, time_secs) = (self.head.channels[channel].full_name.clone(), self.clock.timeline.time_secs);
            self.change_keys(|keys| keys.remove(&name, time_secs));
        }
        self.stay_on_timeline();
    }

    /// Removes the keys of a channel and of its linked partner.
    pub fn clear_keys(&mut self, channel: usize) {
        for channel in self.with_partner(channel) {
            let name = self.head.channels[channel].full_name.clone();
            self.change_keys(|keys| keys.clear(&name));
        }
        self.stay_on_timeline();
    }

    /// Moves, adds or removes keys.
    pub fn edit_keys(&mut self, edit: impl FnOnce(&mut Keys)) {
        self.change_keys(edit);
        self.stay_on_timeline();
    }

    /// Makes the keys of a channel, and of its linked partner, replace what is below or add to it. At the times of the
    /// keys, the weight stays the same.
    pub fn set_key_mode(&mut self, channel: usize, mode: KeyMode) {
        for channel in self.with_partner(channel) {
            let name = self.head.channels[channel].full_name.clone();
            let Some(curve) = self.keys().curve(&name).filter(|curve| curve.mode != mode) else { continue };
            let sign = if mode == KeyMode::Add { -1.0 } else { 1.0 };
            let with_below = |key: &Key| {
                let below = self.below_keys(channel, key.time_secs).1;
                Key { value: key.value + sign * below, ..*key }
            };
            let converted: Vec<Key> = curve.keys().iter().map(with_below).collect();
            self.change_keys(|keys| {
                converted.into_iter().for_each(|key| keys.set(&name, key));
                keys.edit_curve(&name, |curve| curve.mode = mode);
            });
        }
    }

    /// Sets what the keys of a channel, and of its linked partner, do before the first and after the last one.
    pub fn set_key_extrapolation(&mut self, channel: usize, before: Extrapolation, after: Extrapolation) {
        for channel in self.with_partner(channel) {
            let name = self.head.channels[channel].full_name.clone();
            self.change_keys(|keys| keys.edit_curve(&name, |curve| (curve.before, curve.after) = (before, after)));
        }
    }

    /// Writes what the clip of the file does with some channels as keys, which replace it: the face stays as it is.
    /// Channels with keys of their own, and those that the clip moves differently on several meshes, which keys cannot,
    /// are left as they are.
    pub fn convert_to_keys(&mut self, channels: impl IntoIterator<Item = usize>) -> ConvertedKeys {
        let (head, end_secs) = (self.head.clone(), self.timeline_secs());
        let mut converted = ConvertedKeys::default();
        for channel in channels {
            let Channel { full_name, targets, .. } = &head.channels[channel];
            let clip = self.clips().filter(|clip| clip.drives(channel)).last();
            let (Some(clip), Some(&first)) = (clip, targets.first()) else { continue };
            let is_alike = |&target: &usize| {
                let [of_first, of_this] = [first, target].map(|target| clip.curve_of(target));
                let times = || [of_first, of_this].into_iter().flatten().flat_map(|(curve, _)| curve.times());
                let value = |target: usize, secs: f32| clip.sample(secs, target);
                times().all(|&secs| match (value(first, secs), value(target, secs)) {
                    (Some(a), Some(b)) => (a - b).abs() <= SAME,
                    _ => false,
                })
            };
            if self.keys().curve(full_name).is_some() {
                converted.keyed += 1;
                continue;
            }
            let Some((curve, element)) = clip.curve_of(first).filter(|_| targets.iter().all(is_alike)) else {
                converted.unlike += 1;
                continue;
            };
            let curve = KeyCurve::of_clip(curve, element).repeated(clip.duration_secs, end_secs);
            converted.keys += curve.keys().len();
            converted.channels += 1;
            self.change_keys(|keys| keys.set_curve(full_name, curve));
        }
        converted
    }
}

/// What the first key of a channel does to the layer below that sets the channel: a performance goes on.
pub(super) fn first_key_mode(below: Layer) -> KeyMode {
    if below.is_motion() { KeyMode::Add } else { KeyMode::Replace }
}
