//! What is exported as one clip: a session that plays, and the frames that are taken of it.

use std::collections::HashMap;
use std::sync::Arc;

use crate::{ExportError, FrameSpan, Performance, what_plays};
use smirk_base::progress::Progress;
use smirk_face::head::{Curve, FaceTurns, Interpolation, Mesh};
use smirk_face::motion::{EditedTake, FrameRate, Take, TakeEdit, TimecodeBase, fit_lines};
use smirk_session::{Session, TakeEntry, TakeId, TimingOf};

#[derive(Clone, Debug)]
pub struct AnimationClip {
    pub name: String,
    pub session: Session,
    pub span: FrameSpan,
}

impl AnimationClip {
    /// What plays in a session. It is named after the take, else after the clips of the head, else after the head.
    pub fn of_session(session: &Session, span: FrameSpan) -> Self {
        Self::named_after_what_plays(session.clone(), span)
    }

    fn named_after_what_plays(session: Session, span: FrameSpan) -> Self {
        let name = Some(what_plays(&session)).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| session.head.name.clone());
        Self { name, session, span }
    }

    /// A clip for each of some takes of a session, with everything else as it is. `span` chooses the frames of each,
    /// and may set their rate.
    pub fn of_takes<E>(
        session: &Session,
        takes: &[TakeId],
        mut span: impl FnMut(&mut Session) -> Result<FrameSpan, E>,
    ) -> Result<Vec<Self>, E> {
        let mut shared = session.clone();
        // Each clip has its own take: all of them in every clip would be their square.
        let entries = std::mem::take(&mut shared.edits.takes);
        let by_id: HashMap<TakeId, &TakeEntry> = entries.iter().map(|entry| (entry.id, entry)).collect();
        let timed = shared.edits.timing_for_all.clone();
        takes
            .iter()
            .map(|&take| {
                let mut session = shared.clone();
                let of_timing = match timed {
                    Some(TimingOf::Take(other)) => Some(other).filter(|other| *other != take),
                    Some(TimingOf::Head | TimingOf::Clip(_)) | None => None,
                };
                let own = [Some(take), of_timing].into_iter().flatten().filter_map(|id| by_id.get(&id));
                session.edits.takes = own.map(|&entry| entry.clone()).collect();
                session.takes_mut().select(Some(take));
                let span = span(&mut session)?;
                Ok(Self::named_after_what_plays(session, span))
            })
            .collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnimationKeys {
    Sampled,
    /// As few as stay within this distance of the weight at every frame. Only formats with
    /// [`AnimationFormat::can_hold_sparse_keys`](super::AnimationFormat::can_hold_sparse_keys) have fewer.
    Within(f32),
}

impl Default for AnimationKeys {
    fn default() -> Self {
        Self::Within(Self::LOSSLESS)
    }
}

impl AnimationKeys {
    /// Half of what counts as equal: with this tolerance, what is still or moves evenly has few keys, and nothing else
    /// is lost.
    pub const LOSSLESS: f32 = 5e-7;

    /// The tolerance; none if there is a key at every frame.
    pub(super) fn tolerance(self) -> Option<f32> {
        match self {
            Self::Sampled => None,
            Self::Within(tolerance) => Some(tolerance),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Recording {
    pub name: String,
    pub performance: Performance,
    /// Real seconds from midnight to the first frame, by the timecode of the take.
    pub start_secs: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct FrameKeys {
    /// The frames, counted from the first of the span.
    pub frames: Vec<usize>,
    pub values: Vec<f32>,
}

/// Straight lines through keys, which move something. An error if a number is not finite: the products of very large
/// weights may not be.
pub(super) fn lines(times: Vec<f32>, values: Vec<f32>, width: usize, moved: &str) -> Result<Curve, ExportError> {
    Curve::new(Interpolation::Linear, times, values, width)
        .map_err(|error| failed!("the animation of {moved} cannot be written: {error}"))
}

/// The time of its recording that a take shows at a time. A frame rate that was chosen corrects the recording's own
/// clock.
fn recorded_secs(entry: &TakeEntry, secs: f64) -> f64 {
    let edits = entry.edits.iter().filter(|edit| edit.enabled && edit.kind.is_of_time());
    // Values ease into what follows deleted time; the time of the recording jumps.
    let without_ease = edits.map(|edit| TakeEdit { ease_out_secs: 0.0, ..edit.clone() });
    let (edits, of_rate): (Vec<_>, Vec<_>) = without_ease.partition(|edit| edit.kind.has_range());
    let ends = vec![0.0, EditedTake::default().get(&entry.take, &of_rate).duration_secs];
    match Curve::new(Interpolation::Linear, ends.clone(), ends, 1) {
        Ok(clock) if !edits.is_empty() => {
            let clock = Arc::new(Take::of_curve(["time"], clock));
            EditedTake::default().get(&clock, &edits).sample(0, secs as f32).into()
        }
        _ => secs,
    }
}

impl Recording {
    pub(super) fn evaluate(clip: &AnimationClip, progress: Progress<'_>) -> Result<Self, ExportError> {
        let AnimationClip { name, session, span } = clip;
        let first_secs = span.secs_of(span.first);
        let timecode_secs = session.take().and_then(|entry| {
            let take = &entry.take;
            let rate = take.frames_per_sec.map_or(span.rate, |rate| FrameRate::nearest(rate.into()));
            let start_secs = TimecodeBase::for_rate(rate).secs(take.start_timecode.as_deref()?)?;
            Some(start_secs + recorded_secs(entry, first_secs))
        });
        let start_secs = timecode_secs.unwrap_or(first_secs);
        Ok(Self { name: name.clone(), performance: Performance::evaluate(session, *span, progress)?, start_secs })
    }

    pub(super) fn frame_count(&self) -> usize {
        self.performance.frame_count()
    }

    pub(super) fn has_turns(&self) -> bool {
        self.performance.turns.iter().any(|turns| *turns != FaceTurns::NONE)
    }

    pub(super) fn target(&self, target: usize) -> impl Iterator<Item = f32> {
        (0..self.frame_count()).map(move |frame| self.performance.frame_of_targets(frame)[target])
    }

    pub(super) fn targets_of(&self, mesh: &Mesh) -> Vec<f32> {
        let own = mesh.first_target..mesh.first_target + mesh.targets.len();
        (0..self.frame_count())
            .flat_map(|frame| &self.performance.frame_of_targets(frame)[own.clone()])
            .copied()
            .collect()
    }

    pub(super) fn times(&self) -> Vec<f32> {
        (0..self.frame_count()).map(|frame| self.performance.secs_of(frame) as f32).collect()
    }

    /// Keys of straight lines through values of every frame: at every frame, or as few as stay within a tolerance. A
    /// column that is still has one key.
    pub(super) fn keys(&self, values: Vec<f32>, columns: usize, tolerance: Option<f32>) -> FrameKeys {
        let Some(tolerance) = tolerance else {
            return FrameKeys { frames: (0..self.frame_count()).collect(), values };
        };
        let lines = fit_lines(&self.times(), &values, columns, tolerance.max(0.0).into());
        let is_still = lines.values.chunks_exact(columns.max(1)).all(|row| row == &lines.values[..columns]);
        let kept = if is_still { 1 } else { lines.kept.len() };
        FrameKeys { frames: lines.kept[..kept].to_vec(), values: lines.values[..kept * columns].to_vec() }
    }
}
