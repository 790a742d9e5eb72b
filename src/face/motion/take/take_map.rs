//! Maps the columns of a take, or of live frames, to the channels of a head.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::{Angle, Take, smoothed};
use crate::head::{Curve, Head, canonical_name};
use smirk_base::names::printable;

/// The channels that one column of a take drives, and how: `clamp((smoothed − neutral) · gain + offset)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ColumnMap {
    /// The column's name in its file. A stored map is matched with the columns of a take by this name.
    pub column: String,
    /// Full names of the channels it drives. One column may drive several: `BrowInnerUp` drives both halves of a brow.
    pub channels: Vec<String>,
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
        let value = (value - self.neutral) * self.gain + self.offset;
        match self.clamp {
            // f32::clamp would panic while the user edits the limits and the lower one is above the upper one.
            Some([a, b]) => value.max(a.min(b)).min(a.max(b)),
            None => value,
        }
    }
}

/// How a take drives a head.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TakeMap {
    /// One per column of the take, in the same order.
    #[serde(rename = "routes")]
    pub columns: Vec<ColumnMap>,
}

impl TakeMap {
    /// Maps columns to channels by name: to those of `aliases` that the head has, else to [`Head::channel_alike`]. The
    /// column `_neutral` (a likelihood, not a shape) and the rotations of the head and the eyes (angles) drive nothing
    /// unless an alias maps them. Of several columns that reach one channel, only the one that comes first in [`Claim`] drives it.
    pub fn matched(take: &Take, head: &Head, aliases: &Aliases) -> Self {
        Self::matched_names(take.column_names(), head, aliases)
    }

    /// [`Self::matched`] of columns with these names, such as those of live frames.
    pub fn matched_names<'a>(names: impl Iterator<Item = &'a str>, head: &Head, aliases: &Aliases) -> Self {
        let names: Vec<&str> = names.collect();
        let claims: Vec<Vec<(usize, Claim)>> = names.iter().map(|name| claims_of(name, head, aliases)).collect();
        let mut first: HashMap<usize, (Claim, usize)> = HashMap::new();
        for (column, claims) in claims.iter().enumerate() {
            for &(channel, claim) in claims {
                let best = first.entry(channel).or_insert((claim, column));
                *best = (*best).min((claim, column));
            }
        }
        let column_map = |(column, name): (usize, &&str)| {
            // What the artist has chosen stays together, but for another spelling of the same name.
            let is_chosen_too = |(best, _): (Claim, usize), claim: Claim| {
                let is_spelled_before = || names[..column].iter().any(|other| key(other) == key(name));
                claim == Claim::Chosen && best == claim && !is_spelled_before()
            };
            let is_won = |&&(channel, claim): &&(usize, Claim)| {
                let best = first[&channel];
                best == (claim, column) || is_chosen_too(best, claim)
            };
            let won: Vec<usize> = claims[column].iter().filter(is_won).map(|&(channel, _)| channel).collect();
            // A target has the name of an expression that another column drives: it gets the column of its name.
            let own = || head.channels.iter().position(|channel| channel.full_name == **name);
            let is_free = |channel: &usize| !first.contains_key(channel);
            let lost_all = won.is_empty() && !claims[column].is_empty();
            let channels = if lost_all { own().filter(is_free).into_iter().collect() } else { won };
            ColumnMap {
                column: (*name).to_owned(),
                channels: channels.into_iter().map(|channel| head.channels[channel].full_name.clone()).collect(),
                ..ColumnMap::default()
            }
        };
        Self { columns: names.iter().enumerate().map(column_map).collect() }
    }

    /// The columns that reach a channel by their names which another column drives: in words, each with both and what counts.
    pub fn contested<'a>(&self, names: impl Iterator<Item = &'a str>, head: &Head) -> Vec<String> {
        let driven = self.columns_by_channel(head);
        let mut contested = Vec::new();
        for (column, name) in names.enumerate() {
            for channel in head.channel_alike(name) {
                let other = driven[channel].first().filter(|_| !driven[channel].contains(&column));
                if let Some(other) = other.and_then(|&other| self.columns.get(other)) {
                    let [name, other] = [name, &other.column].map(|name| printable(name));
                    let channel = printable(&head.channels[channel].name);
                    contested.push(format!("{name} and {other} both mean {channel}, and {other} drives it"));
                }
            }
        }
        contested
    }

    /// This map adjusted to a take whose columns may have changed. Columns are found by name; new ones are matched.
    pub fn fitted(&self, take: &Take, head: &Head, aliases: &Aliases) -> Self {
        self.fitted_to_names(take.column_names(), head, aliases)
    }

    /// [`Self::fitted`] to columns with these names, such as those of live frames.
    pub fn fitted_to_names<'a>(&self, names: impl Iterator<Item = &'a str>, head: &Head, aliases: &Aliases) -> Self {
        let mut fitted = Self::matched_names(names, head, aliases);
        for column in &mut fitted.columns {
            if let Some(known) = self.columns.iter().find(|known| known.column == column.column) {
                *column = known.clone();
            }
        }
        fitted
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

    /// Names of the columns that drive no channel and turn neither the head nor an eye.
    pub fn unmapped_columns<'a>(&self, take: &'a Take) -> Vec<&'a str> {
        self.unmapped_names(take.column_names())
    }

    /// [`Self::unmapped_columns`] of columns with these names, such as those of live frames.
    pub fn unmapped_names<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let is_unmapped = |column: usize| self.columns.get(column).is_none_or(|map| map.channels.is_empty());
        let unmapped = names.enumerate().filter(|(column, _)| is_unmapped(*column)).map(|(_, name)| name);
        unmapped.filter(|name| Angle::of_column(name).is_none()).collect()
    }

    /// The columns whose movement the head lacks, and which drive the one that is most like it: in words.
    pub fn approximate(&self, head: &Head) -> Vec<String> {
        let in_words = |map: &ColumnMap| {
            let nearest = head.channel_nearest(&map.column);
            let is_nearest = |name: &String| head.channel_named(name).is_some_and(|channel| nearest.contains(&channel));
            let channel =
                map.channels.iter().find(|name| is_nearest(name)).and_then(|name| head.channel_named(name))?;
            Some(format!("{} drives {}", printable(&map.column), printable(&head.channels[channel].name)))
        };
        self.columns.iter().filter_map(in_words).collect()
    }

    /// Channels of the head that no column drives.
    pub fn uncovered_channels(&self, head: &Head) -> Vec<usize> {
        let columns = self.columns_by_channel(head);
        (0..head.channels.len()).filter(|&channel| columns[channel].is_empty()).collect()
    }

    /// The driven channels, each with its columns, in the head's order. A channel with several columns gets their mean.
    /// This resolves names, so call it when the map changes and not in every frame.
    pub fn driven(&self, head: &Head) -> Vec<(usize, Vec<usize>)> {
        self.columns_by_channel(head).into_iter().enumerate().filter(|(_, columns)| !columns.is_empty()).collect()
    }

    /// For each channel of the head, the columns that drive it.
    fn columns_by_channel(&self, head: &Head) -> Vec<Vec<usize>> {
        let mut columns = vec![Vec::new(); head.channels.len()];
        for (column, map) in self.columns.iter().enumerate().filter(|(_, map)| map.enabled) {
            for channel in map.channels.iter().filter_map(|name| head.channel_named(name)) {
                if columns[channel].last() != Some(&column) {
                    columns[channel].push(column);
                }
            }
        }
        columns
    }
}

/// Why a column drives a channel, the strongest reason first. Of equal ones the first column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// An alias says so.
    Chosen,
    /// It has the full name of the channel.
    FullName,
    /// It has a similar name.
    Alike,
    /// The head lacks its movement, and this one is most like it.
    Nearest,
}

/// The channels of a head that match the name of a column.
fn claims_of(column: &str, head: &Head, aliases: &Aliases) -> Vec<(usize, Claim)> {
    let claimed = |channels: Vec<usize>, claim: Claim| channels.into_iter().map(|channel| (channel, claim)).collect();
    if let Some(chosen) = aliases.find(column) {
        let mut channels: Vec<usize> = chosen.iter().flat_map(|name| head.channel_alike(name)).collect();
        channels.sort_unstable();
        channels.dedup();
        if chosen.is_empty() || !channels.is_empty() {
            return claimed(channels, Claim::Chosen);
        }
    }
    if column == "_neutral" || Angle::of_column(column).is_some() {
        return Vec::new();
    }
    let is_named = |channel: usize| head.channels[channel].full_name == column;
    let claim = |channel| (channel, if is_named(channel) { Claim::FullName } else { Claim::Alike });
    let alike = head.channel_alike(column);
    if alike.is_empty() {
        return claimed(head.channel_nearest(column), Claim::Nearest);
    }
    alike.into_iter().map(claim).collect()
}

/// Maps canonical column names to the names of the chosen channels. An empty list means that the column drives no
/// channel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Aliases(BTreeMap<String, Vec<String>>);

impl Aliases {
    /// Sets the channels that a column drives; an empty list for none. The name is matched in every naming convention.
    pub fn set(&mut self, column: &str, channels: Vec<String>) {
        self.0.insert(key(column), channels);
    }

    /// The channels chosen for a column.
    pub fn find(&self, column: &str) -> Option<&[String]> {
        self.0.get(&key(column)).map(Vec::as_slice)
    }
}

/// The canonical name, or the name itself if it has no letters or digits.
fn key(column: &str) -> String {
    Some(canonical_name(column)).filter(|name| !name.is_empty()).unwrap_or_else(|| column.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::head::{Asset, Bind, Expression, Interpolation, Mesh, Target};
    use crate::motion::TakeColumn;

    use super::*;

    fn head(names: &[&str]) -> Head {
        let target = |name: &&str| Target { name: (*name).to_owned(), ..Target::default() };
        let mesh = Mesh { targets: names.iter().map(target).collect(), ..Mesh::default() };
        Head::new(Asset { name: "test".into(), meshes: vec![mesh], ..Asset::default() })
    }

    /// A take of two seconds in which column `n` rises from `n` to `n + 2`.
    fn take(columns: &[&str]) -> Take {
        let width = columns.len();
        let values = (0..2 * width).map(|at| (at % width) as f32 + 2.0 * (at / width) as f32).collect();
        let column = |(element, name): (usize, &&str)| TakeColumn { name: (*name).to_owned(), track: 0, element };
        Take {
            name: "test".into(),
            source: None,
            frames_per_sec: None,
            start_timecode: None,
            columns: columns.iter().enumerate().map(column).collect(),
            tracks: vec![Curve::new(Interpolation::Linear, vec![0.0, 2.0], values, width).unwrap()],
            duration_secs: 2.0,
            notes: Vec::new(),
        }
    }

    #[test]
    fn columns_find_their_channels_and_the_unmapped_ones_are_listed() {
        let head =
            head(&["rig.jawOpen", "rig.browInnerUp_L", "rig.browInnerUp_R", "rig.neutral", "rig.headYaw", "rig.pout"]);
        let take = take(&["JawOpen", "BrowInnerUp", "_neutral", "HeadYaw", "LeftEyePitch", "TongueOut"]);
        let map = TakeMap::matched(&take, &head, &Aliases::default());
        assert_eq!(map.columns[1].channels, ["rig.browInnerUp_L", "rig.browInnerUp_R"]);
        assert_eq!(map.driven(&head), [(0, vec![0]), (1, vec![1]), (2, vec![1])]);
        assert_eq!(map.unmapped_columns(&take), ["_neutral", "TongueOut"]);
        assert_eq!(map.uncovered_channels(&head), [3, 4, 5]);
    }

    #[test]
    fn a_capture_of_any_dialect_drives_a_head_of_any_other() {
        let dialects = [
            ["browInnerUp", "eyeBlinkLeft", "eyeBlinkRight", "jawOpen", "mouthSmileLeft", "cheekPuff"],
            ["BrowsU_C", "EyeBlink_L", "EyeBlink_R", "JawOpen", "MouthSmile_L", "Puff"],
            ["AU1", "AU45L", "AU45R", "AU26", "AU12L", "AU34"],
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
                let map = TakeMap::matched(&take, &head, &Aliases::default());
                let driven: Vec<(usize, Vec<usize>)> = (0..6).map(|column| (column, vec![column])).collect();
                assert_eq!(map.driven(&head), driven, "{of_take:?} on {of_head:?}");
            }
        }
    }

    #[test]
    fn a_column_whose_movement_a_head_lacks_drives_the_nearest_one_and_that_is_said() {
        let vrm = head(&["aa", "ou", "oh", "happy", "surprised", "blinkLeft", "blinkRight"]);
        let columns =
            ["browInnerUp", "eyeBlinkLeft", "jawOpen", "mouthFunnel", "mouthPucker", "mouthSmileLeft", "tongueOut"];
        let map = TakeMap::matched(&take(&columns), &vrm, &Aliases::default());
        assert_eq!(
            map.driven(&vrm),
            [(0, vec![2]), (1, vec![4]), (2, vec![3]), (3, vec![5]), (4, vec![0]), (5, vec![1])]
        );
        assert_eq!(
            map.approximate(&vrm),
            [
                "browInnerUp drives surprised",
                "jawOpen drives aa",
                "mouthFunnel drives oh",
                "mouthPucker drives ou",
                "mouthSmileLeft drives happy"
            ]
        );
        // A column of the movement itself comes first, wherever it is, and what is near nothing is unmapped.
        let own = take(&["jawOpen", "aa", "tongueOut"]);
        let map = TakeMap::matched(&own, &vrm, &Aliases::default());
        assert_eq!((map.driven(&vrm), map.unmapped_columns(&own)), (vec![(0, vec![1])], vec!["jawOpen", "tongueOut"]));
        // Vowels drive the shapes of ARKit.
        let arkit = head(&["jawOpen", "mouthSmileLeft", "mouthSmileRight"]);
        let map = TakeMap::matched(&take(&["aa", "happy"]), &arkit, &Aliases::default());
        assert_eq!(map.driven(&arkit), [(0, vec![0]), (1, vec![1]), (2, vec![1])]);
        // What is chosen by hand is not approximate.
        let mut aliases = Aliases::default();
        aliases.set("jawOpen", vec!["oh".into()]);
        let map = TakeMap::matched(&take(&["jawOpen"]), &vrm, &aliases);
        assert!(map.approximate(&vrm).is_empty() && map.driven(&vrm) == [(2, vec![0])]);
    }

    #[test]
    fn an_alias_comes_first_where_the_head_has_its_channel() {
        let head = head(&["jawOpen", "pout"]);
        let take = take(&["JawOpen", "Kiss", "jaw_open"]);
        let mut aliases = Aliases::default();
        aliases.set("kiss", vec!["Pout".into(), "pout".into()]);
        aliases.set("JawOpen", vec!["somewhereElse".into()]);
        let map = TakeMap::matched(&take, &head, &aliases);
        assert_eq!(map.driven(&head), [(0, vec![0]), (1, vec![1])]);
        aliases.set("JawOpen", Vec::new());
        assert_eq!(TakeMap::matched(&take, &head, &aliases).unmapped_columns(&take), ["JawOpen", "jaw_open"]);
    }

    #[test]
    fn of_two_columns_that_reach_one_channel_the_full_name_counts_and_both_are_said() {
        let head = head(&["rig.jawOpen", "rig.smile_L", "rig.smile_R", "rig.pout"]);
        let contested = |columns: &[&str], aliases: &Aliases| {
            let map = TakeMap::matched(&take(columns), &head, aliases);
            (map.driven(&head), map.contested(columns.iter().copied(), &head))
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
            aliases.set(column, vec!["pout".into()]);
        }
        let (driven, said) = contested(&["rig.pout", "Funnel", "Kiss", "kiss"], &aliases);
        assert_eq!((driven, said.len()), (vec![(3, vec![1, 2])], 1), "{said:?}");
    }

    #[test]
    fn a_target_and_an_expression_of_one_name_have_a_column_each() {
        let target = |name: &str| Target { name: name.into(), ..Target::default() };
        let mesh = Mesh { targets: ["aa", "happy"].map(target).into(), ..Mesh::default() };
        let binds = vec![Bind { target: 0, weight: 1.0 }];
        let expressions = vec![Expression { name: "aa".into(), binds, ..Expression::default() }];
        let head = Head::new(Asset { meshes: vec![mesh], expressions, ..Asset::default() });
        let names: Vec<&str> = head.channels.iter().map(|channel| channel.full_name.as_str()).collect();
        let map = TakeMap::matched_names(names.iter().copied(), &head, &Aliases::default());
        assert_eq!(map.driven(&head), [(0, vec![0]), (1, vec![1]), (2, vec![2])]);
        // A capture that has the name once moves the expression.
        let map = TakeMap::matched_names(["aa"].into_iter(), &head, &Aliases::default());
        assert_eq!(map.driven(&head), [(2, vec![0])]);
    }

    #[test]
    fn values_are_smoothed_calibrated_scaled_and_clamped() {
        let take = take(&["a", "b"]);
        let head = head(&["a", "b"]);
        let mut map = TakeMap::matched(&take, &head, &Aliases::default());
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
        let mut map = TakeMap::matched(&take, &head, &Aliases::default());
        map.columns[0].enabled = false;
        assert_eq!((map.driven(&head), map.uncovered_channels(&head)), (Vec::new(), vec![0]));
        assert!(map.unmapped_columns(&take).is_empty());
    }

    #[test]
    fn a_saved_map_finds_its_columns_again() {
        let head = head(&["a", "b", "c"]);
        let mut map = TakeMap::matched(&take(&["A", "B"]), &head, &Aliases::default());
        map.columns[1] = ColumnMap { gain: 3.0, channels: vec!["c".into()], ..map.columns[1].clone() };
        let text = serde_json::to_string(&map).unwrap();
        let read: TakeMap = serde_json::from_str(&text).unwrap();
        assert_eq!(read, map);
        let fitted = read.fitted(&take(&["B", "C"]), &head, &Aliases::default());
        assert_eq!((fitted.columns[0].gain, fitted.columns[1].gain), (3.0, 1.0));
        assert_eq!(fitted.driven(&head), [(2, vec![0, 1])]);
        assert_eq!(serde_json::from_str::<ColumnMap>("{}").unwrap(), ColumnMap::default());
    }

    #[test]
    fn a_choice_for_one_naming_convention_holds_for_all() {
        let mut aliases = Aliases::default();
        aliases.set("EyeBlinkLeft", vec!["Fcl_EYE_Close_L".into()]);
        aliases.set("_neutral", Vec::new());
        assert_eq!(aliases.find("blendShapes.eyeBlink_L").unwrap(), ["Fcl_EYE_Close_L"]);
        assert_eq!(aliases.find("EyeBlinkRight"), None);
        assert_eq!(aliases.find("_neutral").unwrap(), [""; 0]);
        let text = serde_json::to_string(&aliases).unwrap();
        assert_eq!(serde_json::from_str::<Aliases>(&text).unwrap(), aliases);
    }
}
