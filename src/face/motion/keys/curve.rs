//! The keys of one channel as a curve.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use strum::{IntoStaticStr, VariantArray};

use crate::head::{Curve, Interpolation};
use crate::motion::Ease;

/// How a curve of keys and what is below it become one weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
pub enum KeyMode {
    #[default]
    #[strum(serialize = "Override")]
    Replace,
    /// The curve is added to the weight below.
    #[strum(serialize = "Additive")]
    Add,
}

impl KeyMode {
    /// Both modes, in the order of the menu.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        self.into()
    }
}

/// What a curve does before its first or after its last key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extrapolation {
    #[default]
    Hold,
    /// The channel fades to what is below, over this number of seconds.
    Fade(f32),
}

impl Extrapolation {
    pub const LONGEST_SECS: f32 = 600.0;

    /// The same with a fade of a possible length.
    fn within_reason(self) -> Self {
        match self {
            Self::Fade(secs) if secs > 0.0 => Self::Fade(secs.min(Self::LONGEST_SECS)),
            Self::Fade(_) | Self::Hold => Self::Hold,
        }
    }

    /// The influence of the curve `secs` after its last key, or before its first one: from 1 to 0.
    fn influence(self, secs: f32) -> f32 {
        match self {
            Self::Hold => 1.0,
            Self::Fade(length) => 1.0 - Ease::InOut.at(secs / length),
        }
    }
}

/// The keys of one channel, sorted by time, and how they act on what is below. Copies share the keys.
///
/// Between two keys, the curve is the cubic Hermite polynomial of their values and slopes.
#[derive(Clone, Debug, Default)]
pub struct KeyCurve {
    keys: Arc<[Key]>,
    pub mode: KeyMode,
    pub before: Extrapolation,
    pub after: Extrapolation,
}

impl PartialEq for KeyCurve {
    fn eq(&self, other: &Self) -> bool {
        (self.mode, self.before, self.after) == (other.mode, other.before, other.after)
            && (Arc::ptr_eq(&self.keys, &other.keys) || self.keys == other.keys)
    }
}

impl KeyCurve {
    /// One element of a clip's curve as keys that replace what is below, with the same values at all times.
    pub fn of_clip(curve: &Curve, element: usize) -> Self {
        let times = curve.times();
        let keys = (0..times.len()).map(|index| {
            let tangents = match curve.interpolation() {
                Interpolation::Step => Tangents::Step,
                Interpolation::Linear => Tangents::Linear,
                Interpolation::CubicSpline => {
                    let [incoming, outgoing] = curve.slopes(times[index], element);
                    Tangents::Broken { incoming, outgoing }
                }
            };
            // Of two keys at one time, where the value jumps, the first moves a little ahead.
            let jumps = times.get(index + 1).is_some_and(|next| next - times[index] <= Key::SAME_SECS);
            let ahead = if jumps { 1.5 * Key::SAME_SECS } else { 0.0 };
            Key { time_secs: (times[index] - ahead).max(0.0), value: curve.key_value(index, element), tangents }
        });
        Self { keys: keys.collect(), ..Self::default() }.sorted()
    }

    /// The same keys again and again, each time `secs` later, up to `end_secs`.
    #[must_use]
    pub fn repeated(&self, secs: f32, end_secs: f32) -> Self {
        // More would be more than anyone edits.
        const MOST: usize = 100_000;
        let (mut keys, mut offset) = (self.keys.to_vec(), secs);
        while secs > 2.0 * Key::SAME_SECS && offset + Key::SAME_SECS < end_secs && keys.len() + self.keys.len() <= MOST
        {
            let first = offset + 2.0 * Key::SAME_SECS;
            // Before its first key, a curve has the value of that key.
            let start = self.keys.first().map(|key| Key { time_secs: first, tangents: Tangents::Linear, ..*key });
            keys.extend(start);
            keys.extend(self.keys.iter().map(|key| Key { time_secs: (key.time_secs + offset).max(first), ..*key }));
            offset += secs;
        }
        self.with_keys(keys).sorted()
    }

    /// Sorted by time.
    pub fn keys(&self) -> &[Key] {
        &self.keys
    }

    /// Whether both are equal and share their keys, so that these need not be compared. Equal curves whose keys are in
    /// different places count as different.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.keys, &other.keys) && self == other
    }

    /// Whether nothing of what is below can be seen: the curve replaces it at all times.
    pub fn hides_below(&self) -> bool {
        self.mode == KeyMode::Replace && [self.before, self.after] == [Extrapolation::Hold; 2]
    }

    /// The same curve with other keys, which have to be sorted and valid.
    pub(super) fn with_keys(&self, keys: Vec<Key>) -> Self {
        Self { keys: keys.into(), ..self.clone() }
    }

    /// The same curve with `new` instead of the keys in a range of indices. The result has to be sorted and valid.
    pub(super) fn spliced(&self, range: Range<usize>, new: &[Key]) -> Self {
        let (before, after) = (&self.keys[..range.start], &self.keys[range.end..]);
        Self { keys: before.iter().chain(new).chain(after).copied().collect(), ..self.clone() }
    }

    /// Sets a key, and replaces a key at the same time.
    pub(super) fn set(&mut self, key: Key) {
        self.remove(key.time_secs);
        let index = self.keys.partition_point(|other| other.time_secs < key.time_secs);
        // Adding 0 turns a time of -0 into 0, so that times compare like their bits.
        let key = Key { time_secs: key.time_secs + 0.0, ..key };
        *self = self.spliced(index..index, &[key]);
    }

    /// Removes the key at a time. Returns false if there is none.
    pub(super) fn remove(&mut self, time_secs: f32) -> bool {
        let before = self.keys.len();
        if self.key_at(time_secs).is_some() {
            self.keys = self.keys.iter().filter(|key| !key.is_at(time_secs)).copied().collect();
        }
        self.keys.len() < before
    }

    pub fn key_at(&self, time_secs: f32) -> Option<Key> {
        let first = self.keys.partition_point(|key| key.time_secs < time_secs - Key::SAME_SECS);
        self.keys.get(first).copied().filter(|key| key.is_at(time_secs))
    }

    /// Whether all numbers are valid and every key is later than the one before.
    pub fn is_in_order(&self) -> bool {
        self.keys.iter().all(Key::is_valid) && self.keys.windows(2).all(|pair| pair[0].time_secs < pair[1].time_secs)
    }

    /// The same curve with valid numbers, its keys in order of time, and one key at a time; of several, the last one
    /// counts.
    pub fn sorted(&self) -> Self {
        let mut keys: Vec<Key> = self.keys.iter().filter(|key| key.is_valid()).copied().collect();
        keys.iter_mut().for_each(|key| key.time_secs += 0.0);
        let (before, after) = (self.before.within_reason(), self.after.within_reason());
        Self { keys: Key::in_order(keys).into(), mode: self.mode, before, after }
    }

    /// The open range of seconds in which the values of two curves may differ; at its ends and outside of it they are
    /// equal. `None` if they are equal everywhere. Modes and extrapolations are not compared.
    pub fn values_differ_within(&self, other: &Self) -> Option<[f32; 2]> {
        if Arc::ptr_eq(&self.keys, &other.keys) {
            return None;
        }
        let (keys, others) = (self.keys(), other.keys());
        let same = keys.iter().zip(others).take_while(|(key, other)| key == other).count();
        if same == keys.len() && same == others.len() {
            return None;
        }
        let (rest, other_rest) = (&keys[same..], &others[same..]);
        let same_after = rest.iter().rev().zip(other_rest.iter().rev()).take_while(|(key, other)| key == other).count();
        // The slope at a key depends on its two neighbours. So a key also shapes the next but one segment on either
        // side.
        let start = same.checked_sub(2).map_or(f32::NEG_INFINITY, |index| keys[index].time_secs);
        let end = match same_after.checked_sub(2) {
            Some(inner) => keys[keys.len() - 1 - inner].time_secs,
            None => f32::INFINITY,
        };
        Some([start, end])
    }

    /// The value of the curve at a time. Before the first and after the last key it is constant. `None` if there are no
    /// keys.
    pub fn value_at(&self, time_secs: f32) -> Option<f32> {
        let next = self.keys.partition_point(|key| key.time_secs <= time_secs);
        match next.checked_sub(1) {
            None => self.keys.first().map(|key| key.value),
            Some(index) => Some(self.value_after(index, time_secs)),
        }
    }

    /// The value at a time between key `index` and the next one. After the last key it is constant.
    pub fn value_after(&self, index: usize, time_secs: f32) -> f32 {
        let (from, Some(to)) = (self.keys[index], self.keys.get(index + 1)) else { return self.keys[index].value };
        let secs = to.time_secs - from.time_secs;
        let s = (time_secs - from.time_secs) / secs;
        match (from.tangents, to.tangents) {
            (Tangents::Step, _) => from.value,
            (Tangents::Linear, Tangents::Linear) => from.value + (to.value - from.value) * s,
            _ => {
                let (outgoing, incoming) = (outgoing_slope(&self.keys, index), incoming_slope(&self.keys, index + 1));
                let x = f64::from(s.clamp(0.0, 1.0));
                let by_slopes = x * (1.0 - x) * ((1.0 - x) * outgoing - x * incoming) * f64::from(secs);
                // Without slopes, this is the smoothstep of files whose keys have no tangents, bit for bit.
                from.value + (to.value - from.value) * Ease::InOut.at(s) + by_slopes as f32
            }
        }
    }

    /// How much the curve counts at a time: 1, and less where it fades to what is below.
    pub fn influence_at(&self, time_secs: f32) -> f32 {
        match (self.keys.first(), self.keys.last()) {
            (Some(first), _) if time_secs < first.time_secs => self.before.influence(first.time_secs - time_secs),
            (_, Some(last)) if time_secs > last.time_secs => self.after.influence(time_secs - last.time_secs),
            (Some(_), Some(_)) => 1.0,
            _ => 0.0,
        }
    }

    /// The weight of a value and an influence of this curve over a weight below.
    pub fn combined(&self, value: f32, influence: f32, below: f32) -> f32 {
        let whole = match self.mode {
            KeyMode::Replace => value,
            KeyMode::Add => below + value,
        };
        if influence == 1.0 { whole } else { below + (whole - below) * influence }
    }

    /// The slope of the curve on both sides of key `index`, in weight per second.
    pub fn slopes_at(&self, index: usize) -> [f32; 2] {
        [incoming_slope(&self.keys, index) as f32, outgoing_slope(&self.keys, index) as f32]
    }
}

/// A curve that does not only replace, or does not only hold its ends.
#[derive(Serialize, Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Record {
    mode: KeyMode,
    before: Extrapolation,
    after: Extrapolation,
    keys: Vec<Key>,
}

/// A curve that replaces and holds its ends is stored as the list of its keys, which earlier versions also read.
impl Serialize for KeyCurve {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.hides_below() {
            return self.keys.serialize(serializer);
        }
        let Self { mode, before, after, .. } = *self;
        Record { mode, before, after, keys: self.keys.to_vec() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for KeyCurve {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CurveVisitor)
    }
}

struct CurveVisitor;

impl<'de> Visitor<'de> for CurveVisitor {
    type Value = KeyCurve;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of keys, or an object with keys")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<KeyCurve, A::Error> {
        let mut keys = Vec::new();
        while let Some(key) = list.next_element()? {
            keys.push(key);
        }
        Ok(KeyCurve { keys: keys.into(), ..KeyCurve::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<KeyCurve, A::Error> {
        let Record { mode, before, after, keys } = Record::deserialize(MapAccessDeserializer::new(map))?;
        Ok(KeyCurve { keys: keys.into(), mode, before, after })
    }
}

/// How a curve passes through a key. Slopes are in weight per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tangents {
    /// A smooth curve that never leaves the range between two neighbouring keys. Peaks, valleys and the first and the
    /// last key are flat.
    #[default]
    Auto,
    /// Straight lines to both neighbours.
    Linear,
    /// The value is held until the next key.
    Step,
    /// One slope on both sides.
    Free(f32),
    /// A slope before the key and another one after it.
    Broken { incoming: f32, outgoing: f32 },
}

impl Tangents {
    /// Free tangents of slope 0, which ease in and out between two keys by smoothstep. Keys of files that store no
    /// tangents were eased in this way.
    pub const FLAT: Self = Self::Free(0.0);

    pub(super) fn is_finite(self) -> bool {
        match self {
            Self::Auto | Self::Linear | Self::Step => true,
            Self::Free(slope) => slope.is_finite(),
            Self::Broken { incoming, outgoing } => incoming.is_finite() && outgoing.is_finite(),
        }
    }

    /// The same tangents after values were multiplied by `value` and times by `time`, both not 0.
    pub fn scaled(self, value: f32, time: f32) -> Self {
        let factor = value / time;
        match self {
            Self::Auto | Self::Linear | Self::Step => self,
            Self::Free(slope) => Self::Free(slope * factor),
            // Where time runs backwards, the curve arrives where it left before.
            Self::Broken { incoming, outgoing } if time < 0.0 => {
                Self::Broken { incoming: outgoing * factor, outgoing: incoming * factor }
            }
            Self::Broken { incoming, outgoing } => {
                Self::Broken { incoming: incoming * factor, outgoing: outgoing * factor }
            }
        }
    }

    fn flat() -> Self {
        Self::FLAT
    }

    fn is_flat(&self) -> bool {
        *self == Self::FLAT
    }
}

/// A value at a time, as set by the user.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// Time on the timeline.
    pub time_secs: f32,
    /// The channel's weight, or what is added to it.
    pub value: f32,
    /// How the curve passes through the key. A file without tangents means [`Tangents::FLAT`].
    #[serde(default = "Tangents::flat", skip_serializing_if = "Tangents::is_flat")]
    pub tangents: Tangents,
}

impl Key {
    /// The time of the last possible key: one day.
    pub const LATEST_SECS: f32 = 86_400.0;
    /// Keys that are closer together than this are the same key.
    pub const SAME_SECS: f32 = 1e-3;

    /// A new key, with [`Tangents::Auto`].
    pub fn new(time_secs: f32, value: f32) -> Self {
        Self { time_secs, value, tangents: Tangents::Auto }
    }

    /// Keys in order of time, with one key at a time: of several, the last one.
    pub(super) fn in_order(mut keys: Vec<Self>) -> Vec<Self> {
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

    /// The keys from a time to another. `keys` are in order of time.
    pub fn between(keys: &[Self], [start, end]: [f32; 2]) -> &[Self] {
        let first = keys.partition_point(|key| key.time_secs < start);
        let last = keys.partition_point(|key| key.time_secs <= end);
        &keys[first..last.max(first)]
    }

    /// Whether the time is from 0 to [`Self::LATEST_SECS`] and all numbers are finite.
    pub(super) fn is_valid(&self) -> bool {
        (0.0..=Self::LATEST_SECS).contains(&self.time_secs) && self.value.is_finite() && self.tangents.is_finite()
    }

    pub(super) fn is_at(&self, time_secs: f32) -> bool {
        (self.time_secs - time_secs).abs() <= Self::SAME_SECS
    }
}

/// The slope with which the curve leaves key `index`, in weight per second.
pub(super) fn outgoing_slope(keys: &[Key], index: usize) -> f64 {
    match keys[index].tangents {
        Tangents::Auto => auto(keys, index),
        Tangents::Linear | Tangents::Step => secant(keys, index),
        Tangents::Free(slope) => slope.into(),
        Tangents::Broken { outgoing, .. } => outgoing.into(),
    }
}

/// The slope with which the curve arrives at key `index`, in weight per second.
pub(super) fn incoming_slope(keys: &[Key], index: usize) -> f64 {
    match keys[index].tangents {
        Tangents::Auto | Tangents::Step => auto(keys, index),
        Tangents::Linear => index.checked_sub(1).map_or(0.0, |before| secant(keys, before)),
        Tangents::Free(slope) => slope.into(),
        Tangents::Broken { incoming, .. } => incoming.into(),
    }
}

/// The slope of the curve at a time between key `index` and the next one: the derivative of the Hermite polynomial.
pub(super) fn slope_between(keys: &[Key], index: usize, time_secs: f32) -> f64 {
    let secs = f64::from(keys[index + 1].time_secs) - f64::from(keys[index].time_secs);
    let x = ((f64::from(time_secs) - f64::from(keys[index].time_secs)) / secs).clamp(0.0, 1.0);
    let rise = f64::from(keys[index + 1].value) - f64::from(keys[index].value);
    let by_slopes = (1.0 - x) * (1.0 - 3.0 * x) * outgoing_slope(keys, index)
        - x * (2.0 - 3.0 * x) * incoming_slope(keys, index + 1);
    6.0 * x * (1.0 - x) * rise / secs + by_slopes
}

/// The slope of the straight line from key `index` to the next one; 0 where the value is held.
fn secant(keys: &[Key], index: usize) -> f64 {
    let (from, Some(to)) = (keys[index], keys.get(index + 1)) else { return 0.0 };
    if from.tangents == Tangents::Step {
        return 0.0;
    }
    (f64::from(to.value) - f64::from(from.value)) / (f64::from(to.time_secs) - f64::from(from.time_secs))
}

/// The slope of a curve that is monotone between any two keys: 0 at peaks, valleys and both ends, else the weighted
/// harmonic mean of the slopes of both neighbouring segments. It is at most three times either of them, which suffices
/// for a cubic Hermite segment to be monotone.
///
/// Fritsch and Carlson, "Monotone Piecewise Cubic Interpolation", SIAM J. Numer. Anal. 17 (1980); the mean is that of
/// Fritsch and Butland, "A Method for Constructing Local Monotone Piecewise Cubic Interpolants", SIAM J. Sci. Stat.
/// Comput. 5 (1984).
fn auto(keys: &[Key], index: usize) -> f64 {
    let (Some(before), Some(next)) = (index.checked_sub(1), keys.get(index + 1)) else { return 0.0 };
    let (left, right) = (secant(keys, before), secant(keys, index));
    if left * right <= 0.0 {
        return 0.0;
    }
    let left_secs = f64::from(keys[index].time_secs) - f64::from(keys[before].time_secs);
    let right_secs = f64::from(next.time_secs) - f64::from(keys[index].time_secs);
    let (left_weight, right_weight) = (left_secs + 2.0 * right_secs, 2.0 * left_secs + right_secs);
    (left_weight + right_weight) / (left_weight / left + right_weight / right)
}
