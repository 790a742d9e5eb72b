//! Dragging of keys, of their tangents and of the box around the selection. Each frame of a drag starts from the keys
//! as they were before the drag, so that keys that it has passed are unchanged, and Esc restores everything.

use egui::{Modifiers, Pos2, Rect};

use smirk_face::motion::{Key, KeyMode, KeySelection, Keys, Tangents};
use smirk_session::{OnTimeline, Session, TimingOf};

use crate::curves::extent::Extent;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GestureKind {
    /// A rectangle that selects keys, adds them to the selection, or removes them from it.
    Box,
    /// The selected keys. The one that was grabbed stays on frames.
    Move {
        grabbed_secs: f32,
        /// The height of a value of 1, in the curve of the grabbed key.
        height_of_one: f32,
        only_time: bool,
    },
    /// An edge of the box around the selection, which scales times about the other edge, with Ctrl about the play head.
    ScaleTime { edge_secs: f32, pivot_secs: f32 },
    /// An edge of the box around the selection, which scales values about the other edge, with Ctrl about the neutral
    /// value. Keys that add to what is below are always scaled about 0.
    ScaleValue { edge: f32, pivot: f32 },
    /// A tangent of one key; with Alt, of one side of the key.
    Tangent {
        name: String,
        key: Key,
        at: Pos2,
        /// Whether the tangent before the key is dragged.
        is_incoming: bool,
        height_of_one: f32,
    },
    /// Everything on the timeline from a time on.
    Ripple { from_secs: f32, before: Box<OnTimeline> },
}

/// Where the pointer of a drag is, and the modifier keys that are held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DragInput {
    pub pointer: Pos2,
    pub modifiers: Modifiers,
}

#[derive(Clone, Debug)]
pub(crate) struct Gesture {
    /// What the keys belong to that it changes.
    pub of: TimingOf,
    pub kind: GestureKind,
    pub start: Pos2,
    /// The visible range when it began. It stays fixed, because a range that adapts to the keys would move them away
    /// from the pointer.
    pub extent: Extent,
    /// The effect of the drag so far as text, such as `+12 f`.
    pub label: String,
    pub before: Keys,
    pub selected: KeySelection,
    last: Option<DragInput>,
}

impl Gesture {
    pub(crate) fn new(
        kind: GestureKind,
        start: Pos2,
        extent: Extent,
        session: &Session,
        selected: &KeySelection,
    ) -> Self {
        let (of, before, selected) = (session.timing_of(), session.keys().clone(), selected.clone());
        Self { of, kind, start, extent, label: String::new(), before, selected, last: None }
    }

    pub(crate) fn selecting_rect(&self, pointer: Pos2) -> Option<Rect> {
        (self.kind == GestureKind::Box).then(|| Rect::from_two_pos(self.start, pointer))
    }

    pub(crate) fn cancel(self, session: &mut Session, selection: &mut KeySelection) {
        *selection = self.selected;
        if let GestureKind::Ripple { before, .. } = self.kind {
            session.timeline_mut().put_back(*before);
            return;
        }
        if *session.keys() != self.before {
            session.keys_mut().edit(|keys| *keys = self.before);
        }
    }

    pub(crate) fn update(&mut self, session: &mut Session, selection: &mut KeySelection, plot: Rect, input: DragInput) {
        if self.last.replace(input) == Some(input) {
            return;
        }
        let DragInput { pointer, modifiers } = input;
        if let GestureKind::Ripple { from_secs, before } = &self.kind {
            let secs_per_point = (self.extent.secs[1] - self.extent.secs[0]) / plot.width();
            let to_secs = from_secs + (pointer.x - self.start.x) * secs_per_point;
            let to_secs = session.edits.timeline.dragged_to(to_secs, modifiers.command).max(0.0);
            self.label = match session.timeline_mut().ripple(before, *from_secs, to_secs) {
                Ok(()) => format!("{} for everything later", moved_text(session, to_secs - from_secs)),
                Err(error) => error.to_string(),
            };
            *selection = KeySelection::default();
            return;
        }
        let Some((keys, selected)) = self.applied(session, plot, input) else { return };
        session.keys_mut().edit(|all| *all = keys);
        *selection = selected;
    }

    fn applied(
        &mut self,
        session: &Session,
        plot: Rect,
        DragInput { pointer, modifiers }: DragInput,
    ) -> Option<(Keys, KeySelection)> {
        let timeline = session.edits.timeline;
        let mut by = pointer - self.start;
        let secs_per_point = (self.extent.secs[1] - self.extent.secs[0]) / plot.width();
        let height_per_point = (self.extent.values[1] - self.extent.values[0]) / plot.height();
        match &self.kind {
            GestureKind::Box | GestureKind::Ripple { .. } => None,
            &GestureKind::Move { grabbed_secs, height_of_one, only_time } => {
                if only_time || (modifiers.shift && by.x.abs() >= by.y.abs()) {
                    by.y = 0.0;
                } else if modifiers.shift {
                    by.x = 0.0;
                }
                let earliest = self.selected.range_secs().map_or(0.0, |[first, _]| first);
                let snapped = if by.x == 0.0 {
                    grabbed_secs
                } else {
                    timeline.dragged_to(grabbed_secs + by.x * secs_per_point, modifiers.command)
                };
                let by_secs = (snapped - grabbed_secs).max(-earliest);
                let by_value = -by.y * height_per_point / height_of_one;
                self.label = format!("{}  {by_value:+.3}", moved_text(session, by_secs));
                Some(self.before.changed(&self.selected, |name, key| {
                    let value = limited(session, name, key.value + by_value);
                    Key { time_secs: (key.time_secs + by_secs).max(0.0), value, ..key }
                }))
            }
            &GestureKind::ScaleTime { edge_secs, pivot_secs } => {
                let pivot = if modifiers.command { session.clock.timeline.time_secs } else { pivot_secs };
                let to = timeline.snapped(edge_secs + by.x * secs_per_point);
                let factor = ratio(to - pivot, edge_secs - pivot)?;
                self.label = format!("× {factor:.3} in time");
                Some(self.before.changed(&self.selected, |_, key| {
                    let time_secs = pivot + (key.time_secs - pivot) * factor;
                    Key { time_secs, tangents: key.tangents.scaled(1.0, factor), ..key }
                }))
            }
            &GestureKind::ScaleValue { edge, pivot } => {
                let is_neutral = modifiers.command;
                let to = edge - by.y * height_per_point;
                let about = if is_neutral { 0.0 } else { pivot };
                let factor = ratio(to - about, edge - about)?;
                self.label = format!("× {factor:.3} in value");
                Some(self.before.changed(&self.selected, |name, key| {
                    let adds = self.before.curve(name).is_some_and(|curve| curve.mode == KeyMode::Add);
                    let about = if adds {
                        0.0
                    } else if is_neutral {
                        neutral(session, name)
                    } else {
                        pivot
                    };
                    let value = limited(session, name, about + (key.value - about) * factor);
                    Key { value, tangents: key.tangents.scaled(factor, 1.0), ..key }
                }))
            }
            GestureKind::Tangent { name, key, at, is_incoming, height_of_one } => {
                let side = if *is_incoming { -1.0 } else { 1.0 };
                let secs = (side * (pointer.x - at.x)).max(2.0) * secs_per_point;
                let slope = side * -(pointer.y - at.y) * height_per_point / height_of_one / secs;
                let tangents = dragged(self.before.curve(name)?, *key, slope, *is_incoming, modifiers.alt);
                self.label = format!("slope {slope:+.2} /s");
                let mut keys = self.before.clone();
                keys.set(name, Key { tangents, ..*key });
                Some((keys, self.selected.clone()))
            }
        }
    }
}

/// The quotient of two distances, unless it is infinite or almost 0.
fn ratio(to: f32, from: f32) -> Option<f32> {
    let factor = to / from;
    (factor.is_finite() && factor.abs() > 1e-3).then_some(factor)
}

fn moved_text(session: &Session, by_secs: f32) -> String {
    let timeline = session.edits.timeline;
    if timeline.snaps { format!("{:+.0} f", timeline.rate.frame_at(by_secs)) } else { format!("{by_secs:+.3} s") }
}

fn neutral(session: &Session, name: &str) -> f32 {
    session.head.channel_named(name).map_or(0.0, |channel| session.channel_default(channel))
}

/// A value that a channel can have: that of an expression is from 0 to 1, unless it is added to what is below.
fn limited(session: &Session, name: &str, value: f32) -> f32 {
    let adds = session.keys().curve(name).is_some_and(|curve| curve.mode == KeyMode::Add);
    let channel = session.head.channel_named(name);
    let is_expression = channel.is_some_and(|channel| session.head.expression_of(channel).is_some());
    if is_expression && !adds { value.clamp(0.0, 1.0) } else { value }
}

fn dragged(curve: &smirk_face::motion::KeyCurve, key: Key, slope: f32, is_incoming: bool, breaks: bool) -> Tangents {
    let is_broken = matches!(key.tangents, Tangents::Broken { .. });
    if !is_broken && !breaks {
        return Tangents::Free(slope);
    }
    let index = curve.keys().partition_point(|other| other.time_secs < key.time_secs);
    let [incoming, outgoing] = curve.slopes_at(index);
    if is_incoming {
        Tangents::Broken { incoming: slope, outgoing }
    } else {
        Tangents::Broken { incoming, outgoing: slope }
    }
}
