//! The marker track: texts at times of the timeline, such as the words and sounds of a voice.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use super::TimeChange;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Marker {
    pub time_secs: f32,
    pub text: String,
    /// How long what it names lasts, such as a word of a label file; 0 for a moment.
    pub lasts_secs: f32,
}

impl Marker {
    /// When what it names is over.
    pub fn end_secs(&self) -> f32 {
        self.time_secs + self.lasts_secs
    }
}

/// The markers of a timeline, in the order of their times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Markers(Vec<Marker>);

fn by_time(a: &Marker, b: &Marker) -> Ordering {
    a.time_secs.total_cmp(&b.time_secs)
}

impl Markers {
    /// The most markers of a timeline.
    pub const MOST: usize = 20_000;
    /// The longest text, in letters.
    pub const LONGEST_TEXT: usize = 200;
    /// Markers are between 0 and this time.
    pub const LATEST_SECS: f32 = 86_400.0;
    /// Times that are closer than this are the same.
    const SAME_SECS: f32 = 1e-4;

    /// These markers, sorted. Texts that are too long are cut, times that are no numbers are left out with their
    /// markers, and so is what is more than [`Self::MOST`].
    pub fn new(markers: Vec<Marker>) -> Self {
        let valid = markers.into_iter().filter_map(|marker| {
            let time_secs = marker.time_secs.clamp(0.0, Self::LATEST_SECS);
            let text = marker.text.chars().take(Self::LONGEST_TEXT).collect();
            let latest = Self::LATEST_SECS - time_secs;
            let lasts_secs = if marker.lasts_secs > 0.0 { marker.lasts_secs.min(latest) } else { 0.0 };
            (!time_secs.is_nan()).then_some(Marker { time_secs, text, lasts_secs })
        });
        let mut markers: Vec<Marker> = valid.take(Self::MOST).collect();
        markers.sort_by(by_time);
        Self(markers)
    }

    pub fn all(&self) -> &[Marker] {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// When all are over; 0 if there is none.
    pub fn end_secs(&self) -> f32 {
        self.0.iter().map(Marker::end_secs).fold(0.0, f32::max)
    }

    /// Adds a marker, unless there are [`Self::MOST`] already. Returns its index.
    pub fn add(&mut self, marker: Marker) -> Option<usize> {
        if self.0.len() >= Self::MOST {
            return None;
        }
        let [marker]: [Marker; 1] = Self::new(vec![marker]).0.try_into().ok()?;
        let index = self.0.partition_point(|other| other.time_secs <= marker.time_secs);
        self.0.insert(index, marker);
        Some(index)
    }

    pub fn rename(&mut self, index: usize, text: &str) {
        if let Some(marker) = self.0.get_mut(index) {
            marker.text = text.chars().take(Self::LONGEST_TEXT).collect();
        }
    }

    pub fn remove(&mut self, index: usize) {
        if index < self.0.len() {
            self.0.remove(index);
        }
    }

    /// Moves a marker to another time. Returns its new index, which other markers may have changed.
    pub fn move_to(&mut self, index: usize, time_secs: f32) -> Option<usize> {
        if index >= self.0.len() || time_secs.is_nan() {
            return None;
        }
        let marker = self.0.remove(index);
        self.add(Marker { time_secs, ..marker })
    }

    pub fn after(&self, time_secs: f32) -> Option<&Marker> {
        self.0.iter().find(|marker| marker.time_secs > time_secs + Self::SAME_SECS)
    }

    pub fn before(&self, time_secs: f32) -> Option<&Marker> {
        self.0.iter().rev().find(|marker| marker.time_secs < time_secs - Self::SAME_SECS)
    }

    /// These and other markers. One that is there already, with the same text at the same time, is not added again.
    #[must_use]
    pub fn with(&self, others: &Self) -> Self {
        let new = others.0.iter().filter(|other| {
            let first = self.0.partition_point(|marker| marker.time_secs < other.time_secs - Self::SAME_SECS);
            let mut near =
                self.0[first..].iter().take_while(|marker| marker.time_secs <= other.time_secs + Self::SAME_SECS);
            near.all(|marker| marker.text != other.text)
        });
        Self::new(self.0.iter().chain(new).cloned().collect())
    }

    /// The markers where they are after a change of time. Those in deleted time are gone.
    #[must_use]
    pub fn rippled(&self, change: TimeChange) -> Self {
        let staying = self.0.iter().filter(|marker| match change {
            TimeChange::Insert { .. } => true,
            TimeChange::Delete { from_secs, to_secs } => {
                marker.time_secs <= from_secs + Self::SAME_SECS || marker.time_secs >= to_secs - Self::SAME_SECS
            }
        });
        let moved = staying.map(|marker| {
            let [time_secs, end_secs] = [marker.time_secs, marker.end_secs()].map(|secs| change.of_point(secs));
            Marker { time_secs, lasts_secs: end_secs - time_secs, ..marker.clone() }
        });
        Self::new(moved.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marker(time_secs: f32, text: &str) -> Marker {
        Marker { time_secs, text: text.into(), lasts_secs: 0.0 }
    }

    fn texts(markers: &Markers) -> Vec<(f32, &str)> {
        markers.all().iter().map(|marker| (marker.time_secs, marker.text.as_str())).collect()
    }

    fn abc() -> Markers {
        Markers::new(vec![marker(3.0, "c"), marker(1.0, "a"), marker(2.0, "b")])
    }

    #[test]
    fn they_stay_sorted_through_every_edit() {
        let mut markers = abc();
        assert_eq!(texts(&markers), [(1.0, "a"), (2.0, "b"), (3.0, "c")]);
        assert_eq!(markers.add(marker(1.5, "d")), Some(1));
        assert_eq!(markers.move_to(1, 9.0), Some(3));
        markers.rename(0, "first");
        markers.remove(1);
        assert_eq!(texts(&markers), [(1.0, "first"), (3.0, "c"), (9.0, "d")]);
        assert_eq!((markers.move_to(7, 1.0), markers.move_to(0, f32::NAN)), (None, None));
        assert_eq!(markers.add(marker(f32::NAN, "x")), None);
    }

    #[test]
    fn the_next_and_the_one_before_are_not_the_one_at_the_play_head() {
        let markers = abc();
        let text = |marker: Option<&Marker>| marker.map(|marker| marker.text.clone());
        assert_eq!((text(markers.after(2.0)), text(markers.before(2.0))), (Some("c".into()), Some("a".into())));
        assert_eq!((text(markers.after(3.0)), text(markers.before(0.5))), (None, None));
    }

    #[test]
    fn a_file_that_is_imported_again_adds_nothing() {
        let more = Markers::new(vec![marker(2.0, "b"), marker(2.0, "B")]);
        let both = abc().with(&more);
        assert_eq!(texts(&both), [(1.0, "a"), (2.0, "b"), (2.0, "B"), (3.0, "c")]);
        assert_eq!(both.with(&more), both);
    }

    #[test]
    fn they_move_with_inserted_and_deleted_time() {
        let insert = TimeChange::Insert { at_secs: 1.5, secs: 2.0 };
        assert_eq!(texts(&abc().rippled(insert)), [(1.0, "a"), (4.0, "b"), (5.0, "c")]);
        let delete = TimeChange::Delete { from_secs: 1.5, to_secs: 2.5 };
        assert_eq!(texts(&abc().rippled(delete)), [(1.0, "a"), (2.0, "c")]);
        let exact = TimeChange::Delete { from_secs: 1.0, to_secs: 3.0 };
        assert_eq!(texts(&abc().rippled(exact)), [(1.0, "a"), (1.0, "c")]);
    }

    #[test]
    fn what_is_out_of_reason_is_limited() {
        let many = Markers::new((0..Markers::MOST + 5).map(|index| marker(index as f32, "")).collect());
        assert_eq!(many.all().len(), Markers::MOST);
        let odd = Markers::new(vec![marker(-1.0, &"é".repeat(300)), marker(f32::INFINITY, "")]);
        assert_eq!(odd.all().iter().map(|marker| marker.time_secs).collect::<Vec<_>>(), [0.0, Markers::LATEST_SECS]);
        assert_eq!(odd.all()[0].text.chars().count(), Markers::LONGEST_TEXT);
        let mut full = many;
        assert_eq!(full.add(marker(1.0, "one more")), None);
    }
}
