//! Time that is inserted into all curves of keys, or deleted from them.

use super::cut::{Cut, drawn_slopes, with_slopes};
use super::editing::in_order;
use super::{Key, KeyCurve, Keys, Tangents};
use crate::motion::Ease;

impl Keys {
    /// The keys after all from `from_secs` on moved by `by_secs`. Where they move to earlier times, those that they pass are
    /// removed. The curve between the last key that stays and the first one that moves gets longer or shorter.
    #[must_use]
    pub fn rippled(&self, from_secs: f32, by_secs: f32) -> Self {
        let to_secs = from_secs + by_secs;
        self.with_curves(|curve| {
            // Keys that an artist sees at one time move together.
            let moves = |key: &Key| key.time_secs > from_secs - Key::SAME_SECS;
            let is_passed = |key: &&Key| key.time_secs >= to_secs && !moves(key);
            let keys = curve.keys().iter().filter(|key| !is_passed(key));
            keys.map(|&key| if moves(&key) { moved(key, by_secs) } else { key }).collect()
        })
    }

    /// The keys after `secs` seconds were inserted at a time, in which the value that each curve has there is held. Before that
    /// time the curves stay as they are, and after it they are the same, `secs` seconds later.
    #[must_use]
    pub fn with_time_inserted(&self, at_secs: f32, secs: f32) -> Self {
        if !(secs > Key::SAME_SECS && at_secs.is_finite()) {
            return self.clone();
        }
        self.with_curves(|curve| inserted(curve, at_secs, secs))
    }

    /// The keys after the time between two others was deleted. Before it the curves stay as they are. What follows sets in at
    /// the value that the cut has reached, and eases to its own values within `ease_secs`; from then on the curves are the
    /// same, just earlier.
    #[must_use]
    pub fn with_time_deleted(&self, [from_secs, to_secs]: [f32; 2], ease_secs: f32) -> Self {
        if !(to_secs - from_secs > Key::SAME_SECS && from_secs.is_finite()) {
            return self.clone();
        }
        self.with_curves(|curve| deleted(curve, [from_secs.max(0.0), to_secs], ease_secs.max(2.0 * Key::SAME_SECS)))
    }

    /// The same curves with other keys; a curve without any is removed.
    fn with_curves(&self, change: impl Fn(&KeyCurve) -> Vec<Key>) -> Self {
        let curves = self.0.iter().map(|(channel, curve)| {
            let valid = change(curve).into_iter().filter(Key::is_valid).collect();
            (channel.clone(), curve.with_keys(in_order(valid)))
        });
        Self(curves.filter(|(_, curve)| !curve.keys().is_empty()).collect())
    }
}

/// A key at another time, limited to the timeline.
fn moved(key: Key, by_secs: f32) -> Key {
    Key { time_secs: (key.time_secs + by_secs).clamp(0.0, Key::LATEST_SECS), ..key }
}

fn inserted(curve: &KeyCurve, at_secs: f32, secs: f32) -> Vec<Key> {
    let Some(cut) = Cut::of(curve, at_secs) else { return Vec::new() };
    if cut.before.is_empty() || cut.is_level {
        let is_later = |key: &Key| key.time_secs >= at_secs - Key::SAME_SECS;
        return curve.keys().iter().map(|&key| if is_later(&key) { moved(key, secs) } else { key }).collect();
    }
    let Cut { mut before, after, time_secs, value, slopes: [incoming, outgoing], steps, .. } = cut;
    before.push(Key { time_secs, value, tangents: with_slopes([incoming, 0.0]) });
    let tangents = if steps { Tangents::Step } else { with_slopes([0.0, outgoing]) };
    before.push(moved(Key { time_secs, value, tangents }, secs));
    before.extend(after.into_iter().map(|key| moved(key, secs)));
    before
}

fn deleted(curve: &KeyCurve, [from_secs, to_secs]: [f32; 2], ease_secs: f32) -> Vec<Key> {
    /// Values that are closer than this do not jump.
    const SAME: f32 = 1e-5;
    let by_secs = from_secs - to_secs;
    let cuts = [from_secs, to_secs, to_secs + ease_secs].map(|secs| Cut::of(curve, secs));
    let [Some(left), Some(right), Some(eased)] = cuts else { return Vec::new() };
    let mut keys = left.before;
    let jump = left.value - right.value;
    let starts_there = from_secs <= Key::SAME_SECS;
    // After a held value, another one may follow at once.
    if starts_there || jump.abs() < SAME || (left.is_level && left.steps) {
        let is_only = keys.is_empty() && right.after.is_empty();
        let is_same =
            if starts_there { !right.steps } else { left.is_level && jump == 0.0 && left.steps == right.steps };
        if is_only || !(right.is_level && is_same) {
            let tangents = with_slopes([left.slopes[0], right.slopes[1]]);
            let tangents = if right.steps { Tangents::Step } else { tangents };
            // A key that is nearly at the cut stays where it is.
            let time_secs =
                if left.time_secs == from_secs { (right.time_secs + by_secs).max(0.0) } else { left.time_secs };
            keys.push(Key { time_secs, value: right.value, tangents });
        }
        keys.extend(right.after.into_iter().map(|key| moved(key, by_secs)));
        return keys;
    }
    // The curve after the cut and what is left of the jump: both are cubic, so that their sum is a curve of keys, too.
    let leaving = if right.steps { 0.0 } else { right.slopes[1] };
    let tangents = with_slopes([left.slopes[0], leaving]);
    keys.push(Key { time_secs: left.time_secs, value: left.value, tangents });
    for (index, &key) in curve.keys().iter().enumerate() {
        if key.time_secs <= to_secs + Key::SAME_SECS || key.time_secs >= eased.time_secs - Key::SAME_SECS {
            continue;
        }
        let part = (key.time_secs - to_secs) / ease_secs;
        let slope = -jump * 6.0 * part * (1.0 - part) / ease_secs;
        let tangents = match key.tangents {
            Tangents::Step => Tangents::Step,
            _ => with_slopes(drawn_slopes(curve, index).map(|own| own + slope)),
        };
        keys.push(moved(Key { value: key.value + jump * (1.0 - Ease::InOut.at(part)), tangents, ..key }, by_secs));
    }
    let tangents = if eased.steps { Tangents::Step } else { with_slopes(eased.slopes) };
    keys.push(moved(Key { time_secs: eased.time_secs, value: eased.value, tangents }, by_secs));
    keys.extend(eased.after.into_iter().map(|key| moved(key, by_secs)));
    keys
}
