//! Two lists of notes become one, by the ids of notes and replies. Nothing is lost: of a text and of a state the newer
//! one counts, replies are united, and a note that one of both lists lacks is taken.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::AddAssign;
use std::sync::Arc;

use super::{NoteId, ReviewNote, in_order};

/// What merging has changed of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MergedNotes {
    pub added: usize,
    pub replies: usize,
    pub states: usize,
    pub texts: usize,
}

impl fmt::Display for MergedNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let counts = [
            (self.added, "new note", "new notes"),
            (self.replies, "new reply", "new replies"),
            (self.states, "changed state", "changed states"),
            (self.texts, "changed text", "changed texts"),
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
    }
}

/// Adds notes and replies to a list, and takes over what is newer.
pub fn merge_notes(notes: &mut Vec<Arc<ReviewNote>>, others: impl IntoIterator<Item = ReviewNote>) -> MergedNotes {
    let mut places: HashMap<NoteId, usize> = notes.iter().enumerate().map(|(place, note)| (note.id, place)).collect();
    let mut changed = MergedNotes::default();
    for other in others {
        let other = other.within_reason();
        match places.get(&other.id) {
            Some(&place) => {
                let (before, after) = (&notes[place], merged_note(&notes[place], &other));
                changed.replies += after.replies.len() - before.replies.len();
                changed.states += usize::from(after.state != before.state);
                changed.texts += usize::from(after.text != before.text || after.pinned_to != before.pinned_to);
                notes[place] = Arc::new(after);
            }
            None => {
                changed.added += 1;
                places.insert(other.id, notes.len());
                notes.push(Arc::new(other));
            }
        }
    }
    *notes = in_order(std::mem::take(notes));
    changed
}

fn merged_note(a: &ReviewNote, b: &ReviewNote) -> ReviewNote {
    // What decides between equal dates is the same from both sides.
    let rank =
        |note: &ReviewNote| (note.edited, note.text.clone(), note.author.clone(), format!("{:?}", note.pinned_to));
    let (text, other) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
    let state = if (a.state_set, a.state) >= (b.state_set, b.state) { a } else { b };
    let mut replies: Vec<_> = a.replies.iter().chain(&b.replies).cloned().collect();
    // Of two that have one id, the later counts.
    replies.sort_by(|a, b| b.cmp(a));
    let mut known = HashSet::new();
    replies.retain(|reply| known.insert(reply.id));
    replies.sort();
    ReviewNote {
        created: a.created.min(b.created),
        state: state.state,
        state_set: state.state_set,
        replies,
        // A table has no strokes and no pictures.
        strokes: if text.strokes.is_empty() { &other.strokes } else { &text.strokes }.clone(),
        moment: text.moment.as_ref().or(other.moment.as_ref()).cloned(),
        picture: text.picture.as_ref().or(other.picture.as_ref()).cloned(),
        ..text.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{NoteReply, NoteState, PinnedTo};
    use super::*;
    use smirk_base::random::bits;

    fn any_list(seed: u32) -> Vec<ReviewNote> {
        let pick = |index: u64, count: u64| bits(seed, index) % count;
        let date = |index: u64| format!("2026-11-29T09:00:0{}Z", pick(index, 4)).parse().unwrap();
        let note = |nth: u64| {
            let at = nth * 20;
            let reply = |index: u64| NoteReply {
                id: NoteId(pick(at + index, 5)),
                date: date(at + index + 1),
                author: "b".into(),
                text: format!("r{}", pick(at + index + 2, 3)),
            };
            ReviewNote {
                id: NoteId(pick(at, 6)),
                text: format!("t{}", pick(at + 1, 3)),
                author: "a".into(),
                created: date(at + 2),
                edited: date(at + 3),
                state: if pick(at + 4, 2) == 0 { NoteState::Open } else { NoteState::Done },
                state_set: date(at + 5),
                replies: (0..pick(at + 6, 3)).map(|index| reply(7 + 3 * index)).collect(),
                pinned_to: PinnedTo { channels: vec![format!("c{}", pick(at + 13, 2))], ..PinnedTo::default() },
                strokes: Vec::new(),
                moment: None,
                picture: None,
            }
        };
        (0..pick(999, 7)).map(note).collect()
    }

    fn union(lists: &[&[ReviewNote]]) -> Vec<Arc<ReviewNote>> {
        let mut notes = Vec::new();
        lists.iter().for_each(|list| _ = merge_notes(&mut notes, list.iter().cloned()));
        notes
    }

    #[test]
    fn merging_is_idempotent_and_the_same_in_any_order_and_loses_no_id() {
        for seed in 0..2000 {
            let [a, b, c] = [0, 1, 2].map(|list| any_list(seed * 3 + list));
            let all = union(&[&a, &b, &c]);
            assert_eq!(union(&[&a, &b, &c, &b, &a]), all, "{seed}: again");
            assert_eq!(union(&[&c, &a, &b]), all, "{seed}: in another order");
            assert_eq!(union(&[&b, &c, &a]), all, "{seed}: in another order");
            let changed = merge_notes(&mut all.clone(), b.iter().cloned());
            assert_eq!(changed, MergedNotes::default(), "{seed}: what is known changes nothing");
            for note in a.iter().chain(&b).chain(&c) {
                let kept = all.iter().find(|kept| kept.id == note.id).unwrap();
                assert!(kept.edited >= note.edited && kept.state_set >= note.state_set, "{seed}");
                assert!(note.replies.iter().all(|reply| kept.replies.iter().any(|kept| kept.id == reply.id)), "{seed}");
            }
        }
    }

    #[test]
    fn what_has_changed_is_said_in_a_line() {
        let changed = MergedNotes { added: 2, replies: 1, states: 1, texts: 0 };
        assert_eq!(changed.to_string(), "2 new notes, 1 new reply, 1 changed state");
        assert_eq!(MergedNotes::default().to_string(), "nothing new");
    }
}
