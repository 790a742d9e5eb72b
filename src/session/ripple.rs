//! Time that is inserted or deleted on the whole timeline: in the keys of all channels, the take, the sequence, the
//! markers, the review notes on what plays, where the sound begins, and the range that plays. A clip is part of the
//! head's file and stays as it is.

use std::sync::Arc;

use super::{NoteId, NotedTime, Session, SoundTrack, TakeId, TimelineMut};
use smirk_face::motion::{EditKind, Key, Keys, Markers, Sequence, TakeEdit, TimeChange, TimelineSettings};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RippleError {
    #[error("Time is inserted and deleted from in to out: set in (I) or out (O) first")]
    NoRange,
    #[error("The range is the whole take {take}: set in (I) or out (O) so that something is left")]
    NothingLeft { take: String },
    #[error(
        "The take {take} has {} edits, which is the most possible: remove one on the Motion page first",
        TakeEdit::MOST
    )]
    TooManyEdits { take: String },
}

/// What is on the timeline and can be changed. A drag keeps it, so that each of its frames starts from where it began.
#[derive(Clone, Debug, PartialEq)]
pub struct OnTimeline {
    keys: Keys,
    take: Option<TakeOnTimeline>,
    sequence: Sequence,
    sound: Option<SoundTrack>,
    markers: Markers,
    notes: Vec<(NoteId, NotedTime)>,
    settings: TimelineSettings,
}

#[derive(Clone, Debug, PartialEq)]
struct TakeOnTimeline {
    id: TakeId,
    name: String,
    edits: Vec<TakeEdit>,
    /// How long the take is with its edits.
    duration_secs: f32,
    sound: Option<SoundTrack>,
}

impl OnTimeline {
    /// The same after a change of time. `change_keys` says what happens to keys.
    fn rippled(&self, change: TimeChange, change_keys: impl FnOnce(&Keys) -> Keys) -> Result<Self, RippleError> {
        Ok(Self {
            take: self.take.as_ref().map(|take| take.rippled(change)).transpose()?,
            keys: change_keys(&self.keys),
            sequence: self.sequence.rippled(change),
            sound: self.sound.clone().map(|sound| sound.rippled(change)),
            markers: self.markers.rippled(change),
            notes: self.notes.iter().map(|(id, time)| (*id, time.rippled(change))).collect(),
            settings: self.settings.rippled(change),
        })
    }
}

impl TakeOnTimeline {
    /// The take with one more edit at the end of its list, unless the change is after its end.
    fn rippled(&self, change: TimeChange) -> Result<Self, RippleError> {
        let (kind, span) = match change {
            TimeChange::Insert { at_secs, secs } => (EditKind::InsertTime(secs), [at_secs, at_secs + secs]),
            TimeChange::Delete { from_secs, to_secs } => {
                (EditKind::DeleteTime, [from_secs, to_secs.min(self.duration_secs)])
            }
        };
        if span[0] >= self.duration_secs {
            return Ok(self.clone());
        }
        if kind == EditKind::DeleteTime && span[1] - span[0] >= self.duration_secs - Key::SAME_SECS {
            return Err(RippleError::NothingLeft { take: self.name.clone() });
        }
        if self.edits.len() >= TakeEdit::MOST {
            return Err(RippleError::TooManyEdits { take: self.name.clone() });
        }
        let edit = TakeEdit { kind, span: Some(span), ..TakeEdit::default() };
        let sound = self.sound.clone().map(|sound| sound.rippled(change));
        Ok(Self { edits: self.edits.iter().cloned().chain([edit]).collect(), sound, ..self.clone() })
    }
}

impl Session {
    pub fn on_timeline(&self) -> OnTimeline {
        let take = self.take().map(|entry| TakeOnTimeline {
            id: entry.id,
            name: entry.take.name.clone(),
            edits: entry.edits.clone(),
            duration_secs: entry.edited().duration_secs,
            sound: entry.sound.clone(),
        });
        let edits = &self.edits;
        OnTimeline {
            keys: self.keys().clone(),
            take,
            sequence: edits.sequence.clone(),
            sound: edits.sound.clone(),
            markers: edits.markers.clone(),
            notes: self.times_of_notes(),
            settings: self.timeline(),
        }
    }
}

impl TimelineMut<'_> {
    /// Puts back what was on the timeline.
    pub fn put_back(&mut self, on_timeline: OnTimeline) {
        let OnTimeline { keys, take, sequence, sound, markers, notes, settings } = on_timeline;
        self.session.keys_mut().change(|of| *of = keys);
        self.edit_range(|timeline| *timeline = settings);
        let edits = &mut *self.session.edits;
        (edits.sequence, edits.sound, edits.markers) = (sequence, sound, markers);
        for (id, time) in notes {
            if let Some(note) =
                edits.notes.iter_mut().find(|note| note.id == id && note.pinned_to.time.as_ref() != Some(&time))
            {
                Arc::make_mut(note).pinned_to.time = Some(time);
            }
        }
        if let Some(take) = take
            && let Some(entry) = edits.take_mut(take.id)
        {
            (entry.edits, entry.sound) = (take.edits, take.sound);
        }
        self.session.stay_on_timeline();
    }

    /// Inserts as much time as is between in and out, at the in point. The face is held in it. The range is the
    /// inserted time afterwards. Returns how many seconds were inserted.
    pub fn insert_time(&mut self) -> Result<f32, RippleError> {
        let [at_secs, end_secs] = self.chosen_range()?;
        let (secs, before) = ((end_secs - at_secs).min(EditKind::LONGEST_INSERT_SECS), self.session.on_timeline());
        let change = TimeChange::Insert { at_secs, secs };
        let after = before.rippled(change, |keys| keys.with_time_inserted(at_secs, secs))?;
        let (in_secs, out_secs) = (before.settings.in_secs, Some(at_secs + secs));
        self.put_back(OnTimeline { settings: TimelineSettings { in_secs, out_secs, ..before.settings }, ..after });
        Ok(secs)
    }

    /// Deletes the time between in and out. The face eases into what follows. Returns how many seconds were deleted.
    pub fn delete_time(&mut self) -> Result<f32, RippleError> {
        let [from_secs, to_secs] = self.chosen_range()?;
        let change = TimeChange::Delete { from_secs, to_secs };
        let after = self
            .session
            .on_timeline()
            .rippled(change, |keys| keys.with_time_deleted([from_secs, to_secs], TakeEdit::EASE_SECS))?;
        self.put_back(after);
        Ok(to_secs - from_secs)
    }

    /// Moves what was at `from_secs` to `to_secs`, and everything later along.
    pub fn ripple(&mut self, before: &OnTimeline, from_secs: f32, to_secs: f32) -> Result<(), RippleError> {
        let by_secs = to_secs - from_secs;
        if by_secs.abs() <= Key::SAME_SECS {
            self.put_back(before.clone());
            return Ok(());
        }
        let change = TimeChange::moving(from_secs, to_secs);
        let after = before.rippled(change, |keys| keys.rippled(from_secs, by_secs))?;
        self.put_back(after);
        Ok(())
    }

    fn chosen_range(&self) -> Result<[f32; 2], RippleError> {
        let TimelineSettings { in_secs, out_secs, .. } = self.session.timeline();
        let [start, end] = self.session.range_secs();
        // Where in and out are beyond the timeline, the whole timeline plays, which is not the chosen range.
        let is_on_timeline = in_secs.is_none_or(|secs| secs <= start) && out_secs.is_none_or(|secs| secs > start);
        if (in_secs.is_none() && out_secs.is_none()) || !is_on_timeline || end - start <= Key::SAME_SECS {
            return Err(RippleError::NoRange);
        }
        Ok([start, end])
    }
}
