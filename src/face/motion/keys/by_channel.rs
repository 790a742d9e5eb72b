//! All keys, by channel.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Key, KeyCurve};
use crate::head::Head;

/// Curves of keys by full channel name. A channel without keys has no curve.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Keys(pub(super) BTreeMap<String, KeyCurve>);

impl Keys {
    /// Sets a key, and replaces a key at the same time. A time before 0 or after [`Key::LATEST_SECS`], or a number that
    /// is not finite, is ignored.
    pub fn set(&mut self, channel: &str, key: Key) {
        if key.is_valid() {
            self.0.entry(channel.to_owned()).or_default().set(key);
        }
    }

    /// The same keys in order of time, with one key at a time, where a file may hold others: of keys at the same time, the last in
    /// the file counts. Keys that [`Self::set`] would ignore are left out.
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

    /// Removes all keys of a channel.
    pub fn clear(&mut self, channel: &str) {
        self.0.remove(channel);
    }

    /// The curve of a channel.
    pub fn curve(&self, channel: &str) -> Option<&KeyCurve> {
        self.0.get(channel)
    }

    /// Changes how the curve of a channel acts on what is below. Does nothing without keys.
    pub fn edit_curve(&mut self, channel: &str, edit: impl FnOnce(&mut KeyCurve)) {
        self.0.get_mut(channel).map(edit);
    }

    /// The keys of a channel, sorted by time.
    pub fn of(&self, channel: &str) -> &[Key] {
        self.0.get(channel).map_or(&[], KeyCurve::keys)
    }

    /// The key of a channel at a time.
    pub fn key_at(&self, channel: &str, time_secs: f32) -> Option<Key> {
        self.curve(channel)?.key_at(time_secs)
    }

    /// Whether there are no keys.
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

    /// Names of the channels with keys.
    pub fn channels(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The time of the last key of all channels; 0 if there are no keys.
    pub fn end_secs(&self) -> f32 {
        self.0.values().filter_map(|curve| curve.keys().last()).map(|key| key.time_secs).fold(0.0, f32::max)
    }

    /// The value of a channel's curve at a time, see [`KeyCurve::value_at`].
    pub fn sample(&self, channel: &str, time_secs: f32) -> Option<f32> {
        self.curve(channel)?.value_at(time_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Tangents;
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
        assert_eq!(keys.of("a"), [Key::new(1.0, 0.7)]);
        assert!(keys.remove("a", 1.0) && !keys.remove("a", 1.0));
        assert_eq!(keys, Keys::default());
    }
}
