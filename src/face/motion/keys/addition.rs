//! A function of time added to a curve of keys, with few keys.

use super::{Key, KeyCurve, Tangents};

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

/// A point of the new curve with its slopes.
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
    /// The same curve plus `added`, a function of time that is 0 outside of `spans`. A curve without keys has the value `base`.
    ///
    /// Each span lists times at which the slope of `added` may change abruptly: its start, its end, and others between them.
    /// The spans are in order of time. Between two such times, as between two keys of the curve, there are only as many new
    /// keys as the sum needs: a cubic polynomial needs none. Keys beside the spans stay where they are, and the curve
    /// between them keeps its shape.
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
            let Some(node) = nodes.last_mut() else { break };
            if let Some(index) = kept {
                node.outgoing = self.slopes_at(index)[1];
                let [incoming, outgoing] = self.slopes_at(index + 1);
                let next = self.keys()[index + 1];
                nodes.push(Node { secs: to, value: next.value, incoming, outgoing, own: Some(next) });
            } else {
                node.own = None;
                // The value just before a key that others step to is that of the key before.
                let before = |secs: f32| {
                    let own =
                        segment.map_or_else(|| self.value_at(secs).unwrap_or(base), |at| self.value_after(at, secs));
                    own + added(secs)
                };
                fit(&before, [from, to], sum(to), &mut nodes);
            }
            is_last_fitted = kept.is_none();
        }
        let mut keys: Vec<Key> = nodes.iter().map(Node::key).collect();
        keys.retain(Key::is_valid);
        self.with_keys(keys)
    }

    /// The index of the key before a time.
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
    let Some(&start) = nodes.last() else { return };
    let secs = to - start.secs;
    let secant = (at_end - start.value) / secs;
    if secs <= 2.0 * LEAST_SECS {
        join(nodes, Node { incoming: secant, ..end }, secant);
        return;
    }
    // The cubic polynomial through the ends and two points between them, as a Hermite polynomial with slopes at both ends.
    // Differences of nearby values would be less exact late on a timeline, where times are rounded.
    let off_line = |part: f32| {
        let smooth = part * part * (3.0 - 2.0 * part);
        sum(start.secs + part * secs) - start.value - (at_end - start.value) * smooth
    };
    let (a, b) = (4.5 * off_line(1.0 / 3.0), 4.5 * off_line(2.0 / 3.0));
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
    if let Some(start) = nodes.last_mut() {
        start.outgoing = outgoing;
    }
    nodes.push(end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::random;

    /// A curve of eight keys with tangents of all kinds.
    fn curve(seed: u32) -> KeyCurve {
        let key = |index: u8| {
            let at = |nth: u64| random::unit(seed, u64::from(index) * 8 + nth);
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
