//! Maps the columns of a take, or of live frames, to the channels of a head.

use std::fmt;
use std::sync::Arc;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Angle, Take, smoothed};
use crate::head::{Curve, Head, canonical_name};
use smirk_base::names::printable;

/// The channels that one column of a take drives, and how: `clamp((smoothed − neutral) · gain + offset)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ColumnMap {
    /// The column's name in its file. A stored map is matched with the columns of a take by this name.
    pub column: String,
    /// The channels it drives. One column may drive several: `BrowInnerUp` drives both halves of a brow.
    pub channels: Vec<DrivenChannel>,
    /// Whether the column drives its channels.
    pub enabled: bool,
    /// The factor of the value.
    pub gain: f32,
    /// Added after the gain.
    pub offset: f32,
    /// The limits of the result.
    pub clamp: Option<[f32; 2]>,
    /// The width of the smoothing window, centred on the play head.
    pub smoothing_secs: f32,
    /// The value of the column when the face is at rest, subtracted first.
    pub neutral: f32,
}

impl Default for ColumnMap {
    fn default() -> Self {
        Self {
            column: String::new(),
            channels: Vec::new(),
            enabled: true,
            gain: 1.0,
            offset: 0.0,
            clamp: None,
            smoothing_secs: 0.0,
            neutral: 0.0,
        }
    }
}

impl ColumnMap {
    /// The value of a column at a time, after smoothing, calibration, gain, offset and clamp.
    pub fn value(&self, take: &Take, column: usize, time_secs: f32) -> f32 {
        self.shape(take.sample_smoothed(column, time_secs, self.smoothing_secs))
    }

    /// [`Self::value`] of a curve.
    pub fn value_of_curve(&self, curve: &Curve, element: usize, time_secs: f32) -> f32 {
        self.shape(smoothed(curve, time_secs, element, self.smoothing_secs))
    }

    /// A smoothed value after calibration, gain, offset and clamp.
    pub fn shape(&self, value: f32) -> f32 {
        let shaped = (value - self.neutral) * self.gain + self.offset;
        let [value, neutral, gain, offset] = [value, self.neutral, self.gain, self.offset].map(f64::from);
        let value = within_f32(shaped, || (value - neutral) * gain + offset);
        match self.clamp {
            // f32::clamp would panic while the user edits the limits and the lower one is above the upper one.
            Some([a, b]) => value.max(a.min(b)).min(a.max(b)),
            None => value,
        }
    }

    /// The channels that the column drives, with their weights; empty if there are none.
    pub fn channels_in_words(&self, head: &Head) -> String {
        self.channels.iter().map(|drive| drive.in_words(head)).collect::<Vec<_>>().join(", ")
    }

    /// The same numbers, without the names of the column and its channels.
    #[must_use]
    pub fn numbers(&self) -> Self {
        Self { column: String::new(), channels: Vec::new(), ..*self }
    }

    /// The same column and channels with the numbers of another.
    #[must_use]
    pub fn with_numbers(self, numbers: &Self) -> Self {
        Self { column: self.column, channels: self.channels, ..numbers.numbers() }
    }

    /// If the column drives one of two opposite channels: in words, which one, and which not.
    fn opposite_in_words(&self, head: &Head) -> Option<String> {
        let driven: Vec<Option<usize>> = self.channels.iter().map(|drive| head.channel_named(&drive.channel)).collect();
        let alike = head.channel_alike(&self.column);
        if !driven.iter().flatten().any(|channel| alike.contains(channel)) {
            return None;
        }
        let opposite = head.channel_opposite(&self.column).into_iter().filter(|it| !driven.contains(&Some(*it)));
        let opposite: Vec<_> = opposite.map(|channel| printable(&head.channels[channel].name)).collect();
        let goes = match opposite.len() {
            0 => return None,
            1 => "goes",
            _ => "go",
        };
        let (column, driven) = (printable(&self.column), self.channels_in_words(head));
        Some(format!("{column} drives {driven}, not {}, which {goes} the other way", opposite.join(", ")))
    }
}

/// Whether two names of columns are spellings of one.
pub fn is_same_column(name: &str, other: &str) -> bool {
    name == other || column_key(name) == column_key(other)
}

/// The canonical name of a column, or the name itself if it has no letters or digits.
pub(super) fn column_key(column: &str) -> String {
    Some(canonical_name(column)).filter(|name| !name.is_empty()).unwrap_or_else(|| column.to_owned())
}

/// A channel that a column drives. It is stored as its name alone if it has no weight.
#[derive(Clone, Debug, PartialEq)]
pub struct DrivenChannel {
    /// The full name of the channel.
    pub channel: String,
    /// The factor of the column in the sum of all columns that drive the channel, which is limited to 0 to 1; below 0
    /// it takes away from the others. If no column of the channel has a weight, the channel is their mean, without a
    /// limit.
    pub weight: Option<f32>,
}

impl DrivenChannel {
    /// The channel without a weight.
    pub fn new(channel: impl Into<String>) -> Self {
        Self { channel: channel.into(), weight: None }
    }

    /// The name of the channel on the screen, and its weight if it is not 1.
    fn in_words(&self, head: &Head) -> String {
        let channel = head.channel_named(&self.channel).map_or(&self.channel, |channel| &head.channels[channel].name);
        match self.weight.filter(|weight| *weight != 1.0) {
            Some(weight) => format!("{} × {}", printable(channel), (weight * 1000.0).round() / 1000.0),
            None => printable(channel).into_owned(),
        }
    }
}

/// A channel that is stored with its weight. A weight that cannot be read is none, as everything else that cannot be
/// read is as if it were not there.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct WeightedChannel {
    channel: Option<String>,
    weight: Option<f32>,
}

impl Serialize for DrivenChannel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { channel, weight } = self;
        match weight {
            None => serializer.serialize_str(channel),
            weight => WeightedChannel { channel: Some(channel.clone()), weight: *weight }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for DrivenChannel {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameOrObject;

        impl<'de> Visitor<'de> for NameOrObject {
            type Value = DrivenChannel;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a channel, or an object with its name and its weight")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<DrivenChannel, E> {
                Ok(DrivenChannel::new(name))
            }

            fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<DrivenChannel, A::Error> {
                let WeightedChannel { channel, weight } =
                    WeightedChannel::deserialize(MapAccessDeserializer::new(members))?;
                let channel = channel.ok_or_else(|| de::Error::custom("names no channel"))?;
                Ok(DrivenChannel { channel, weight })
            }
        }

        deserializer.deserialize_any(NameOrObject)
    }
}

/// The version of the files that mappings are exported to.
pub const MAPPING_FILE_VERSION: u32 = 1;

/// How a take drives a head.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TakeMap {
    /// One per column of the take, in the same order.
    #[serde(rename = "routes")]
    pub columns: Vec<ColumnMap>,
}

impl TakeMap {
    /// The columns that reach a channel by their names which another column drives: in words, each with both and what
    /// counts.
    pub fn contested<'a>(&self, names: impl Iterator<Item = &'a str>, head: &Head) -> Vec<String> {
        let driven = self.columns_by_channel(head);
        let mut contested = Vec::new();
        for (column, name) in names.enumerate() {
            for channel in head.channel_alike(name) {
                let is_driven = driven[channel].iter().any(|&(other, _)| other == column);
                let other = driven[channel].first().filter(|_| !is_driven);
                if let Some(other) = other.and_then(|&(other, _)| self.columns.get(other)) {
                    let [name, other] = [name, &other.column].map(|name| printable(name));
                    let channel = printable(&head.channels[channel].name);
                    contested.push(format!("{name} and {other} both mean {channel}, and {other} drives it"));
                }
            }
        }
        contested
    }

    /// Makes the face at a time the rest face: every column's smoothed value at that time becomes its neutral value.
    pub fn calibrate(&mut self, take: &Take, time_secs: f32) {
        for (column, map) in self.columns.iter_mut().enumerate() {
            map.neutral = take.sample_smoothed(column, time_secs, map.smoothing_secs);
        }
    }

    /// Resets every neutral value to 0.
    pub fn clear_calibration(&mut self) {
        self.columns.iter_mut().for_each(|map| map.neutral = 0.0);
    }

    /// The value of a column at a time, after smoothing, calibration, gain, offset and clamp.
    pub fn value(&self, take: &Take, column: usize, time_secs: f32) -> f32 {
        let Some(map) = self.columns.get(column) else { return take.sample(column, time_secs) };
        map.value(take, column, time_secs)
    }

    /// Whether a column drives a channel of a head.
    pub fn drives_any(&self, head: &Head) -> bool {
        let mut drives = self.columns.iter().flat_map(|map| &map.channels);
        drives.any(|drive| head.channel_named(&drive.channel).is_some())
    }

    /// Names of the columns that drive no channel and turn neither the head nor an eye.
    pub fn unmapped_columns<'a>(&self, take: &'a Take) -> Vec<&'a str> {
        self.unmapped_names(take.column_names())
    }

    /// [`Self::unmapped_columns`] of columns with these names, such as those of live frames.
    pub fn unmapped_names<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let unmapped = names.enumerate().filter(|(column, name)| {
            let is_mapped = self.columns.get(*column).is_some_and(|map| !map.channels.is_empty());
            !is_mapped && Angle::of_column(name).is_none()
        });
        unmapped.map(|(_, name)| name).collect()
    }

    /// The columns that drive one of two opposite channels, such as `eyeClosed_max` and `eyeClosed_min`: in words,
    /// which one, and which not.
    pub fn opposites(&self, head: &Head) -> Vec<String> {
        self.columns.iter().filter_map(|map| map.opposite_in_words(head)).collect()
    }

    /// The column of a name, in any spelling.
    pub fn find(&self, name: &str) -> Option<&ColumnMap> {
        let exact = self.columns.iter().find(|map| map.column == name);
        exact.or_else(|| self.columns.iter().find(|map| is_same_column(&map.column, name)))
    }

    /// The names of the channels that columns drive and that the head lacks.
    pub fn missing_channels(&self, head: &Head) -> Vec<String> {
        let drives = self.columns.iter().flat_map(|map| &map.channels);
        let missing = drives.filter(|drive| head.channel_alike(&drive.channel).is_empty());
        let mut missing: Vec<String> = missing.map(|drive| printable(&drive.channel).into_owned()).collect();
        missing.sort();
        missing.dedup();
        missing
    }

    /// Channels of the head that no column drives.
    pub fn uncovered_channels(&self, head: &Head) -> Vec<usize> {
        let columns = self.columns_by_channel(head);
        (0..head.channels.len()).filter(|&channel| columns[channel].is_empty()).collect()
    }

    /// The driven channels with how their columns are combined, in the head's order. This resolves names, so call it
    /// when the map changes and not in every frame.
    pub fn driven(&self, head: &Head) -> Vec<(usize, ColumnMix)> {
        let vowels: Vec<usize> = VOWELS.into_iter().flat_map(|vowel| head.channel_alike(vowel)).collect();
        mixes(self.columns_by_channel(head), |channel| vowels.contains(&channel))
    }

    /// What columns of these names are by this map without a head: columns that are named after the channels they
    /// drive. A column that the map does not list, or that has no channels there, stays as it is. Smoothing is left
    /// out, because it would need frames that are still to come.
    pub fn on_columns(&self, names: &[String]) -> MappedColumns {
        let mut channels: Vec<String> = Vec::new();
        let mut driven_by: Vec<Vec<(usize, Option<f32>)>> = Vec::new();
        let mut numbers = Vec::with_capacity(names.len());
        for (column, name) in names.iter().enumerate() {
            let known = self.find(name).cloned().unwrap_or_default();
            let own = [DrivenChannel::new(name)];
            let drives = if known.channels.is_empty() { &own[..] } else { &known.channels };
            for drive in drives.iter().filter(|_| known.enabled) {
                let channel = channels.iter().position(|channel| *channel == drive.channel).unwrap_or_else(|| {
                    channels.push(drive.channel.clone());
                    driven_by.push(Vec::new());
                    channels.len() - 1
                });
                driven_by[channel].push((column, drive.weight));
            }
            numbers.push(known.numbers());
        }
        let vowels: Vec<bool> =
            channels.iter().map(|name| VOWELS.iter().any(|vowel| is_same_column(name, vowel))).collect();
        let mixes = mixes(driven_by, |channel| vowels[channel]).into_iter().map(|(_, mix)| mix).collect();
        MappedColumns { names: channels.into(), mixes, numbers }
    }

    /// For each channel of the head, the columns that drive it, with their weights.
    fn columns_by_channel(&self, head: &Head) -> Vec<Vec<(usize, Option<f32>)>> {
        let mut columns = vec![Vec::new(); head.channels.len()];
        for (column, map) in self.columns.iter().enumerate().filter(|(_, map)| map.enabled) {
            for drive in &map.channels {
                let Some(channel) = head.channel_named(&drive.channel) else { continue };
                if columns[channel].last().is_none_or(|&(last, _)| last != column) {
                    columns[channel].push((column, drive.weight));
                }
            }
        }
        columns
    }
}

/// How the columns of each channel are combined, of the channels that have any. All vowels together are at most 1.
fn mixes(columns: Vec<Vec<(usize, Option<f32>)>>, is_vowel: impl Fn(usize) -> bool) -> Vec<(usize, ColumnMix)> {
    let mixed = columns.into_iter().map(Mixed::new).enumerate();
    let mixed = mixed.filter(|(_, mixed)| !mixed.columns.is_empty());
    let mut driven: Vec<(usize, ColumnMix)> =
        mixed.map(|(channel, own)| (channel, ColumnMix { own, other_vowels: Vec::new() })).collect();
    let vowels = driven.iter().filter(|(channel, mix)| mix.own.is_sum() && is_vowel(*channel));
    let vowels: Vec<(usize, Mixed)> = vowels.map(|(channel, mix)| (*channel, mix.own.clone())).collect();
    for (channel, mix) in driven.iter_mut().filter(|(channel, _)| vowels.iter().any(|(vowel, _)| vowel == channel)) {
        let others = vowels.iter().filter(|(vowel, _)| vowel != channel);
        mix.other_vowels = others.map(|(_, other)| other.clone()).collect();
    }
    driven
}

/// Columns of a recording after a mapping, named after channels.
#[derive(Clone, Debug)]
pub struct MappedColumns {
    pub names: Arc<[String]>,
    mixes: Vec<ColumnMix>,
    /// One per column of the recording.
    numbers: Vec<ColumnMap>,
}

impl MappedColumns {
    pub fn values(&self, recorded: &[f32]) -> Vec<f32> {
        let values = self.mixes.iter().map(|mix| {
            mix.value(|column| self.numbers[column].shape(recorded.get(column).copied().unwrap_or_default()))
        });
        values.collect()
    }
}

/// The vowels, by their names in VRM. A mouth that is several of them at once has each in part.
const VOWELS: [&str; 5] = ["aa", "ih", "ou", "ee", "oh"];

/// Columns that drive a channel, and how their values are combined.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnMix {
    own: Mixed,
    /// If the channel is a vowel of which the columns have weights: the other such vowels. All of them together are at
    /// most 1.
    other_vowels: Vec<Mixed>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Mixed {
    columns: Vec<usize>,
    /// The factor of each column in their sum, which is limited to 0 to 1; without any, the value is their mean.
    weights: Vec<f32>,
}

/// A number that was computed in 32 bits. If it became too large there, infinite numbers would cancel to none: then the
/// same computed in 64 bits, within the range of 32.
fn within_f32(number: f32, exact: impl FnOnce() -> f64) -> f32 {
    if number.is_finite() { number } else { exact().clamp(f32::MIN.into(), f32::MAX.into()) as f32 }
}

impl Mixed {
    fn new(columns: Vec<(usize, Option<f32>)>) -> Self {
        let has_weight = columns.iter().any(|(_, weight)| weight.is_some());
        let weights = columns.iter().map(|(_, weight)| weight.unwrap_or(1.0));
        let weights = if has_weight { weights.collect() } else { Vec::new() };
        Self { columns: columns.into_iter().map(|(column, _)| column).collect(), weights }
    }

    fn is_sum(&self) -> bool {
        !self.weights.is_empty()
    }

    fn value(&self, value: &mut impl FnMut(usize) -> f32) -> f32 {
        if self.is_sum() {
            let terms = self.columns.iter().zip(&self.weights);
            let sum: f32 = terms.clone().map(|(&column, weight)| value(column) * weight).sum();
            let sum =
                within_f32(sum, || terms.map(|(&column, &weight)| f64::from(value(column)) * f64::from(weight)).sum());
            return sum.clamp(0.0, 1.0);
        }
        let count = self.columns.len();
        let mean = self.columns.iter().map(|&column| value(column)).sum::<f32>() / count as f32;
        within_f32(mean, || self.columns.iter().map(|&column| f64::from(value(column))).sum::<f64>() / count as f64)
    }
}

impl ColumnMix {
    pub fn by_column(column: usize) -> Self {
        Self { own: Mixed::new(vec![(column, None)]), other_vowels: Vec::new() }
    }

    /// The columns that drive the channel itself, ascending.
    pub fn columns(&self) -> &[usize] {
        &self.own.columns
    }

    /// All columns that the value depends on.
    pub fn all_columns(&self) -> impl Iterator<Item = usize> {
        std::iter::once(&self.own).chain(&self.other_vowels).flat_map(|mixed| mixed.columns.iter().copied())
    }

    pub fn is_column(&self) -> bool {
        self.own.columns.len() == 1 && !self.own.is_sum()
    }

    /// The value of the channel; `value` has those of the columns.
    pub fn value(&self, mut value: impl FnMut(usize) -> f32) -> f32 {
        let own = self.own.value(&mut value);
        if self.other_vowels.is_empty() {
            return own;
        }
        let others: f32 = self.other_vowels.iter().map(|mixed| mixed.value(&mut value)).sum();
        own / (own + others).max(1.0)
    }

    #[must_use]
    pub fn renumbered(mut self, number: impl Fn(usize) -> usize) -> Self {
        for mixed in std::iter::once(&mut self.own).chain(&mut self.other_vowels) {
            mixed.columns.iter_mut().for_each(|column| *column = number(*column));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Bind, Expression, Interpolation, Mesh};
    use crate::motion::{Aliases, ColumnMatching};

    fn matched(take: &Take, head: &Head, aliases: &Aliases) -> TakeMap {
        ColumnMatching { aliases: aliases.clone(), ..ColumnMatching::default() }.map_of(take.column_names(), head)
    }

    fn driven(map: &TakeMap, head: &Head) -> Vec<(usize, Vec<usize>)> {
        map.driven(head).iter().map(|(channel, mix)| (*channel, mix.columns().to_vec())).collect()
    }

    fn names(drives: &[DrivenChannel]) -> Vec<&str> {
        drives.iter().map(|drive| drive.channel.as_str()).collect()
    }

    fn head(names: &[&str]) -> Head {
        Head::from_meshes(vec![Mesh::with_targets(names.iter().copied())])
    }

    /// A take of two seconds in which column `n` rises from `n` to `n + 2`.
    fn take(columns: &[&str]) -> Take {
        let width = columns.len();
        let values = (0..2 * width).map(|at| (at % width) as f32 + 2.0 * (at / width) as f32).collect();
        let curve = Curve::new(Interpolation::Linear, vec![0.0, 2.0], values, width).unwrap();
        Take::of_curve(columns.iter().copied(), curve)
    }

    #[test]
    fn columns_find_their_channels_and_the_unmapped_ones_are_listed() {
        let head =
            head(&["rig.jawOpen", "rig.browInnerUp_L", "rig.browInnerUp_R", "rig.neutral", "rig.headYaw", "rig.pout"]);
        let take = take(&["JawOpen", "BrowInnerUp", "_neutral", "HeadYaw", "LeftEyePitch", "TongueOut"]);
        let map = matched(&take, &head, &Aliases::default());
        assert_eq!(names(&map.columns[1].channels), ["rig.browInnerUp_L", "rig.browInnerUp_R"]);
        assert_eq!(driven(&map, &head), [(0, vec![0]), (1, vec![1]), (2, vec![1])]);
        assert_eq!(map.unmapped_columns(&take), ["_neutral", "TongueOut"]);
        assert_eq!(map.uncovered_channels(&head), [3, 4, 5]);
    }

    #[test]
    fn the_parts_of_a_movement_drive_the_whole_of_it_by_their_mean() {
        let head = head(&["mouthFunnel", "mouthPressLeft", "mouthPressRight"]);
        let take =
            take(&["LipFunnelerLB", "LipFunnelerLT", "LipFunnelerRB", "LipFunnelerRT", "mouthPressUL", "mouthPressDR"]);
        let map = matched(&take, &head, &Aliases::default());
        assert_eq!(driven(&map, &head), [(0, vec![0, 1, 2, 3]), (1, vec![4]), (2, vec![5])]);
        let (_, mix) = &map.driven(&head)[0];
        assert_eq!(mix.value(|column| [0.2, 0.4, 0.6, 0.8][column]), 0.5);
    }

    #[test]
    fn action_units_are_found_however_they_are_written() {
        let head = head(&["AU01", "AU12_L", "AU12_R", "jawOpen"]);
        let take = take(&["browInnerUp", "AU12", "AU26", "AU1"]);
        let map = matched(&take, &head, &Aliases::default());
        assert_eq!(driven(&map, &head), [(0, vec![0]), (1, vec![1]), (2, vec![1]), (3, vec![2])]);
        assert_eq!(map.columns[2].channels, [DrivenChannel { channel: "jawOpen".into(), weight: Some(0.5) }]);
        // A unit of several movements adds to what others drive.
        let arkit = self::head(&["mouthUpperUp", "mouthLowerDown", "jawOpen"]);
        let take = self::take(&["AU10", "AU25", "AU26"]);
        let map = matched(&take, &arkit, &Aliases::default());
        assert_eq!(driven(&map, &arkit), [(0, vec![0, 1]), (1, vec![1]), (2, vec![1, 2])]);
        assert!((map.driven(&arkit)[0].1.value(|_| 0.5) - 0.6).abs() < 1e-6);
        for name in ["AU12L", "AUL12", "au_12_l", "AU12_Left"] {
            assert_eq!(head.channel_alike(name), [1], "{name}");
        }
    }

    #[test]
    fn a_capture_of_any_dialect_drives_a_head_of_any_other() {
        let dialects = [
            ["browInnerUp", "eyeBlinkLeft", "eyeBlinkRight", "jawOpen", "mouthSmileLeft", "cheekPuff"],
            ["BrowsU_C", "EyeBlink_L", "EyeBlink_R", "JawOpen", "MouthSmile_L", "Puff"],
            ["AU1", "AU45L", "AU45R", "AU27", "AU12L", "AU34"],
            ["CTRL_expressions_browRaiseIn", "eyeBlinkL", "eyeBlinkR", "jawOpen", "mouthCornerPullL", "mouthCheekBlow"],
            ["BrowInnerUp", "EyeClosedLeft", "EyeClosedRight", "JawOpen", "MouthCornerPullLeft", "CheekPuff"],
            [
                "A01_Brow_Inner_Up",
                "A14_Eye_Blink_Left",
                "A15_Eye_Blink_Right",
                "A25_Jaw_Open",
                "A38_Mouth_Smile_Left",
                "A20_Cheek_Puff",
            ],
            ["Brow_Raise_Inner", "Eye_Blink_L", "Eye_Blink_R", "Jaw_Open", "Mouth_Smile_L", "Cheek_Puff"],
            [
                "head__browInnerUp",
                "Face/eyeBlinkLeft",
                "facs_eyeBlinkRight",
                "BS_node.jawOpen",
                "mouthSmileLeft_Mesh",
                "[ARKit] cheekPuff",
            ],
        ];
        for of_head in &dialects {
            for of_take in &dialects {
                let (head, take) = (head(of_head), take(of_take));
                let map = matched(&take, &head, &Aliases::default());
                let each: Vec<(usize, Vec<usize>)> = (0..6).map(|column| (column, vec![column])).collect();
                assert_eq!(driven(&map, &head), each, "{of_take:?} on {of_head:?}");
            }
        }
    }

    #[test]
    fn of_two_opposites_the_one_that_is_meant_is_driven_and_that_is_said() {
        let of_head = [
            "Expressions_eyeSquintL_min",
            "Expressions_eyeSquintL_max",
            "mouthSmileLeft-",
            "mouthSmileLeft+",
            "facs_jnt_JawLeft",
        ];
        let head = head(&of_head);
        let columns = ["eyeSquintLeft", "mouthSmile_L", "jawLeft"];
        let map = matched(&take(&columns), &head, &Aliases::default());
        assert_eq!(driven(&map, &head), [(1, vec![0]), (3, vec![1]), (4, vec![2])]);
        assert_eq!(
            map.opposites(&head),
            [
                "eyeSquintLeft drives Expressions_eyeSquintL_max, not Expressions_eyeSquintL_min, which goes the other way",
                "mouthSmile_L drives mouthSmileLeft+, not mouthSmileLeft-, which goes the other way"
            ]
        );
        // Columns of both directions on a head that has the movement: the way back is not mixed into it.
        let arkit = self::head(&["eyeSquintLeft", "mouthSmileLeft", "jawLeft"]);
        let map = matched(&take(&of_head), &arkit, &Aliases::default());
        assert_eq!(driven(&map, &arkit), [(0, vec![1]), (1, vec![3]), (2, vec![4])]);
        assert_eq!(map.unmapped_columns(&take(&of_head)), ["Expressions_eyeSquintL_min", "mouthSmileLeft-"]);
        // Both directions of a capture drive both of a head of the same names.
        let map = matched(&take(&of_head), &head, &Aliases::default());
        assert_eq!(driven(&map, &head), (0..5).map(|column| (column, vec![column])).collect::<Vec<_>>());
        // What is chosen by hand is driven.
        let mut aliases = Aliases::default();
        let both = ["Expressions_eyeSquintL_min", "Expressions_eyeSquintL_max"].map(DrivenChannel::new);
        aliases.set("eyeSquintLeft", both.into());
        let map = matched(&take(&["eyeSquintLeft"]), &head, &aliases);
        assert_eq!((driven(&map, &head), map.opposites(&head).len()), (vec![(0, vec![0]), (1, vec![0])], 0));
    }

    #[test]
    fn a_column_whose_movement_a_head_lacks_drives_the_nearest_ones_and_that_is_said() {
        let vrm = head(&["aa", "ou", "oh", "happy", "surprised", "blinkLeft", "blinkRight"]);
        let columns =
            ["browInnerUp", "eyeBlinkLeft", "jawOpen", "mouthFunnel", "mouthPucker", "mouthSmileLeft", "tongueOut"];
        let map = matched(&take(&columns), &vrm, &Aliases::default());
        assert_eq!(
            driven(&map, &vrm),
            [(0, vec![2, 3, 4]), (1, vec![3, 4]), (2, vec![3]), (3, vec![5]), (4, vec![0]), (5, vec![1])]
        );
        assert_eq!(
            map.approximate(&vrm),
            [
                "browInnerUp drives surprised × 0.4",
                "jawOpen drives aa",
                "mouthFunnel drives oh × 0.8, ou × 0.3, aa × -0.5",
                "mouthPucker drives ou × 0.9, aa × -0.7",
                "mouthSmileLeft drives happy × 0.7"
            ]
        );
        // None of it where it is not wanted.
        let exact =
            ColumnMatching { uses_nearest: false, ..ColumnMatching::default() }.map_of(columns.into_iter(), &vrm);
        assert_eq!((driven(&exact, &vrm), exact.approximate(&vrm).len()), (vec![(5, vec![1])], 0));
        // A column of the movement itself comes first, wherever it is, and what is near nothing is unmapped.
        let own = take(&["jawOpen", "aa", "tongueOut"]);
        let map = matched(&own, &vrm, &Aliases::default());
        assert_eq!(
            (driven(&map, &vrm), map.unmapped_columns(&own)),
            (vec![(0, vec![1])], vec!["jawOpen", "tongueOut"])
        );
        // Vowels drive the shapes of ARKit.
        let arkit = head(&["jawOpen", "mouthSmileLeft", "mouthSmileRight"]);
        let map = matched(&take(&["aa", "happy"]), &arkit, &Aliases::default());
        assert_eq!(driven(&map, &arkit), [(0, vec![0]), (1, vec![1]), (2, vec![1])]);
        // What is chosen by hand is not approximate.
        let mut aliases = Aliases::default();
        aliases.set("jawOpen", vec![DrivenChannel::new("surprised")]);
        let map = matched(&take(&["jawOpen"]), &vrm, &aliases);
        assert!(map.approximate(&vrm).is_empty() && driven(&map, &vrm) == [(4, vec![0])]);
    }

    /// The values of a head's channels that columns of these values drive.
    fn values(map: &TakeMap, head: &Head, columns: &[f32]) -> Vec<f32> {
        map.driven(head).iter().map(|(_, mix)| mix.value(|column| columns[column])).collect()
    }

    #[test]
    fn both_sides_drive_the_whole_by_their_mean_and_in_a_sum_by_half_each() {
        let whole = head(&["browInnerUp", "blink", "happy"]);
        let columns =
            ["browInnerUp_L", "browInnerUp_R", "eyeBlinkLeft", "eyeBlinkRight", "mouthSmileLeft", "mouthSmileRight"];
        let map = ColumnMatching::default().map_of(columns.into_iter(), &whole);
        assert_eq!(driven(&map, &whole), [(0, vec![0, 1]), (1, vec![2, 3]), (2, vec![4, 5])]);
        assert_eq!(values(&map, &whole, &[1.0, 0.5, 1.0, 0.0, 1.0, 1.0]), [0.75, 0.5, 0.7]);
        let approximate = map.approximate(&whole);
        assert_eq!((approximate.len(), approximate[5].as_str()), (6, "mouthSmileRight drives happy × 0.35"));
        assert!(map.contested(columns.into_iter(), &whole).is_empty());
        // A column of the whole comes first.
        let with_whole = ["browInnerUp_L", "browInnerUp", "browInnerUp_R"];
        let map = ColumnMatching::default().map_of(with_whole.into_iter(), &whole);
        assert_eq!(
            (driven(&map, &whole), map.contested(with_whole.into_iter(), &whole).len()),
            (vec![(0, vec![1])], 2)
        );
        // One side alone counts in full.
        let map = ColumnMatching::default().map_of(["mouthSmileLeft"].into_iter(), &whole);
        assert_eq!(values(&map, &whole, &[1.0]), [0.7]);
    }

    #[test]
    fn weights_add_up_within_0_and_1_and_without_any_the_mean_has_no_limit() {
        let one = head(&["a"]);
        let of = |weights: &[Option<f32>], columns: &[f32]| {
            let channels = |&weight: &Option<f32>| vec![DrivenChannel { channel: "a".into(), weight }];
            let column = |weight| ColumnMap { channels: channels(weight), ..ColumnMap::default() };
            values(&TakeMap { columns: weights.iter().map(column).collect() }, &one, columns)[0]
        };
        assert_eq!(of(&[None, None], &[3.0, 2.0]), 2.5);
        assert_eq!(of(&[None], &[-3.0]), -3.0);
        assert_eq!(of(&[Some(0.5), Some(0.25)], &[1.0, 1.0]), 0.75);
        assert_eq!(of(&[Some(0.5), None, Some(-1.0)], &[1.0, 0.25, 0.5]), 0.25);
        assert_eq!((of(&[Some(0.9), Some(0.4)], &[1.0, 1.0]), of(&[Some(-1.0)], &[1.0])), (1.0, 0.0));
    }

    #[test]
    fn numbers_that_become_too_large_do_not_cancel_to_none() {
        let one = head(&["a"]);
        let column = |gain: f32, weight: Option<f32>| ColumnMap {
            channels: vec![DrivenChannel { channel: "a".into(), weight }],
            gain,
            ..ColumnMap::default()
        };
        let of = |columns: [ColumnMap; 2], recorded: [f32; 2]| {
            let shaped = [columns[0].shape(recorded[0]), columns[1].shape(recorded[1])];
            values(&TakeMap { columns: columns.into() }, &one, &shaped)[0]
        };
        let [most, least] = [f32::MAX, f32::MIN];
        assert_eq!(of([column(1.0, Some(most)), column(1.0, Some(least))], [3.0, 2.0]), 1.0);
        assert_eq!(of([column(1.0, Some(most)), column(1.0, Some(least))], [2.0, 2.0]), 0.0);
        assert_eq!(of([column(most, None), column(least, None)], [9.0, 9.0]), 0.0);
        assert_eq!(of([column(most, None), column(most, None)], [9.0, 9.0]), most);
        let far = ColumnMap { neutral: least, gain: 0.0, ..ColumnMap::default() };
        assert_eq!(far.shape(most), 0.0);
    }

    #[test]
    fn vowels_with_weights_are_at_most_one_mouth_together() {
        let vrm = head(&["aa", "ou", "oh", "happy"]);
        let columns = ["jawOpen", "mouthPucker", "mouthFunnel", "mouthSmile"];
        let map = ColumnMatching::default().map_of(columns.into_iter(), &vrm);
        let [aa, ou, oh, happy] = values(&map, &vrm, &[1.0, 1.0, 1.0, 1.0])[..] else { panic!() };
        assert!(
            (aa + ou + oh - 1.0).abs() < 1e-6 && aa == 0.0 && ou > oh && oh > 0.0 && happy == 0.7,
            "{aa} {ou} {oh}"
        );
        assert_eq!(values(&map, &vrm, &[0.4, 0.0, 0.0, 0.0]), [0.4, 0.0, 0.0, 0.0]);
        // Vowels that arrive as vowels are what the sender says.
        let map = ColumnMatching::default().map_of(["aa", "oh"].into_iter(), &vrm);
        assert_eq!(values(&map, &vrm, &[1.0, 1.0]), [1.0, 1.0]);
    }

    #[test]
    fn a_weight_is_stored_with_its_channel_and_maps_without_weights_are_as_before() {
        let of = |channels: &str| serde_json::from_str::<ColumnMap>(&format!(r#"{{"channels":{channels}}}"#)).unwrap();
        let column = of(r#"["a", {"channel": "b", "weight": -0.5}]"#);
        let weighted = DrivenChannel { channel: "b".into(), weight: Some(-0.5) };
        assert_eq!(column.channels, [DrivenChannel::new("a"), weighted.clone()]);
        assert_eq!(serde_json::to_string(&column.channels).unwrap(), r#"["a",{"channel":"b","weight":-0.5}]"#);
        let mut aliases = Aliases::default();
        aliases.set("pout", vec![weighted]);
        let map = matched(&take(&["Pout"]), &head(&["B", "a"]), &aliases);
        assert_eq!(map.columns[0].channels, [DrivenChannel { channel: "B".into(), weight: Some(-0.5) }]);
    }

    #[test]
    fn an_alias_comes_first_where_the_head_has_its_channel() {
        let head = head(&["jawOpen", "pout"]);
        let take = take(&["JawOpen", "Kiss", "jaw_open"]);
        let mut aliases = Aliases::default();
        aliases.set("kiss", ["Pout", "pout"].map(DrivenChannel::new).into());
        aliases.set("JawOpen", vec![DrivenChannel::new("somewhereElse")]);
        let map = matched(&take, &head, &aliases);
        assert_eq!(driven(&map, &head), [(0, vec![0]), (1, vec![1])]);
        aliases.set("JawOpen", Vec::new());
        assert_eq!(matched(&take, &head, &aliases).unmapped_columns(&take), ["JawOpen", "jaw_open"]);
    }

    #[test]
    fn of_two_columns_that_reach_one_channel_the_full_name_counts_and_both_are_said() {
        let head = head(&["rig.jawOpen", "rig.smile_L", "rig.smile_R", "rig.pout"]);
        let contested = |columns: &[&str], aliases: &Aliases| {
            let map = matched(&take(columns), &head, aliases);
            (driven(&map, &head), map.contested(columns.iter().copied(), &head))
        };
        let none = Aliases::default();
        // The full name counts wherever it is, else the first spelling does.
        for (columns, first) in [
            (["jawOpen", "rig.jawOpen", "JAW_OPEN"], 1),
            (["rig.jawOpen", "jawOpen", "JAW_OPEN"], 0),
            (["JawOpen", "jaw_open", "JAW_OPEN"], 0),
        ] {
            let (driven, said) = contested(&columns, &none);
            assert_eq!((driven, said.len()), (vec![(0, vec![first])], 2), "{said:?}");
            assert!(said[0].ends_with(&format!("both mean jawOpen, and {} drives it", columns[first])), "{said:?}");
        }
        // A name without a side drives the side that has no column of its own.
        let (driven, said) = contested(&["smile", "rig.smile_L"], &none);
        assert_eq!((driven, said.len()), (vec![(1, vec![1]), (2, vec![0])], 1), "{said:?}");
        // What the artist has chosen counts before names, and together.
        let mut aliases = Aliases::default();
        for column in ["kiss", "funnel"] {
            aliases.set(column, vec![DrivenChannel::new("pout")]);
        }
        let (driven, said) = contested(&["rig.pout", "Funnel", "Kiss", "kiss"], &aliases);
        assert_eq!((driven, said.len()), (vec![(3, vec![1, 2])], 1), "{said:?}");
    }

    #[test]
    fn a_target_and_an_expression_of_one_name_have_a_column_each() {
        let mesh = Mesh::with_targets(["aa", "happy"]);
        let binds = vec![Bind { target: 0, weight: 1.0 }];
        let expressions = vec![Expression { name: "aa".into(), binds, ..Expression::default() }];
        let head = Head::new(Asset { meshes: vec![mesh], expressions, ..Asset::default() });
        let names: Vec<&str> = head.channels.iter().map(|channel| channel.full_name.as_str()).collect();
        let map = ColumnMatching::default().map_of(names.iter().copied(), &head);
        assert_eq!(driven(&map, &head), [(0, vec![0]), (1, vec![1]), (2, vec![2])]);
        // A capture that has the name once moves the expression.
        let map = ColumnMatching::default().map_of(["aa"].into_iter(), &head);
        assert_eq!(driven(&map, &head), [(2, vec![0])]);
    }

    #[test]
    fn values_are_smoothed_calibrated_scaled_and_clamped() {
        let take = take(&["a", "b"]);
        let head = head(&["a", "b"]);
        let mut map = matched(&take, &head, &Aliases::default());
        assert_eq!(map.value(&take, 1, 0.5), 1.5);
        map.calibrate(&take, 0.5);
        assert_eq!(map.value(&take, 1, 0.5), 0.0);
        map.columns[1] = ColumnMap { gain: -2.0, offset: 0.25, ..map.columns[1].clone() };
        assert_eq!(map.value(&take, 1, 1.0), -0.75);
        map.columns[1].clamp = Some([1.0, 0.0]);
        assert_eq!((map.value(&take, 1, 1.0), map.value(&take, 1, 0.0)), (0.0, 1.0));
        map.clear_calibration();
        assert_eq!(map.value(&take, 0, 2.0), 2.0);
        map.columns[0].smoothing_secs = 1.0;
        // Half of the window is after the end, where the last value is held: 2 minus a sixth of that half.
        assert!((map.value(&take, 0, 2.0) - (2.0 - 0.5 / 6.0)).abs() < 1e-6);
        assert_eq!(map.value(&take, 99, 0.0), 0.0);
    }

    #[test]
    fn a_disabled_column_drives_nothing_and_stays_mapped() {
        let (head, take) = (head(&["a"]), take(&["A"]));
        let mut map = matched(&take, &head, &Aliases::default());
        map.columns[0].enabled = false;
        assert_eq!((driven(&map, &head), map.uncovered_channels(&head)), (Vec::new(), vec![0]));
        assert!(map.unmapped_columns(&take).is_empty());
    }

    #[test]
    fn a_saved_map_finds_its_columns_again() {
        let head = head(&["a", "b", "c"]);
        let mut map = matched(&take(&["A", "B"]), &head, &Aliases::default());
        map.columns[1] = ColumnMap { gain: 3.0, channels: vec![DrivenChannel::new("c")], ..map.columns[1].clone() };
        let text = serde_json::to_string(&map).unwrap();
        let read: TakeMap = serde_json::from_str(&text).unwrap();
        assert_eq!(read, map);
        let fitted = read.fitted(["B", "C"].into_iter(), &head, &ColumnMatching::default());
        assert_eq!((fitted.columns[0].gain, fitted.columns[1].gain), (3.0, 1.0));
        assert_eq!(driven(&fitted, &head), [(2, vec![0, 1])]);
        assert_eq!(serde_json::from_str::<ColumnMap>("{}").unwrap(), ColumnMap::default());
    }

    #[test]
    fn a_choice_for_one_naming_convention_holds_for_all() {
        let mut aliases = Aliases::default();
        aliases.set("EyeBlinkLeft", vec![DrivenChannel::new("Fcl_EYE_Close_L")]);
        aliases.set("_neutral", Vec::new());
        assert_eq!(aliases.find("blendShapes.eyeBlink_L").unwrap(), [DrivenChannel::new("Fcl_EYE_Close_L")]);
        assert_eq!(aliases.find("EyeBlinkRight"), None);
        assert_eq!(aliases.find("_neutral").unwrap(), []);
        let text = serde_json::to_string(&aliases).unwrap();
        assert_eq!(serde_json::from_str::<Aliases>(&text).unwrap(), aliases);
    }

    #[test]
    fn columns_are_mapped_without_a_head() {
        let column = |column: &str, channels: Vec<DrivenChannel>| ColumnMap {
            column: column.into(),
            channels,
            ..ColumnMap::default()
        };
        let weighted = |channel: &str, weight: f32| DrivenChannel { channel: channel.into(), weight: Some(weight) };
        let map = TakeMap {
            columns: vec![
                ColumnMap { gain: 0.5, ..column("jawOpen", vec![weighted("aa", 1.0)]) },
                column("mouthPucker", vec![weighted("ou", 0.9), weighted("aa", -0.5)]),
                ColumnMap { enabled: false, ..column("tongueOut", vec![]) },
                ColumnMap { offset: 0.25, ..column("browInnerUp", vec![]) },
            ],
        };
        let names = ["JawOpen", "mouthPucker", "tongueOut", "browInnerUp", "HeadYaw"].map(str::to_owned);
        let mapped = map.on_columns(&names);
        assert_eq!(*mapped.names, ["aa", "ou", "browInnerUp", "HeadYaw"].map(str::to_owned));
        assert_eq!(mapped.values(&[1.0, 0.5, 1.0, 0.5, -2.0]), [0.25, 0.45, 0.75, -2.0]);
        // Both vowels together are 1.
        let mouth = mapped.values(&[2.0, 1.0, 0.0, 0.0, 0.0]);
        assert!((mouth[0] + mouth[1] - 1.0).abs() < 1e-6, "{mouth:?}");
        assert_eq!(mapped.values(&[]), [0.0, 0.0, 0.25, 0.0], "a frame with fewer values");
    }
}
