//! From a take's columns to a head's channels, and what happens to the numbers on the way.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Aliases, Moment, StackWeights, Take, WeightSource, smoothed};
use crate::head::{Head, canonical_name};

/// Where one column of a take goes: `clamp((smoothed − neutral) · gain + offset)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ColumnMap {
    /// The column it is for, as in the file: what a map that was saved is put back by.
    pub column: String,
    /// Full names of the channels it drives. One column may drive many: `BrowInnerUp` both halves of a brow.
    pub channels: Vec<String>,
    /// Whether it drives them now.
    pub enabled: bool,
    /// Times this …
    pub gain: f32,
    /// … plus this …
    pub offset: f32,
    /// … and kept between these two, if asked to.
    pub clamp: Option<[f32; 2]>,
    /// Width of the window it is averaged over, centred on the play head, in seconds.
    pub smoothing_secs: f32,
    /// The column's value when the face is at rest, taken off first.
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
    /// What it makes of a column at a time: smoothed, calibrated, scaled and clamped.
    pub fn value(&self, take: &Take, column: usize, time_secs: f32) -> f32 {
        self.shape(take.sample_smoothed(column, time_secs, self.smoothing_secs))
    }

    /// What it makes of a value: calibrated, scaled and clamped.
    pub fn shape(&self, value: f32) -> f32 {
        let value = (value - self.neutral) * self.gain + self.offset;
        match self.clamp {
            // Not f32::clamp: it panics on ends that are the wrong way round, as they are while somebody types.
            Some([a, b]) => value.max(a.min(b)).min(a.max(b)),
            None => value,
        }
    }
}

/// The routes of a take onto a head.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TakeMap {
    /// One per column of the take, in its order.
    #[serde(rename = "routes")]
    pub columns: Vec<ColumnMap>,
}

impl TakeMap {
    /// Routes by name: what the artist chose before, where this head has it, else [`Head::channel_alike`]. `_neutral`
    /// (a likelihood, not a shape) and the turns of head and eyes (angles) drive nothing unless chosen.
    pub fn matched(take: &Take, head: &Head, aliases: &Aliases) -> Self {
        let route = |name: &str| ColumnMap {
            column: name.to_owned(),
            channels: channels_for(name, head, aliases)
                .into_iter()
                .map(|channel| head.channels[channel].full_name.clone())
                .collect(),
            ..ColumnMap::default()
        };
        Self { columns: take.columns.iter().map(|column| route(&column.name)).collect() }
    }

    /// This map for a take whose columns may have changed since: routes find their columns by name, columns that are
    /// new are matched.
    pub fn fitted(&self, take: &Take, head: &Head, aliases: &Aliases) -> Self {
        let mut fitted = Self::matched(take, head, aliases);
        for route in &mut fitted.columns {
            if let Some(kept) = self.columns.iter().find(|kept| kept.column == route.column) {
                *route = kept.clone();
            }
        }
        fitted
    }

    /// Makes the face at that moment the face at rest: every column's (smoothed) value there becomes its neutral.
    pub fn calibrate(&mut self, take: &Take, time_secs: f32) {
        for (column, route) in self.columns.iter_mut().enumerate() {
            route.neutral = take.sample_smoothed(column, time_secs, route.smoothing_secs);
        }
    }

    /// Back to the values as recorded.
    pub fn clear_calibration(&mut self) {
        for route in &mut self.columns {
            route.neutral = 0.0;
        }
    }

    /// What a column gives at a time, once smoothed, calibrated, scaled and clamped.
    pub fn value(&self, take: &Take, column: usize, time_secs: f32) -> f32 {
        let Some(route) = self.columns.get(column) else { return take.sample(column, time_secs) };
        route.value(take, column, time_secs)
    }

    /// Names of the columns that go nowhere.
    pub fn unmapped_columns<'a>(&self, take: &'a Take) -> Vec<&'a str> {
        let goes_nowhere = |column: usize| self.columns.get(column).is_none_or(|route| route.channels.is_empty());
        let columns = take.columns.iter().enumerate().filter(|(column, _)| goes_nowhere(*column));
        columns.map(|(_, column)| column.name.as_str()).collect()
    }

    /// Channels of the head that nothing drives.
    pub fn uncovered_channels(&self, head: &Head) -> Vec<usize> {
        let columns = self.columns_by_channel(head);
        (0..head.channels.len()).filter(|&channel| columns[channel].is_empty()).collect()
    }

    /// The channels driven now, each with its columns, in the head's order; a channel with several gets their mean.
    /// Looks names up: ask again when the map changes, not every frame.
    pub fn driven(&self, head: &Head) -> Vec<(usize, Vec<usize>)> {
        self.columns_by_channel(head).into_iter().enumerate().filter(|(_, columns)| !columns.is_empty()).collect()
    }

    /// Per channel of the head, the columns that drive it now.
    fn columns_by_channel(&self, head: &Head) -> Vec<Vec<usize>> {
        let mut columns = vec![Vec::new(); head.channels.len()];
        for (column, route) in self.columns.iter().enumerate().filter(|(_, route)| route.enabled) {
            for channel in route.channels.iter().filter_map(|name| head.channel_named(name)) {
                if columns[channel].last() != Some(&column) {
                    columns[channel].push(column);
                }
            }
        }
        columns
    }
}

/// The channels a column means on this head.
fn channels_for(column: &str, head: &Head, aliases: &Aliases) -> Vec<usize> {
    if let Some(chosen) = aliases.find(column) {
        let mut channels: Vec<usize> = chosen.iter().flat_map(|name| head.channel_alike(name)).collect();
        channels.sort_unstable();
        channels.dedup();
        if chosen.is_empty() || !channels.is_empty() {
            return channels;
        }
    }
    if column == "_neutral" || is_turn(column) { Vec::new() } else { head.channel_alike(column) }
}

/// Whether a column is an angle of the head or of an eye, as face trackers record them beside the shapes.
fn is_turn(column: &str) -> bool {
    let name = canonical_name(column);
    let name = name.trim_end_matches("_l").trim_end_matches("_r");
    ["head", "eye"]
        .iter()
        .any(|what| name.strip_prefix(what).is_some_and(|turn| ["yaw", "pitch", "roll"].contains(&turn)))
}

/// A take with the channels and the curves of its columns found.
#[derive(Debug)]
pub(super) struct BoundTake {
    take: Arc<Take>,
    /// Each channel that is driven, with the columns whose mean it gets.
    channels: Vec<(usize, Vec<BoundColumn>)>,
}

/// A column's place in the take, and the numbers of its route.
#[derive(Debug)]
struct BoundColumn {
    /// None: the take lacks the curve, and its value is 0.
    track_and_element: Option<(usize, usize)>,
    route: ColumnMap,
}

impl BoundTake {
    pub(super) fn bind(head: &Head, take: &Arc<Take>, map: &TakeMap) -> Option<Box<dyn WeightSource>> {
        let column = |&column: &usize| BoundColumn {
            track_and_element: take.curve_of(column).map(|(_, element)| (take.columns[column].track, element)),
            route: ColumnMap { column: String::new(), channels: Vec::new(), ..map.columns[column].clone() },
        };
        let driven = map.driven(head).into_iter();
        let channels = driven.map(|(channel, columns)| (channel, columns.iter().map(column).collect())).collect();
        Some(Box::new(Self { take: take.clone(), channels }))
    }

    fn value(&self, column: &BoundColumn, time_secs: f32, next_keys: &[usize]) -> f32 {
        let raw = column.track_and_element.map_or(0.0, |(track, element)| {
            let curve = &self.take.tracks[track];
            if column.route.smoothing_secs > 0.0 {
                smoothed(curve, time_secs, element, column.route.smoothing_secs)
            } else {
                curve.sample_before(next_keys[track], time_secs, element)
            }
        });
        column.route.shape(raw)
    }
}

impl WeightSource for BoundTake {
    fn apply(&self, moment: Moment, weights: &mut StackWeights<'_>) {
        let time_secs = moment.timeline_secs;
        // A curve has one list of key times for all of its columns: it is searched once.
        let next_keys: Vec<usize> = self.take.tracks.iter().map(|curve| curve.next_key(time_secs)).collect();
        for (channel, columns) in &self.channels {
            let sum: f32 = columns.iter().map(|column| self.value(column, time_secs, &next_keys)).sum();
            weights.set(*channel, |_, _| sum / columns.len() as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Curve, Interpolation, Mesh, Target};
    use crate::motion::TakeColumn;

    fn head(names: &[&str]) -> Head {
        let target = |name: &&str| Target { name: (*name).to_owned(), ..Target::default() };
        let mesh = Mesh { targets: names.iter().map(target).collect(), ..Mesh::default() };
        Head::new(Asset { name: "test".into(), meshes: vec![mesh], ..Asset::default() })
    }

    /// Two seconds, in which column n goes from n to n + 2.
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
    fn columns_find_their_channels_and_the_rest_is_listed() {
        let head =
            head(&["rig.jawOpen", "rig.browInnerUp_L", "rig.browInnerUp_R", "rig.neutral", "rig.headYaw", "rig.pout"]);
        let take = take(&["JawOpen", "BrowInnerUp", "_neutral", "HeadYaw", "LeftEyePitch", "TongueOut"]);
        let map = TakeMap::matched(&take, &head, &Aliases::default());
        assert_eq!(map.columns[1].channels, ["rig.browInnerUp_L", "rig.browInnerUp_R"]);
        assert_eq!(map.driven(&head), [(0, vec![0]), (1, vec![1]), (2, vec![1])]);
        assert_eq!(map.unmapped_columns(&take), ["_neutral", "HeadYaw", "LeftEyePitch", "TongueOut"]);
        assert_eq!(map.uncovered_channels(&head), [3, 4, 5]);
    }

    #[test]
    fn what_the_artist_chose_comes_first_where_the_head_has_it() {
        let head = head(&["jawOpen", "pout"]);
        let take = take(&["JawOpen", "Kiss", "jaw_open"]);
        let mut aliases = Aliases::default();
        aliases.learn("kiss", vec!["Pout".into(), "pout".into()]);
        aliases.learn("JawOpen", vec!["somewhereElse".into()]);
        let map = TakeMap::matched(&take, &head, &aliases);
        assert_eq!(map.driven(&head), [(0, vec![0, 2]), (1, vec![1])]);
        aliases.learn("JawOpen", Vec::new());
        assert_eq!(TakeMap::matched(&take, &head, &aliases).unmapped_columns(&take), ["JawOpen", "jaw_open"]);
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
        // Half of the window lies beyond the end, where the last value holds: 2 minus a sixth of the half.
        assert!((map.value(&take, 0, 2.0) - (2.0 - 0.5 / 6.0)).abs() < 1e-6);
        assert_eq!(map.value(&take, 99, 0.0), 0.0);
    }

    #[test]
    fn a_disabled_route_drives_nothing_and_stays_matched() {
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
}
