//! A take with its edits applied. It is computed when the list of edits changes, from the first edit that is different
//! on.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use rayon::prelude::*;

use super::column::{Column, ColumnKeys, Place};
use super::operations::{self, Mirrored, Reduction};
use super::take_edit::{EditKind, NeutralOf, TakeEdit};
use crate::head::{BodyMotion, Curve, Interpolation};
use crate::motion::{Take, TakeColumn};

/// What was computed last for one take. Copies share it.
#[derive(Clone, Default)]
pub struct EditedTake(Arc<Mutex<Cache>>);

#[derive(Default)]
struct Cache {
    recording: Weak<Take>,
    /// The columns after each edit that is switched on.
    stages: Vec<(TakeEdit, Stage)>,
    edited: Option<Arc<Take>>,
    computed: usize,
}

impl fmt::Debug for EditedTake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EditedTake").finish_non_exhaustive()
    }
}

impl EditedTake {
    /// The recording with these edits. Without any that is switched on, the recording itself.
    pub fn get(&self, recording: &Arc<Take>, edits: &[TakeEdit]) -> Arc<Take> {
        if !edits.iter().any(|edit| edit.enabled) {
            return recording.clone();
        }
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cache.update(recording, edits);
        cache.edited.clone().unwrap_or_else(|| recording.clone())
    }

    /// What the edit at `index` of the list left, if it reduces keys and is switched on.
    pub fn reduction(&self, recording: &Arc<Take>, edits: &[TakeEdit], index: usize) -> Option<Reduction> {
        edits.get(index).filter(|edit| edit.enabled)?;
        let before = edits[..index].iter().filter(|edit| edit.enabled).count();
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cache.update(recording, edits);
        cache.stages.get(before)?.1.reduction
    }

    /// How many edits were computed so far. What has not changed must not be computed again.
    #[cfg(test)]
    pub(super) fn computed(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).computed
    }
}

impl Cache {
    fn update(&mut self, recording: &Arc<Take>, edits: &[TakeEdit]) {
        if !std::ptr::eq(self.recording.as_ptr(), Arc::as_ptr(recording)) {
            *self = Self { recording: Arc::downgrade(recording), computed: self.computed, ..Self::default() };
        }
        let enabled = edits.iter().filter(|edit| edit.enabled);
        let same = self.stages.iter().zip(enabled.clone()).take_while(|((known, _), edit)| known == *edit).count();
        if same == self.stages.len() && same == enabled.clone().count() && self.edited.is_some() {
            return;
        }
        self.stages.truncate(same);
        for edit in enabled.skip(same) {
            let stage = match self.stages.last() {
                Some((_, before)) => before.after(edit, recording),
                None => Stage::new(recording).after(edit, recording),
            };
            self.stages.push((edit.clone(), stage));
            self.computed += 1;
        }
        self.edited = self.stages.last().map(|(_, stage)| Arc::new(take_of(recording, stage)));
    }
}

/// A take with other columns. Those that did not change share the curves of the recording.
fn take_of(recording: &Take, stage: &Stage) -> Take {
    let mut tracks = recording.tracks.clone();
    let mut columns = recording.columns.clone();
    for (index, (column, edited)) in columns.iter_mut().zip(&stage.columns).enumerate() {
        let is_unchanged = recording
            .curve_of(index)
            .is_none_or(|(curve, element)| curve.is_copy_of(&edited.curve) && element == edited.element);
        if !is_unchanged {
            *column = TakeColumn { name: column.name.clone(), track: tracks.len(), element: edited.element };
            tracks.push(edited.curve.clone());
        }
    }
    let frames_per_sec = stage.frames_per_sec.or(recording.frames_per_sec);
    let clock = stage.columns.get(recording.columns.len()).map(|clock| clock.curve.clone());
    let body = recording.body.clone().map(|body| BodyMotion { clock, ..body });
    Take { tracks, columns, body, frames_per_sec, duration_secs: stage.duration_secs, ..recording.clone() }
}

const FRAME_RATES: RangeInclusive<f32> = 1.0..=1000.0;

/// The rate of samples where a take states none.
const DEFAULT_RATE: f32 = 60.0;

/// All columns of a take after one of its edits. Columns that no edit changed share their curves with the recording.
#[derive(Clone, Debug)]
struct Stage {
    /// The columns of the take, and, if it has a body, one that maps times to times of the recording.
    pub columns: Vec<Column>,
    pub duration_secs: f32,
    /// The rate that [`EditKind::FrameRate`] gave the frames.
    pub frames_per_sec: Option<f32>,
    /// What [`EditKind::Reduce`] left; `None` after other kinds.
    pub reduction: Option<Reduction>,
}

impl Stage {
    pub(super) fn new(take: &Take) -> Self {
        let columns = (0..take.columns.len()).map(|index| match take.curve_of(index) {
            Some((curve, element)) => Column { curve: curve.clone(), element },
            None => Column::at_zero(),
        });
        let columns = columns.chain(take.body.iter().map(|_| Column::clock(take.duration_secs))).collect();
        Self { columns, duration_secs: take.duration_secs, frames_per_sec: None, reduction: None }
    }

    pub(super) fn after(&self, edit: &TakeEdit, take: &Take) -> Self {
        let unchanged = Self { reduction: None, ..self.clone() };
        if let EditKind::FrameRate(rate) = edit.kind {
            return self.at_rate(rate, take).unwrap_or(unchanged);
        }
        let Some(span) = edit.span_on(self.duration_secs) else { return unchanged };
        let place = Place {
            span,
            eases: edit.eases_on(span, self.duration_secs),
            may_jump: edit.kind.eases()[0],
            duration_secs: self.duration_secs,
            frames_per_sec: self
                .frames_per_sec
                .or(take.frames_per_sec)
                .filter(|rate| (1.0..=1000.0).contains(rate))
                .unwrap_or(DEFAULT_RATE),
        };
        let is_of_time = edit.kind.is_of_time();
        let mirrored = if edit.kind == EditKind::Mirror { operations::mirrored_columns(take) } else { Vec::new() };
        let is_named = |index: usize| take.columns.get(index).is_some_and(|of| edit.has_column(&of.name));
        let changed = self.columns.par_iter().enumerate().map(|(index, column)| {
            // A side that got the values of the other one alone would lose its own.
            let is_of_named = mirrored.get(index).is_some_and(|mirrored| is_named(mirrored.from));
            if !(is_of_time || is_named(index) || is_of_named) {
                return (column.clone(), None);
            }
            if let EditKind::Reduce { fit, tolerance } = edit.kind {
                let reduced = operations::reduced(column, place, fit, tolerance);
                return reduced.map_or_else(|| (column.clone(), None), |(column, what)| (column, Some(what)));
            }
            let changed = match mirrored.get(index) {
                Some(&mirrored) => self.mirrored(column, place, mirrored),
                None => edited(column, edit.kind, place),
            };
            (changed.unwrap_or_else(|| column.clone()), None)
        });
        let columns: Vec<_> = changed.collect();
        let reduction = columns.iter().filter_map(|(_, reduction)| *reduction).reduce(Reduction::and);
        Self {
            columns: columns.into_iter().map(|(column, _)| column).collect(),
            duration_secs: operations::duration_after(edit.kind, place),
            frames_per_sec: self.frames_per_sec,
            reduction,
        }
    }

    /// The frames at even times. None if the columns have keys at different times or others than the recording: they
    /// are no frames.
    fn at_rate(&self, rate: f32, recording: &Take) -> Option<Self> {
        let (of_take, clock) = self.columns.split_at(recording.columns.len());
        let first = &of_take.first()?.curve;
        let are_frames = of_take
            .iter()
            .all(|Column { curve, .. }| curve.shares_times(first) && curve.interpolation() == Interpolation::Linear);
        let are_recorded = recording.tracks.first()?.times().len() == first.times().len();
        if !are_frames || !are_recorded || !(FRAME_RATES.contains(&rate)) {
            return None;
        }
        let last = first.times().len() - 1;
        let times: Arc<[f32]> = (0..=last).map(|frame| frame as f32 / rate).collect();
        let retimed = of_take.par_iter().map(|column| {
            let keys = ColumnKeys::with_added(column, &[]);
            ColumnKeys { times: times.clone(), ..keys }.into_column()
        });
        let mut columns = retimed.collect::<Option<Vec<Column>>>()?;
        for clock in clock {
            let values = clock.samples(first.times().iter().copied());
            let curve = Curve::sharing(Interpolation::Linear, times.clone(), values, 1).ok()?;
            columns.push(Column { curve, element: 0 });
        }
        Some(Self { columns, duration_secs: times[last], frames_per_sec: Some(rate), reduction: None })
    }

    fn mirrored(&self, column: &Column, place: Place, Mirrored { from, sign }: Mirrored) -> Option<Column> {
        let other = &self.columns[from];
        if other.curve.is_copy_of(&column.curve) && other.element == column.element && sign == 1.0 {
            return None;
        }
        column.with_values(place, |keys, key| sign * other.sample(keys.times[key]))
    }
}

fn edited(column: &Column, kind: EditKind, place: Place) -> Option<Column> {
    match kind {
        EditKind::Gain(factor) => column.with_values(place, |keys, key| keys.values[key] * factor),
        EditKind::Offset(offset) => column.with_values(place, |keys, key| keys.values[key] + offset),
        EditKind::Clamp([a, b]) => column.with_values(place, |keys, key| keys.values[key].max(a.min(b)).min(a.max(b))),
        EditKind::Smooth { cutoff_hz, keep_peaks } => {
            let smooth = operations::Smoothed::new(column, place, cutoff_hz, keep_peaks)?;
            column.with_values(place, |keys, key| smooth.value(keys.times[key], keys.values[key]))
        }
        EditKind::RemoveSpikes { threshold, longest_secs } => {
            let most = (longest_secs * place.frames_per_sec).round();
            column.with_all_values(place, |keys, first, last| {
                operations::without_spikes(
                    &keys.times[first..=last],
                    &keys.values[first..=last],
                    threshold,
                    most as usize,
                )
            })
        }
        EditKind::Neutral(of) => {
            let neutral = match of {
                NeutralOf::Moment(time_secs) => column.sample(time_secs),
                NeutralOf::Mean => operations::mean(column, place),
            };
            column.with_values(place, |keys, key| keys.values[key] - neutral)
        }
        EditKind::Hold(value) => {
            let held = value.unwrap_or_else(|| column.sample(place.span[0]));
            column.with_values(place, |_, _| held)
        }
        EditKind::Line => {
            let line = operations::line(column, place);
            column.with_values(place, |keys, key| line(keys.times[key]))
        }
        EditKind::Bridge => {
            let bridge = operations::bridge(column, place);
            column.with_values(place, |keys, key| bridge(keys.times[key]))
        }
        EditKind::Bake(rate) => operations::baked(column, place, rate),
        EditKind::Stretch(factor) => operations::stretched(column, place, factor),
        EditKind::InsertTime(secs) => operations::inserted(column, place, secs),
        EditKind::DeleteTime => operations::deleted(column, place),
        // They need other columns, or more than the column as their result.
        EditKind::Mirror | EditKind::Reduce { .. } | EditKind::FrameRate(_) => None,
    }
}
