//! The notes of others are added to those of a project, by the ids of notes and replies. Nothing is lost: of a text and
//! of a state the newer one counts, replies are united, and a note that one of both lists lacks is taken.

use std::collections::HashMap;
use std::fmt;
use std::ops::AddAssign;
use std::sync::Arc;

use thiserror::Error;

use super::{NoteId, NoteReply, ReviewNote, sort_by_date};
use smirk_base::date::Date;
use smirk_base::json::BoundedList;

/// What merging has changed of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergedNotes {
    pub added: usize,
    pub replies: usize,
    pub states: usize,
    pub texts: usize,
    /// States that differ, and were set before that of the project.
    pub older_states: usize,
    pub older_texts: usize,
}

impl fmt::Display for MergedNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let counts = [
            (self.added, "new note", "new notes"),
            (self.replies, "new reply", "new replies"),
            (self.states, "changed state", "changed states"),
            (self.texts, "changed text", "changed texts"),
            (self.older_states, "older state left out", "older states left out"),
            (self.older_texts, "older text left out", "older texts left out"),
        ];
        let parts = counts.into_iter().filter(|(count, ..)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, one, many)| plural(count, one, many)).collect();
        if parts.is_empty() { f.write_str("nothing new") } else { f.write_str(&parts.join(", ")) }
    }
}

impl AddAssign for MergedNotes {
    fn add_assign(&mut self, other: Self) {
        self.added += other.added;
        self.replies += other.replies;
        self.states += other.states;
        self.texts += other.texts;
        self.older_states += other.older_states;
        self.older_texts += other.older_texts;
    }
}

/// There would be more notes than a project has at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("there would be {0} notes, and a project has at most {most}", most = MOST_MERGED)]
pub struct TooManyNotes(usize);

/// Fewer than a file has at most, so that notes can still be added.
const MOST_MERGED: usize = BoundedList::<ReviewNote>::MOST / 10 * 9;

/// The notes with those of others and their replies added, and with what is newer.
pub(crate) fn merged(
    notes: &[Arc<ReviewNote>],
    others: impl IntoIterator<Item = ReviewNote>,
) -> Result<(Vec<Arc<ReviewNote>>, MergedNotes), TooManyNotes> {
    let mut notes = notes.to_vec();
    let mut places: HashMap<NoteId, usize> = notes.iter().enumerate().map(|(place, note)| (note.id, place)).collect();
    let mut changed = MergedNotes::default();
    for other in others {
        let other = other.within_reason();
        match places.get(&other.id) {
            Some(&place) => notes[place] = Arc::new(merged_note(&notes[place], &other, &mut changed)),
            None => {
                changed.added += 1;
                places.insert(other.id, notes.len());
                notes.push(Arc::new(other));
            }
        }
    }
    if changed.added > 0 && notes.len() > MOST_MERGED {
        return Err(TooManyNotes(notes.len()));
    }
    Ok((notes, changed))
}

/// A note with what is newer of another one with its id. What differs and has the same date was changed by hand in a
/// table, after that was written, and is as new as this moment.
fn merged_note(own: &ReviewNote, other: &ReviewNote, changed: &mut MergedNotes) -> ReviewNote {
    // Programs that show tables change the ends of lines.
    let has_same_text = own.text.lines().eq(other.text.lines()) && own.pinned_to == other.pinned_to;
    let takes_text = other.edited >= own.edited && !has_same_text;
    let takes_state = other.state_set >= own.state_set && own.state != other.state;
    changed.texts += usize::from(takes_text);
    changed.states += usize::from(takes_state);
    // Without a date, a row says nothing of it.
    let is_said = |date: Date| date > Date::default();
    changed.older_texts += usize::from(!has_same_text && !takes_text && is_said(other.edited));
    changed.older_states += usize::from(own.state != other.state && !takes_state && is_said(other.state_set));
    let newest = |own: Date, other: Date, is_changed: bool| match own == other && is_changed {
        true => Date::now(),
        false => own.max(other),
    };
    let (text, rest) = if takes_text { (other, own) } else { (own, other) };
    ReviewNote {
        number: own.number,
        created: own.created.min(other.created),
        edited: newest(own.edited, other.edited, takes_text),
        state: if takes_state { other.state } else { own.state },
        state_set: newest(own.state_set, other.state_set, takes_state),
        replies: merged_replies(&own.replies, &other.replies, changed),
        // A table has no strokes and no pictures.
        strokes: if text.strokes.is_empty() { &rest.strokes } else { &text.strokes }.clone(),
        moment: text.moment.as_ref().or(rest.moment.as_ref()).cloned(),
        picture: text.picture.as_ref().or(rest.picture.as_ref()).cloned(),
        ..text.clone()
    }
}

/// The replies of both. Of two that have one id, the later counts. One whose text differs and that has the same date
/// was changed by hand in a table: it becomes a millisecond later, which is newer than in the table, and keeps its
/// place.
fn merged_replies(own: &[NoteReply], others: &[NoteReply], changed: &mut MergedNotes) -> Vec<NoteReply> {
    let places: HashMap<NoteId, usize> = own.iter().enumerate().map(|(place, reply)| (reply.id, place)).collect();
    let mut replies = own.to_vec();
    for other in others {
        let Some(own) = places.get(&other.id).map(|&place| &mut replies[place]) else {
            changed.replies += 1;
            replies.push(other.clone());
            continue;
        };
        let has_same_text = own.text.lines().eq(other.text.lines());
        changed.texts += usize::from(!has_same_text && other.date >= own.date);
        changed.older_texts += usize::from(!has_same_text && other.date < own.date);
        if other.date > own.date {
            *own = other.clone();
        } else if other.date == own.date && !has_same_text {
            *own = NoteReply { date: own.date.just_after(), ..other.clone() };
        }
    }
    sort_by_date(&mut replies);
    replies
}
