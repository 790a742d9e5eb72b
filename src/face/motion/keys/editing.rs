//! Operations on many keys at once. Each returns new keys, so that a gesture applies it to the keys from before the
//! gesture, whatever it did on its way.

use std::ops::Range;

use rayon::prelude::*;

use super::{Key, KeyCurve, KeySelection, Keys};

impl Keys {
    /// The keys after each selected key was replaced by what `change` makes of it, and the selection of the results. A
    /// changed key replaces one that is not selected at its new time. Times are limited to the timeline; keys that
    /// [`Keys::set`] would ignore stay as they were.
    #[must_use]
    pub fn changed(&self, selection: &KeySelection, change: impl Fn(&str, Key) -> Key) -> (Self, KeySelection) {
        let (mut parts, mut selected) = (Vec::new(), KeySelection::default());
        for (channel, times) in selection.channels() {
            let Some(curve) = self.0.get(channel) else { continue };
            let keys = curve.keys();
            // Only the keys near the selected ones, before and after the change, have to be looked at.
            let selected_keys = range_of(keys, times);
            let (chosen, rest) = split(&keys[selected_keys.clone()], times);
            let changed = chosen.into_iter().map(|key| {
                let new = change(channel, key);
                let new = Key { time_secs: new.time_secs.clamp(0.0, Key::LATEST_SECS) + 0.0, ..new };
                if new.is_valid() { new } else { key }
            });
            let changed = in_order(changed.collect());
            let changed_times = times_of(&changed);
            let replaced = range_of(keys, &changed_times);
            let (first, end) = (selected_keys.start.min(replaced.start), selected_keys.end.max(replaced.end));
            let rest = [&keys[first..selected_keys.start], &rest, &keys[selected_keys.end..end]].concat();
            parts.push((channel, curve, first..end, merged(rest, &changed)));
            selected.add(channel, changed_times);
        }
        // All other keys are copied, on all cores.
        let curves = parts.into_par_iter().map(|(channel, curve, range, new)| (channel, curve.spliced(range, &new)));
        let mut result = self.clone();
        for (channel, curve) in curves.collect::<Vec<_>>() {
            result.0.insert(channel.to_owned(), curve);
        }
        (result, selected)
    }

    /// The keys without the selected ones.
    #[must_use]
    pub fn without(&self, selection: &KeySelection) -> Self {
        let mut result = self.clone();
        for (channel, times) in selection.channels() {
            let Some(curve) = self.0.get(channel) else { continue };
            let rest = split(curve.keys(), times).1;
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
            result.add(&other, split(curve.keys(), times).0, curve);
        }
        (result, selected)
    }
}

/// The keys at some times, and all others. Both keys and times are sorted.
pub(super) fn split(keys: &[Key], times_secs: &[f32]) -> (Vec<Key>, Vec<Key>) {
    let mut times = times_secs.iter().peekable();
    keys.iter().partition(|key| {
        while times.next_if(|time| **time < key.time_secs).is_some() {}
        times.peek().is_some_and(|time| **time == key.time_secs)
    })
}

/// The indices of the keys from the first to the last of some times, with a margin in which keys count as the same.
fn range_of(keys: &[Key], times_secs: &[f32]) -> Range<usize> {
    let (Some(first), Some(last)) = (times_secs.first(), times_secs.last()) else { return 0..0 };
    let start = keys.partition_point(|key| key.time_secs < first - 2.0 * Key::SAME_SECS);
    let end = keys.partition_point(|key| key.time_secs <= last + 2.0 * Key::SAME_SECS);
    start..end
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
    let near = range_of(&keys, &times_of(new));
    let mut all: Vec<Key> = keys[near.clone()].to_vec();
    all.retain(|key| {
        let next = new.partition_point(|other| other.time_secs < key.time_secs - Key::SAME_SECS);
        !new.get(next).is_some_and(|other| other.is_at(key.time_secs))
    });
    all.extend_from_slice(new);
    all.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    keys.splice(near, all);
    keys
}

fn times_of(keys: &[Key]) -> Vec<f32> {
    keys.iter().map(|key| key.time_secs).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Tangents;
    use super::*;
    use smirk_base::random::{bits, signed, unit};

    fn random_keys(seed: u32) -> Keys {
        let mut keys = Keys::default();
        for index in 0..10 + bits(seed, 0) % 60 {
            let tangents = match bits(seed, 3 * index + 1) % 4 {
                0 => Tangents::Linear,
                1 => Tangents::Step,
                2 => Tangents::Free(signed(seed, 3 * index + 1)),
                _ => Tangents::Auto,
            };
            let time_secs = unit(seed, 3 * index + 2) * 10.0;
            keys.set("a", Key { time_secs, value: signed(seed, 3 * index + 3), tangents });
        }
        keys
    }

    /// Selects some keys, and gives how far they move.
    fn random_move(seed: u32, keys: &Keys) -> (KeySelection, f32) {
        let first = bits(seed, 900) as usize % keys.of("a").len();
        let mut selection = KeySelection::default();
        let step = 1 + bits(seed, 901) as usize % 3;
        selection.add("a", keys.of("a").iter().skip(first).step_by(step).take(5).map(|key| key.time_secs));
        let by_secs = match bits(seed, 902) % 3 {
            // Onto another key, so that it is replaced.
            0 => keys.of("a")[bits(seed, 903) as usize % keys.of("a").len()].time_secs - keys.of("a")[first].time_secs,
            1 => 0.0,
            _ => signed(seed, 904) * 10.0,
        };
        (selection, by_secs)
    }

    #[test]
    fn changing_keys_gives_what_a_search_through_all_keys_gives() {
        for seed in 0..3_000 {
            let keys = random_keys(seed);
            let (selection, by_secs) = random_move(seed, &keys);
            let moved = |key: Key| Key { time_secs: (key.time_secs + by_secs).clamp(0.0, Key::LATEST_SECS), ..key };
            let (chosen, rest) = split(keys.of("a"), selection.times_of("a"));
            let expected = merged(rest, &in_order(chosen.into_iter().map(moved).collect()));
            let (changed, selected) = keys.changed(&selection, |_, key| moved(key));
            assert_eq!(changed.of("a"), expected, "{seed}");
            assert!(selected.times_of("a").iter().all(|&time| changed.key_at("a", time).is_some()), "{seed}");
        }
    }

    #[test]
    fn curves_differ_only_in_the_window_that_is_given() {
        let mut windows = 0;
        for seed in 0..3_000 {
            let keys = random_keys(seed);
            let (selection, by_secs) = random_move(seed, &keys);
            let by_value = signed(seed, 905);
            let changed = match bits(seed, 906) % 4 {
                0 => keys.without(&selection),
                _ => {
                    let key = |_: &str, key: Key| Key {
                        time_secs: key.time_secs + by_secs,
                        value: key.value + by_value,
                        ..key
                    };
                    keys.changed(&selection, key).0
                }
            };
            let (Some(old), Some(new)) = (keys.curve("a"), changed.curve("a")) else { continue };
            let Some([start, end]) = old.values_differ_within(new) else {
                assert_eq!(old.keys(), new.keys(), "{seed}");
                continue;
            };
            assert_eq!(new.values_differ_within(old), Some([start, end]), "{seed}");
            windows += usize::from(start > 0.0 || end < 10.0);
            let times = (0..500).map(|index| unit(seed, 1_000 + index) * 11.0 - 0.5).chain([start, end]);
            for time_secs in times.filter(|time| time.is_finite() && (*time <= start || *time >= end)) {
                assert_eq!(old.value_at(time_secs), new.value_at(time_secs), "{seed}: {time_secs} of {start}..{end}");
            }
        }
        assert!(windows > 500, "{windows}");
    }
}
