//! A curve of keys, cut at a time, so that each part keeps its shape.

use super::{Key, KeyCurve, Tangents, slopes};

/// The parts of a curve before and after a time, and the point between them.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// The keys before the point.
    pub before: Vec<Key>,
    /// The keys after the point.
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
    pub(super) fn of(curve: &KeyCurve, time_secs: f32) -> Option<Self> {
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
                let slope = slopes::between(keys, next - 1, time_secs) as f32;
                (curve.value_after(next - 1, time_secs), slope, false, is_level)
            }
        };
        Some(Self { before, after, time_secs, value, slopes: [slope; 2], steps, is_level })
    }
}

/// The slopes on both sides of a key as the curve is drawn: before the first key and after the last one it is level, whatever
/// their tangents say.
pub(super) fn drawn_slopes(curve: &KeyCurve, index: usize) -> [f32; 2] {
    let [incoming, outgoing] = curve.slopes_at(index);
    [if index == 0 { 0.0 } else { incoming }, if index + 1 == curve.keys().len() { 0.0 } else { outgoing }]
}

/// Free tangents, or broken ones if the slopes differ.
pub(super) fn with_slopes([incoming, outgoing]: [f32; 2]) -> Tangents {
    if incoming == outgoing { Tangents::Free(incoming) } else { Tangents::Broken { incoming, outgoing } }
}

/// Tangents of these slopes, if so far they depend on the keys beside the key.
fn fixed(tangents: Tangents, slopes: [f32; 2]) -> Tangents {
    match tangents {
        Tangents::Auto | Tangents::Linear => with_slopes(slopes),
        Tangents::Step | Tangents::Free(_) | Tangents::Broken { .. } => tangents,
    }
}
