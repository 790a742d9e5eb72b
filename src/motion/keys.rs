//! Keys that the user set. They override the clip and the take.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Ease, Moment, StackWeights, WeightSource};
use crate::head::Head;

/// A value at a time, as set by the user.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// Time on the timeline.
    pub time_secs: f32,
    /// The channel's weight.
    pub value: f32,
}

/// Keys by full channel name, each list sorted by time. A channel with at least one key is driven by its keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keys(BTreeMap<String, Vec<Key>>);

impl Keys {
    /// The time of the last possible key: one day.
    pub const LATEST_SECS: f32 = 86_400.0;
    /// Keys that are closer together than this are the same key.
    const SAME_SECS: f32 = 1e-3;

    /// Sets a key, and replaces a key at the same time. A time before 0 or after [`Self::LATEST_SECS`], or a value that
    /// is not finite, is ignored.
    pub fn set(&mut self, channel: &str, key: Key) {
        if !((0.0..=Self::LATEST_SECS).contains(&key.time_secs) && key.value.is_finite()) {
            return;
        }
        self.remove(channel, key.time_secs);
        let keys = self.0.entry(channel.to_owned()).or_default();
        let place = keys.partition_point(|other| other.time_secs < key.time_secs);
        keys.insert(place, key);
    }

    /// The same keys in order of time, with one key at a time, where a file may hold others: of keys at the same time, the last in
    /// the file counts. Keys that [`Self::set`] would ignore are left out.
    #[must_use]
    pub fn sorted(&self) -> Self {
        let mut sorted = self.clone();
        for keys in sorted.0.values_mut() {
            keys.retain(|key| (0.0..=Self::LATEST_SECS).contains(&key.time_secs) && key.value.is_finite());
            keys.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
            keys.dedup_by(|later, kept| {
                let is_same = later.time_secs - kept.time_secs <= Self::SAME_SECS;
                if is_same {
                    *kept = *later;
                }
                is_same
            });
        }
        sorted.0.retain(|_, keys| !keys.is_empty());
        sorted
    }

    /// Removes the key at a time. Returns false if there is none.
    pub fn remove(&mut self, channel: &str, time_secs: f32) -> bool {
        let Some(keys) = self.0.get_mut(channel) else { return false };
        let before = keys.len();
        keys.retain(|key| (key.time_secs - time_secs).abs() > Self::SAME_SECS);
        let removed = keys.len() < before;
        if keys.is_empty() {
            self.0.remove(channel);
        }
        removed
    }

    /// Removes all keys of a channel.
    pub fn clear(&mut self, channel: &str) {
        self.0.remove(channel);
    }

    /// The keys of a channel, sorted by time.
    pub fn of(&self, channel: &str) -> &[Key] {
        self.0.get(channel).map_or(&[], Vec::as_slice)
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same keys, stored under the channel names of `head`. Names that the head does not have stay as they are. If
    /// two names mean one channel of the head, only the keys of the first are used.
    pub fn on(&self, head: &Head) -> Self {
        let mut own = Self::default();
        for (name, keys) in &self.0 {
            let channels = head.channel_alike(name);
            let names = channels.iter().map(|&channel| &head.channels[channel].full_name);
            let unknown = channels.is_empty().then_some(name);
            for name in names.chain(unknown) {
                own.0.entry(name.clone()).or_insert_with(|| keys.clone());
            }
        }
        own
    }

    /// Names of the channels with keys.
    pub fn channels(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The time of the last key of all channels; 0 if there are no keys.
    pub fn end_secs(&self) -> f32 {
        self.0.values().filter_map(|keys| keys.last()).map(|key| key.time_secs).fold(0.0, f32::max)
    }

    /// The value of a channel at a time: eased between keys, constant before the first and after the last key.
    pub fn sample(&self, channel: &str, time_secs: f32) -> Option<f32> {
        sample(self.of(channel), time_secs)
    }
}

fn sample(keys: &[Key], time_secs: f32) -> Option<f32> {
    let next = keys.partition_point(|key| key.time_secs <= time_secs);
    let (Some(after), Some(before)) = (keys.get(next), next.checked_sub(1).map(|index| keys[index])) else {
        return if next == 0 { keys.first() } else { keys.last() }.map(|key| key.value);
    };
    let s = (time_secs - before.time_secs) / (after.time_secs - before.time_secs);
    Some(before.value + (after.value - before.value) * Ease::InOut.at(s))
}

/// Keys, bound to the channels of a head.
#[derive(Debug)]
pub(super) struct BoundKeys(Vec<(Vec<usize>, Vec<Key>)>);

impl BoundKeys {
    pub(super) fn bind(head: &Head, keys: &Keys) -> Option<Box<dyn WeightSource>> {
        if keys.is_empty() {
            return None;
        }
        Some(Box::new(Self(keys.0.iter().map(|(name, keys)| (head.channel_alike(name), keys.clone())).collect())))
    }
}

impl WeightSource for BoundKeys {
    fn apply(&self, moment: Moment, weights: &mut StackWeights<'_>) {
        for (channels, keys) in &self.0 {
            let value = sample(keys, moment.timeline_secs);
            for &channel in channels {
                weights.set(channel, |_, below| value.unwrap_or(below));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_ease_between_and_hold_their_ends() {
        let mut keys = Keys::default();
        assert_eq!(keys.sample("jawOpen", 1.0), None);
        for (time_secs, value) in [(3.0, 1.0), (1.0, 0.0)] {
            keys.set("jawOpen", Key { time_secs, value });
        }
        let at = |time| keys.sample("jawOpen", time).unwrap();
        assert_eq!((at(0.0), at(1.0), at(2.0), at(3.0), at(9.0)), (0.0, 0.0, 0.5, 1.0, 1.0));
        assert_eq!(keys.end_secs(), 3.0);
    }

    #[test]
    fn a_key_replaces_the_one_at_its_time() {
        let mut keys = Keys::default();
        keys.set("a", Key { time_secs: 1.0, value: 0.2 });
        keys.set("a", Key { time_secs: 1.0, value: 0.7 });
        keys.set("a", Key { time_secs: 2.0, value: f32::NAN });
        assert_eq!(keys.of("a"), [Key { time_secs: 1.0, value: 0.7 }]);
        assert!(keys.remove("a", 1.0) && !keys.remove("a", 1.0));
        assert_eq!(keys, Keys::default());
    }
}
