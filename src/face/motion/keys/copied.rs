//! Copied keys.

use super::editing::split;
use super::{Key, KeyCurve, KeySelection, Keys};

/// Keys that were copied, and the time of the first of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CopiedKeys {
    channels: Vec<(String, KeyCurve)>,
    first_secs: f32,
}

impl CopiedKeys {
    /// Copies the selected keys.
    pub fn of(keys: &Keys, selection: &KeySelection) -> Self {
        let curve = |(channel, times): (&str, &[f32])| {
            let curve = keys.curve(channel)?;
            Some((channel.to_owned(), curve.with_keys(split(curve.keys(), times).0)))
        };
        let channels: Vec<_> = selection.channels().filter_map(curve).collect();
        Self { channels, first_secs: selection.range_secs().map_or(0.0, |[first, _]| first) }
    }

    /// Whether nothing was copied.
    pub fn is_empty(&self) -> bool {
        self.channels.is_empty()
    }

    /// Number of copied keys.
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
