//! A set of keys, such as those selected on the screen.

use std::collections::BTreeMap;

use super::{Key, Keys};

/// A set of keys, by full channel name and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeySelection(BTreeMap<String, Vec<f32>>);

impl KeySelection {
    /// Adds the keys of a channel at these times.
    pub fn add(&mut self, channel: &str, times_secs: impl IntoIterator<Item = f32>) {
        let times = self.0.entry(channel.to_owned()).or_default();
        times.extend(times_secs);
        times.sort_by(f32::total_cmp);
        times.dedup();
        if times.is_empty() {
            self.0.remove(channel);
        }
    }

    /// Removes the keys of a channel at these times.
    pub fn subtract(&mut self, channel: &str, times_secs: impl IntoIterator<Item = f32>) {
        let Some(times) = self.0.get_mut(channel) else { return };
        for time_secs in times_secs {
            if let Ok(index) = times.binary_search_by(|time| time.total_cmp(&time_secs)) {
                times.remove(index);
            }
        }
        if times.is_empty() {
            self.0.remove(channel);
        }
    }

    /// Whether the key of a channel at a time is in the set.
    pub fn contains(&self, channel: &str, time_secs: f32) -> bool {
        self.times_of(channel).binary_search_by(|time| time.total_cmp(&time_secs)).is_ok()
    }

    /// The times of a channel's keys in the set, in order.
    pub fn times_of(&self, channel: &str) -> &[f32] {
        self.0.get(channel).map_or(&[], Vec::as_slice)
    }

    /// The channels, each with the times of its keys in the set.
    pub fn channels(&self) -> impl Iterator<Item = (&str, &[f32])> {
        self.0.iter().map(|(name, times)| (name.as_str(), times.as_slice()))
    }

    /// Number of keys in the set.
    pub fn len(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first and the last time; `None` if the set is empty.
    pub fn range_secs(&self) -> Option<[f32; 2]> {
        let first = self.0.values().filter_map(|times| times.first()).copied().reduce(f32::min)?;
        let last = self.0.values().filter_map(|times| times.last()).copied().reduce(f32::max)?;
        Some([first, last])
    }

    /// Removes what is not among `keys`, after keys were removed or undone.
    pub fn retain_in(&mut self, keys: &Keys) {
        for (channel, times) in &mut self.0 {
            let of = keys.of(channel);
            let exists = |time: &f32| of.binary_search_by(|key| key.time_secs.total_cmp(time)).is_ok();
            times.retain(exists);
        }
        self.0.retain(|_, times| !times.is_empty());
    }

    /// The keys in the set, channel by channel.
    pub fn keys_in<'a>(&'a self, keys: &'a Keys) -> impl Iterator<Item = (&'a str, Key)> {
        self.0.iter().flat_map(move |(channel, times)| {
            let of = keys.of(channel);
            let key = |time: &f32| of.binary_search_by(|key| key.time_secs.total_cmp(time)).ok().map(|index| of[index]);
            times.iter().filter_map(key).map(move |key| (channel.as_str(), key))
        })
    }
}
