//! Operations on many keys at once. Each returns new keys, so that a gesture applies it to the keys from before the
//! gesture, whatever it did on its way.

use std::ops::Range;

use rayon::prelude::*;

use super::curve::slope_between;
use super::{Key, KeyCurve, KeySelection, Keys, Tangents};
use crate::motion::Ease;

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
            let changed = Key::in_order(changed.collect());
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
        let new = Key::in_order(new.into_iter().filter(Key::is_valid).collect());
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

/// The parts of a curve before and after a time, and the point between them.
#[derive(Clone, Debug)]
struct Cut {
    pub before: Vec<Key>,
    pub after: Vec<Key>,
    /// The time of the point: that of a key if there is one.
    pub time_secs: f32,
    pub value: f32,
    /// The slopes with which the curve arrives at the point and leaves it, per second.
    pub slopes: [f32; 2],
    /// Whether the value is held from the point to the next key.
    pub steps: bool,
    /// Whether the value does not change around the point, so that no key is needed there.
    pub is_level: bool,
}

impl Cut {
    /// Cuts a curve; `None` if it has no keys. The keys beside the point keep the slopes that they have, where other
    /// keys beside them would change them.
    pub(super) fn at(curve: &KeyCurve, time_secs: f32) -> Option<Self> {
        let keys = curve.keys();
        let last = keys.last()?;
        let next = keys.partition_point(|key| key.time_secs < time_secs - Key::SAME_SECS);
        if let Some(key) = keys.get(next).filter(|key| key.is_at(time_secs)) {
            let (before, after) = (keys[..next].to_vec(), keys[next + 1..].to_vec());
            let Key { time_secs, value, tangents } = *key;
            let (slopes, steps) = (drawn_slopes(curve, next), tangents == Tangents::Step);
            return Some(Self { before, after, time_secs, value, slopes, steps, is_level: false });
        }
        let (mut before, mut after) = (keys[..next].to_vec(), keys[next..].to_vec());
        let (value, slope, steps, is_level) = match (before.last_mut(), after.first_mut()) {
            (None, first) => (first.map_or(last.value, |first| first.value), 0.0, false, true),
            (Some(last), None) => (last.value, 0.0, false, true),
            (Some(from), Some(_)) if from.tangents == Tangents::Step => (from.value, 0.0, true, true),
            (Some(from), Some(to)) => {
                let ends = [curve.slopes_at(next - 1), curve.slopes_at(next)];
                let is_level = from.value == to.value && (ends[0][1], ends[1][0]) == (0.0, 0.0);
                let is_line = (from.tangents, to.tangents) == (Tangents::Linear, Tangents::Linear);
                if !is_level && !is_line {
                    from.tangents = fixed(from.tangents, ends[0]);
                    to.tangents = fixed(to.tangents, ends[1]);
                }
                let slope = slope_between(keys, next - 1, time_secs) as f32;
                (curve.value_after(next - 1, time_secs), slope, false, is_level)
            }
        };
        Some(Self { before, after, time_secs, value, slopes: [slope; 2], steps, is_level })
    }
}

/// The slopes on both sides of a key as the curve is drawn: before the first key and after the last one it is level,
/// whatever their tangents say.
fn drawn_slopes(curve: &KeyCurve, index: usize) -> [f32; 2] {
    let [incoming, outgoing] = curve.slopes_at(index);
    [if index == 0 { 0.0 } else { incoming }, if index + 1 == curve.keys().len() { 0.0 } else { outgoing }]
}

/// Free tangents, or broken ones if the slopes differ.
fn with_slopes([incoming, outgoing]: [f32; 2]) -> Tangents {
    if incoming == outgoing { Tangents::Free(incoming) } else { Tangents::Broken { incoming, outgoing } }
}

/// Tangents of these slopes, if so far they depend on the keys beside the key.
fn fixed(tangents: Tangents, slopes: [f32; 2]) -> Tangents {
    match tangents {
        Tangents::Auto | Tangents::Linear => with_slopes(slopes),
        Tangents::Step | Tangents::Free(_) | Tangents::Broken { .. } => tangents,
    }
}

impl Keys {
    /// The keys after all from `from_secs` on moved by `by_secs`. Where they move to earlier times, those that they
    /// pass are removed. The curve between the last key that stays and the first one that moves gets longer or shorter.
    #[must_use]
    pub fn rippled(&self, from_secs: f32, by_secs: f32) -> Self {
        let to_secs = from_secs + by_secs;
        self.with_curves(|curve| {
            // Keys that an artist sees at one time move together.
            let first = curve.keys().partition_point(|key| key.time_secs <= from_secs - Key::SAME_SECS);
            let (staying, moving) = curve.keys().split_at(first);
            let staying = staying.iter().copied().filter(|key| key.time_secs < to_secs);
            staying.chain(moving.iter().map(|&key| moved(key, by_secs))).collect()
        })
    }

    /// The keys after `secs` seconds were inserted at a time, in which the value that each curve has there is held.
    /// Before that time the curves stay as they are, and after it they are the same, `secs` seconds later.
    #[must_use]
    pub fn with_time_inserted(&self, at_secs: f32, secs: f32) -> Self {
        if !(secs > Key::SAME_SECS && at_secs.is_finite()) {
            return self.clone();
        }
        self.with_curves(|curve| inserted(curve, at_secs, secs))
    }

    /// The keys after the time between two others was deleted. Before it the curves stay as they are. What follows sets
    /// in at the value that the cut has reached, and eases to its own values within `ease_secs`; from then on the
    /// curves are the same, just earlier.
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
            (channel.clone(), curve.with_keys(Key::in_order(valid)))
        });
        Self(curves.filter(|(_, curve)| !curve.keys().is_empty()).collect())
    }
}

/// A key at another time, limited to the timeline.
fn moved(key: Key, by_secs: f32) -> Key {
    Key { time_secs: (key.time_secs + by_secs).clamp(0.0, Key::LATEST_SECS), ..key }
}

fn inserted(curve: &KeyCurve, at_secs: f32, secs: f32) -> Vec<Key> {
    let Some(cut) = Cut::at(curve, at_secs) else { return Vec::new() };
    if cut.before.is_empty() || cut.is_level {
        let first = at_secs - Key::SAME_SECS;
        return curve.keys().iter().map(|&key| if key.time_secs >= first { moved(key, secs) } else { key }).collect();
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
    let cuts = [from_secs, to_secs, to_secs + ease_secs].map(|secs| Cut::at(curve, secs));
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

/// The largest distance of the new curve from the sum, at the points that are looked at.
const TOLERANCE: f32 = 0.007;

/// How many points of a segment are looked at.
const POINTS: u16 = 24;

/// Breaks that are closer together count as one, and a jump of the sum becomes a slope of this length.
const LEAST_SECS: f32 = 2.0 * Key::SAME_SECS;

/// With more keys than this, segments are no longer divided.
const MOST_KEYS: usize = 50_000;

/// Slopes that differ by less than this, in weight per second, are equal.
const SAME_SLOPE: f32 = 0.02;

#[derive(Clone, Copy, Debug)]
struct Node {
    secs: f32,
    value: f32,
    incoming: f32,
    outgoing: f32,
    /// The key of the old curve, as long as the curve beside it is the old one on both sides.
    own: Option<Key>,
}

impl Node {
    fn key(&self) -> Key {
        let (incoming, outgoing) = (self.incoming, self.outgoing);
        let tangents = if incoming.abs().max(outgoing.abs()) < SAME_SLOPE {
            Tangents::FLAT
        } else if (incoming - outgoing).abs() < SAME_SLOPE {
            Tangents::Free(outgoing)
        } else {
            Tangents::Broken { incoming, outgoing }
        };
        self.own.unwrap_or(Key { time_secs: self.secs, value: self.value, tangents })
    }
}

impl KeyCurve {
    /// The same curve plus `added`, a function of time that is 0 outside of `spans`. A curve without keys has the value
    /// `base`.
    ///
    /// Each span lists times at which the slope of `added` may change abruptly: its start, its end, and others between
    /// them. The spans are in order of time. Between two such times, as between two keys of the curve, there are only
    /// as many new keys as the sum needs: a cubic polynomial needs none. Keys beside the spans stay where they are, and
    /// the curve between them keeps its shape.
    pub fn plus(&self, base: f32, spans: &[Vec<f32>], added: impl Fn(f32) -> f32) -> Self {
        let own_times = self.keys().iter().map(|key| key.time_secs);
        let mut breaks: Vec<f32> = spans.iter().flatten().copied().chain(own_times).collect();
        breaks.retain(|secs| (0.0..=Key::LATEST_SECS).contains(secs));
        breaks.sort_by(f32::total_cmp);
        breaks.dedup_by(|later, kept| *later - *kept < LEAST_SECS);
        let Some(&first) = breaks.first() else { return self.clone() };
        let sum = |secs: f32| self.value_at(secs).unwrap_or(base) + added(secs);
        let start = Node { secs: first, value: sum(first), incoming: 0.0, outgoing: 0.0, own: self.key_at(first) };
        let mut nodes = vec![start];
        let mut is_last_fitted = false;
        for pair in breaks.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let segment = self.segment_at(0.5 * (from + to));
            let kept = segment.filter(|&index| {
                let is_whole = self.keys()[index].time_secs == from
                    && self.keys().get(index + 1).is_some_and(|next| next.time_secs == to);
                // A key with steps has no slope of its own on the side of a fitted segment.
                let is_step = self.keys()[index].tangents == Tangents::Step;
                is_whole && !overlaps(spans, from, to) && !(is_step && is_last_fitted)
            });
            let Some(node) = nodes.last_mut() else { unreachable!("the list begins with the first break") };
            if let Some(index) = kept {
                node.outgoing = self.slopes_at(index)[1];
                let [incoming, outgoing] = self.slopes_at(index + 1);
                let next = self.keys()[index + 1];
                nodes.push(Node { secs: to, value: next.value, incoming, outgoing, own: Some(next) });
            } else {
                node.own = None;
                // The value just before a key that others step to is that of the key before.
                let before = |secs: f32| match segment {
                    Some(index) => self.value_after(index, secs) + added(secs),
                    None => sum(secs),
                };
                fit(&before, [from, to], sum(to), &mut nodes);
            }
            is_last_fitted = kept.is_none();
        }
        let mut keys: Vec<Key> = nodes.iter().map(Node::key).collect();
        keys.retain(Key::is_valid);
        self.with_keys(keys)
    }

    fn segment_at(&self, secs: f32) -> Option<usize> {
        self.keys().partition_point(|key| key.time_secs <= secs).checked_sub(1)
    }
}

/// Whether a span has a part of positive length between two times.
fn overlaps(spans: &[Vec<f32>], from: f32, to: f32) -> bool {
    let next = spans.partition_point(|span| span.last().is_none_or(|end| *end <= from));
    spans.get(next).and_then(|span| span.first()).is_some_and(|start| *start < to)
}

/// Adds the nodes after the last one up to `to`, whose value is `at_end`.
fn fit(sum: &impl Fn(f32) -> f32, [from, to]: [f32; 2], at_end: f32, nodes: &mut Vec<Node>) {
    let end = Node { secs: to, value: at_end, incoming: 0.0, outgoing: 0.0, own: None };
    let jumps = (sum(to) - at_end).abs() > TOLERANCE;
    if jumps && to - from > 2.0 * LEAST_SECS {
        let before = to - LEAST_SECS;
        fit(sum, [from, before], sum(before), nodes);
    }
    let Some(&start) = nodes.last() else { unreachable!("the list begins with the first break") };
    let secs = to - start.secs;
    let secant = (at_end - start.value) / secs;
    if secs <= 2.0 * LEAST_SECS {
        join(nodes, Node { incoming: secant, ..end }, secant);
        return;
    }
    // The cubic polynomial through the ends and two points between them, as a Hermite polynomial with slopes at both
    // ends. Differences of nearby values would be less exact late on a timeline, where times are rounded.
    let [a, b] = [1.0 / 3.0, 2.0 / 3.0].map(|part: f32| {
        let smooth = part * part * (3.0 - 2.0 * part);
        4.5 * (sum(start.secs + part * secs) - start.value - (at_end - start.value) * smooth)
    });
    let slopes = [(2.0 * a - b) / secs, (a - 2.0 * b) / secs];
    let points = [(start, slopes[0]), (end, slopes[1])];
    let piece =
        points.map(|(node, slope)| Key { time_secs: node.secs, value: node.value, tangents: Tangents::Free(slope) });
    let piece = KeyCurve::default().with_keys(piece.to_vec());
    let mut parts = (1..POINTS).map(|point| start.secs + secs * f32::from(point) / f32::from(POINTS));
    let is_near = parts.all(|at| (piece.value_after(0, at) - sum(at)).abs() <= TOLERANCE);
    if is_near || nodes.len() > MOST_KEYS {
        join(nodes, Node { incoming: slopes[1], ..end }, slopes[0]);
    } else {
        let (from, middle) = (start.secs, start.secs + 0.5 * secs);
        fit(sum, [from, middle], sum(middle), nodes);
        fit(sum, [middle, to], at_end, nodes);
    }
}

/// Adds a node to which the curve leaves the last one with a slope.
fn join(nodes: &mut Vec<Node>, end: Node, outgoing: f32) {
    let Some(start) = nodes.last_mut() else { unreachable!("the list begins with the first break") };
    start.outgoing = outgoing;
    nodes.push(end);
}

#[cfg(test)]
mod tests {
    use smirk_base::random::{bits, signed, unit};

    use super::super::Tangents;
    use super::*;

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
        let first = bits(seed, 900) as usize % keys.keys_of("a").len();
        let mut selection = KeySelection::default();
        let step = 1 + bits(seed, 901) as usize % 3;
        selection.add("a", keys.keys_of("a").iter().skip(first).step_by(step).take(5).map(|key| key.time_secs));
        let by_secs = match bits(seed, 902) % 3 {
            // Onto another key, so that it is replaced.
            0 => {
                keys.keys_of("a")[bits(seed, 903) as usize % keys.keys_of("a").len()].time_secs
                    - keys.keys_of("a")[first].time_secs
            }
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
            let (chosen, rest) = split(keys.keys_of("a"), selection.times_of("a"));
            let expected = merged(rest, &Key::in_order(chosen.into_iter().map(moved).collect()));
            let (changed, selected) = keys.changed(&selection, |_, key| moved(key));
            assert_eq!(changed.keys_of("a"), expected, "{seed}");
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

    /// A curve of eight keys with tangents of all kinds.
    fn curve(seed: u32) -> KeyCurve {
        let key = |index: u8| {
            let at = |nth: u64| unit(seed, u64::from(index) * 8 + nth);
            let kinds = [
                Tangents::Auto,
                Tangents::Linear,
                Tangents::Step,
                Tangents::Free(at(1) - 0.5),
                Tangents::Broken { incoming: at(1), outgoing: -at(2) },
            ];
            let tangents = kinds[(at(3) * 5.0) as usize];
            Key { time_secs: f32::from(index) + 0.6 * at(4), value: at(5), tangents }
        };
        KeyCurve::default().with_keys((0..8).map(key).collect())
    }

    #[test]
    fn the_sum_is_exact_enough_in_the_spans_and_the_curve_stays_beside_them() {
        for seed in 0..200 {
            let old = curve(seed);
            let spans = [0.5, 3.25, 9.5].map(|start| vec![start, start + 0.1, start + 0.4]).to_vec();
            let bump = |secs: f32| {
                let start = spans.iter().map(|span| span[0]).rfind(|start| *start <= secs).unwrap_or(secs);
                let (since, least) = (secs - start, 0.0_f32);
                least.max((since / 0.1).min((0.4 - since) / 0.3))
            };
            let new = old.plus(0.0, &spans, bump);
            let jumps = old.keys().windows(2).filter(|pair| pair[0].tangents == Tangents::Step);
            let jumps: Vec<f32> = jumps.map(|pair| pair[1].time_secs).collect();
            for step in 0..5500_u16 {
                let secs = f32::from(step) * 0.002;
                // Where the curve is a new one, a jump takes some milliseconds.
                if jumps.iter().any(|jump| (jump - secs).abs() < 3.0 * LEAST_SECS) {
                    continue;
                }
                let expected = old.value_at(secs).unwrap() + bump(secs);
                let found = new.value_at(secs).unwrap();
                assert!((found - expected).abs() < 0.01, "{seed}, {secs}: {found} instead of {expected}");
            }
            assert_eq!(new.keys()[new.keys().len() - 1].time_secs, 9.9);
            // A key that others step to is new if the segment before it is.
            if old.keys()[4].tangents != Tangents::Step {
                let kept = old.keys()[5..7].iter().filter(|key| new.keys().contains(key)).count();
                assert_eq!(kept, 2, "{seed}: keys between untouched segments stay as they are");
            }
        }
    }

    #[test]
    fn without_spans_the_curve_stays_and_a_curve_without_keys_gets_those_of_the_spans() {
        let old = curve(3);
        assert_eq!(old.plus(0.0, &[], |_| 0.0), old);
        let spans = [vec![1.0, 1.5, 2.0]];
        let tent = KeyCurve::default().plus(0.25, &spans, |secs| 0.5 - (secs - 1.5).abs());
        let keys: Vec<_> = tent.keys().iter().map(|key| (key.time_secs, key.value)).collect();
        assert_eq!(keys, [(1.0, 0.25), (1.5, 0.75), (2.0, 0.25)]);
        assert!((tent.value_at(1.25).unwrap() - 0.5).abs() < 1e-5);
    }
}
