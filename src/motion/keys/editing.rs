//! Operations on many keys at once. Each returns new keys, so that a gesture applies it to the keys from before the
//! gesture, whatever it did on its way.

use super::{Key, KeyCurve, KeySelection, Keys};

impl Keys {
    /// The keys after each selected key was replaced by what `change` makes of it, and the selection of the results. A
    /// changed key replaces one that is not selected at its new time. Times are limited to the timeline; keys that
    /// [`Keys::set`] would ignore stay as they were.
    #[must_use]
    pub fn changed(&self, selection: &KeySelection, change: impl Fn(&str, Key) -> Key) -> (Self, KeySelection) {
        let (mut result, mut selected) = (self.clone(), KeySelection::default());
        for (channel, times) in selection.channels() {
            let Some(curve) = self.0.get(channel) else { continue };
            let (chosen, rest) = split(curve, times);
            let changed = chosen.into_iter().map(|key| {
                let new = change(channel, key);
                let new = Key { time_secs: new.time_secs.clamp(0.0, Key::LATEST_SECS) + 0.0, ..new };
                if new.is_valid() { new } else { key }
            });
            let changed = in_order(changed.collect());
            selected.add(channel, changed.iter().map(|key| key.time_secs));
            result.0.insert(channel.to_owned(), curve.with_keys(merged(rest, &changed)));
        }
        (result, selected)
    }

    /// The keys without the selected ones.
    #[must_use]
    pub fn without(&self, selection: &KeySelection) -> Self {
        let mut result = self.clone();
        for (channel, times) in selection.channels() {
            let Some(curve) = self.0.get(channel) else { continue };
            let rest = split(curve, times).1;
            if rest.is_empty() {
                result.0.remove(channel);
            } else {
                result.0.insert(channel.to_owned(), curve.with_keys(rest));
            }
        }
        result
    }

    /// Adds keys to a channel, which replace those at the same times. A channel without keys gets the mode and the
    /// extrapolation of `like`.
    pub(super) fn add(&mut self, channel: &str, new: Vec<Key>, like: &KeyCurve) {
        let new = in_order(new.into_iter().filter(Key::is_valid).collect());
        if new.is_empty() {
            return;
        }
        let curve = self.0.entry(channel.to_owned()).or_insert_with(|| like.with_keys(Vec::new()));
        *curve = curve.with_keys(merged(curve.keys().to_vec(), &new));
    }

    /// The keys with the selected ones also on the other side: `mirror` gives the name of a channel's mirrored channel.
    /// Where keys of both sides are selected, they change sides. Returns the selection of the mirrored keys.
    #[must_use]
    pub fn mirrored(&self, selection: &KeySelection, mirror: impl Fn(&str) -> String) -> (Self, KeySelection) {
        let mut crossing = KeySelection::default();
        for (channel, times) in selection.channels() {
            if !selection.times_of(&mirror(channel)).is_empty() {
                crossing.add(channel, times.iter().copied());
            }
        }
        let (mut result, mut selected) = (self.without(&crossing), KeySelection::default());
        for (channel, times) in selection.channels() {
            let Some(curve) = self.0.get(channel) else { continue };
            let other = mirror(channel);
            selected.add(&other, times.iter().copied());
            result.add(&other, split(curve, times).0, curve);
        }
        (result, selected)
    }
}

/// The keys of a curve at some times, and all others.
pub(super) fn split(curve: &KeyCurve, times_secs: &[f32]) -> (Vec<Key>, Vec<Key>) {
    let mut times = times_secs.iter().peekable();
    curve.keys().iter().partition(|key| {
        while times.next_if(|time| **time < key.time_secs).is_some() {}
        times.peek().is_some_and(|time| **time == key.time_secs)
    })
}

/// Keys in order of time, with one key at a time: of several, the last one.
pub(super) fn in_order(mut keys: Vec<Key>) -> Vec<Key> {
    keys.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    keys.dedup_by(|later, kept| {
        let is_same = later.is_at(kept.time_secs);
        if is_same {
            *kept = *later;
        }
        is_same
    });
    keys
}

/// Sorted keys with others, also sorted, that replace those at the same times.
fn merged(mut keys: Vec<Key>, new: &[Key]) -> Vec<Key> {
    keys.retain(|key| {
        let next = new.partition_point(|other| other.time_secs < key.time_secs - Key::SAME_SECS);
        !new.get(next).is_some_and(|other| other.is_at(key.time_secs))
    });
    keys.extend_from_slice(new);
    keys.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    keys
}
