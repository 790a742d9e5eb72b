//! Keys that the user set: a layer of curves above the clip and the take. Per channel, the curve replaces what is below
//! or is added to it.

mod curve;
mod editing;

pub use curve::{Extrapolation, Key, KeyCurve, KeyMode, Tangents};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::head::Head;
use crate::motion::{Moment, StackWeights, WeightSource};
use editing::split;

/// Curves of keys by full channel name. A channel without keys has no curve.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keys(BTreeMap<String, KeyCurve>);

impl Keys {
    pub const NONE: Self = Self(BTreeMap::new());

    /// Sets a key, and replaces a key at the same time. A time before 0 or after [`Key::LATEST_SECS`], or a number that
    /// is not finite, is ignored.
    pub fn set(&mut self, channel: &str, key: Key) {
        if key.is_valid() {
            self.0.entry(channel.to_owned()).or_default().set(key);
        }
    }

    /// The same keys in order of time, with one key at a time, where a file may hold others: of keys at the same time,
    /// the last in the file counts. Keys that [`Self::set`] would ignore are left out.
    #[must_use]
    pub fn sorted(&self) -> Self {
        let curves = self.0.iter().map(|(name, curve)| (name.clone(), curve.sorted()));
        Self(curves.filter(|(_, curve)| !curve.keys().is_empty()).collect())
    }

    /// Removes the key at a time. Returns false if there is none.
    pub fn remove(&mut self, channel: &str, time_secs: f32) -> bool {
        let Some(curve) = self.0.get_mut(channel) else { return false };
        let removed = curve.remove(time_secs);
        if curve.keys().is_empty() {
            self.0.remove(channel);
        }
        removed
    }

    /// Gives a channel another curve; one without keys leaves it without a curve.
    pub fn set_curve(&mut self, channel: &str, curve: KeyCurve) {
        if curve.keys().is_empty() {
            self.clear(channel);
        } else {
            self.0.insert(channel.to_owned(), curve);
        }
    }

    pub fn clear(&mut self, channel: &str) {
        self.0.remove(channel);
    }

    pub fn curve(&self, channel: &str) -> Option<&KeyCurve> {
        self.0.get(channel)
    }

    /// Changes how the curve of a channel acts on what is below. Does nothing without keys.
    pub fn edit_curve(&mut self, channel: &str, edit: impl FnOnce(&mut KeyCurve)) {
        self.0.get_mut(channel).map(edit);
    }

    /// The keys of a channel, sorted by time.
    pub fn keys_of(&self, channel: &str) -> &[Key] {
        self.0.get(channel).map_or(&[], KeyCurve::keys)
    }

    pub fn key_at(&self, channel: &str, time_secs: f32) -> Option<Key> {
        self.curve(channel)?.key_at(time_secs)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same keys, stored under the channel names of `head`. Names that the head does not have stay as they are. If
    /// two names mean one channel of the head, only the keys of the first are used.
    pub fn on(&self, head: &Head) -> Self {
        let mut own = Self::default();
        for (name, curve) in &self.0 {
            let channels = head.channel_alike(name);
            let names = channels.iter().map(|&channel| &head.channels[channel].full_name);
            let unknown = channels.is_empty().then_some(name);
            for name in names.chain(unknown) {
                own.0.entry(name.clone()).or_insert_with(|| curve.clone());
            }
        }
        own
    }

    pub fn channels(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The time of the last key of all channels; 0 if there are no keys.
    pub fn end_secs(&self) -> f32 {
        self.0.values().filter_map(|curve| curve.keys().last()).map(|key| key.time_secs).fold(0.0, f32::max)
    }

    /// The times of the last key before a time, and of the first one after it, of the channels that count.
    pub fn times_around(&self, time_secs: f32, counts: impl Fn(&str) -> bool) -> [Option<f32>; 2] {
        let nearest = |curve: &KeyCurve| {
            let keys = curve.keys();
            let before = keys[..keys.partition_point(|key| key.time_secs < time_secs - Key::SAME_SECS)].last();
            let after = keys[keys.partition_point(|key| key.time_secs <= time_secs + Key::SAME_SECS)..].first();
            [before, after].map(|key| key.map(|key| key.time_secs))
        };
        let curves = self.0.iter().filter(|(name, _)| counts(name));
        let nearest: Vec<_> = curves.map(|(_, curve)| nearest(curve)).collect();
        let before = nearest.iter().filter_map(|[before, _]| *before).max_by(f32::total_cmp);
        [before, nearest.iter().filter_map(|[_, after]| *after).min_by(f32::total_cmp)]
    }

    /// The times at which a face was keyed rather than some of its channels: at least a third of the channels with keys
    /// have one then. In order.
    pub fn face_times(&self) -> Vec<f32> {
        let mut times: Vec<f32> =
            self.0.values().flat_map(|curve| curve.keys().iter().map(|key| key.time_secs)).collect();
        times.sort_by(f32::total_cmp);
        let together = times.chunk_by(|time, next| next - time <= Key::SAME_SECS);
        together.filter(|keys| 3 * keys.len() >= self.0.len()).map(|keys| keys[0]).collect()
    }

    /// The value of a channel's curve at a time, see [`KeyCurve::value_at`].
    pub fn sample(&self, channel: &str, time_secs: f32) -> Option<f32> {
        self.curve(channel)?.value_at(time_secs)
    }
}

#[derive(Debug)]
struct BoundKeys(Vec<(Vec<usize>, KeyCurve)>);

impl Keys {
    /// The keys as a source of weights, if there are any.
    pub fn source(&self, head: &Head) -> Option<Box<dyn WeightSource>> {
        if self.is_empty() {
            return None;
        }
        let curves = self.0.iter().map(|(name, curve)| (head.channel_alike(name), curve.clone()));
        Some(Box::new(BoundKeys(curves.collect())))
    }
}

impl WeightSource for BoundKeys {
    fn apply(&self, moment: &Moment, weights: &mut StackWeights<'_>) {
        let time_secs = moment.timeline_secs;
        for (channels, curve) in &self.0 {
            let Some(value) = curve.value_at(time_secs) else { continue };
            let influence = curve.influence_at(time_secs);
            for &channel in channels {
                // A curve that has faded out leaves the channel to what is below.
                if influence > 0.0 {
                    weights.set(channel, |_, below| curve.combined(value, influence, below));
                }
            }
        }
    }
}

/// A set of keys, by full channel name and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeySelection(BTreeMap<String, Vec<f32>>);

impl KeySelection {
    pub fn add(&mut self, channel: &str, times_secs: impl IntoIterator<Item = f32>) {
        let times = self.0.entry(channel.to_owned()).or_default();
        times.extend(times_secs);
        times.sort_by(f32::total_cmp);
        times.dedup();
        if times.is_empty() {
            self.0.remove(channel);
        }
    }

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

    pub fn contains(&self, channel: &str, time_secs: f32) -> bool {
        self.times_of(channel).binary_search_by(|time| time.total_cmp(&time_secs)).is_ok()
    }

    /// The times of a channel's keys in the set, in order.
    pub fn times_of(&self, channel: &str) -> &[f32] {
        self.0.get(channel).map_or(&[], Vec::as_slice)
    }

    pub fn channels(&self) -> impl Iterator<Item = (&str, &[f32])> {
        self.0.iter().map(|(name, times)| (name.as_str(), times.as_slice()))
    }

    pub fn len(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

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
            let keys = keys.keys_of(channel);
            times.retain(|time| keys.binary_search_by(|key| key.time_secs.total_cmp(time)).is_ok());
        }
        self.0.retain(|_, times| !times.is_empty());
    }

    pub fn keys_in<'a>(&'a self, keys: &'a Keys) -> impl Iterator<Item = (&'a str, Key)> {
        self.0.iter().flat_map(move |(channel, times)| {
            let keys = keys.keys_of(channel);
            times.iter().filter_map(move |time| {
                let index = keys.binary_search_by(|key| key.time_secs.total_cmp(time)).ok()?;
                Some((channel.as_str(), keys[index]))
            })
        })
    }
}

/// Keys that were copied, and the time of the first of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CopiedKeys {
    channels: Vec<(String, KeyCurve)>,
    first_secs: f32,
}

impl CopiedKeys {
    pub fn copy(keys: &Keys, selection: &KeySelection) -> Self {
        let channels = selection.channels().filter_map(|(channel, times)| {
            let curve = keys.curve(channel)?;
            Some((channel.to_owned(), curve.with_keys(split(curve.keys(), times).0)))
        });
        let channels: Vec<_> = channels.collect();
        Self { channels, first_secs: selection.range_secs().map_or(0.0, |[first, _]| first) }
    }

    pub fn is_empty(&self) -> bool {
        self.channels.is_empty()
    }

    pub fn len(&self) -> usize {
        self.channels.iter().map(|(_, curve)| curve.keys().len()).sum()
    }

    /// Pastes the keys, the first one at `at_secs`. They go to their own channels if there is no channel in `onto` or
    /// if all of their own are among these; the keys of a single channel go to every channel in `onto`; else each
    /// copied channel goes to the channel in `onto` with its number. Returns the selection of the pasted keys.
    pub fn paste(&self, keys: &mut Keys, at_secs: f32, onto: &[String]) -> KeySelection {
        let by_secs = at_secs - self.first_secs;
        let is_home = onto.is_empty() || self.channels.iter().all(|(name, _)| onto.contains(name));
        let targets: Vec<(&str, &KeyCurve)> = match self.channels.as_slice() {
            all if is_home => all.iter().map(|(name, curve)| (name.as_str(), curve)).collect(),
            [(_, curve)] => onto.iter().map(|name| (name.as_str(), curve)).collect(),
            all => onto.iter().zip(all).map(|(name, (_, curve))| (name.as_str(), curve)).collect(),
        };
        let mut selection = KeySelection::default();
        for (channel, curve) in targets {
            let moved = curve.keys().iter().map(|key| Key { time_secs: key.time_secs + by_secs, ..*key });
            let moved: Vec<Key> = moved.filter(|key| key.time_secs <= Key::LATEST_SECS).collect();
            selection.add(channel, moved.iter().map(|key| key.time_secs));
            keys.add(channel, moved, curve);
        }
        selection
    }
}

#[cfg(test)]
mod tests {
    use super::Tangents;
    use super::*;

    #[test]
    fn keys_ease_between_and_hold_their_ends() {
        let mut keys = Keys::default();
        assert_eq!(keys.sample("jawOpen", 1.0), None);
        for (time_secs, value) in [(3.0, 1.0), (1.0, 0.0)] {
            keys.set("jawOpen", Key { time_secs, value, tangents: Tangents::FLAT });
        }
        let at = |time| keys.sample("jawOpen", time).unwrap();
        assert_eq!((at(0.0), at(1.0), at(2.0), at(3.0), at(9.0)), (0.0, 0.0, 0.5, 1.0, 1.0));
        assert_eq!(keys.end_secs(), 3.0);
    }

    #[test]
    fn a_key_replaces_the_one_at_its_time() {
        let mut keys = Keys::default();
        keys.set("a", Key::new(1.0, 0.2));
        keys.set("a", Key::new(1.0, 0.7));
        keys.set("a", Key::new(2.0, f32::NAN));
        keys.set("a", Key { tangents: Tangents::Free(f32::INFINITY), ..Key::new(2.0, 0.5) });
        assert_eq!(keys.keys_of("a"), [Key::new(1.0, 0.7)]);
        assert!(keys.remove("a", 1.0) && !keys.remove("a", 1.0));
        assert_eq!(keys, Keys::default());
    }
}
