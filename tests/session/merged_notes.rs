//! Notes of others, merged into those of a project.

use std::collections::HashSet;

use smirk_base::date::Date;
use smirk_base::random::bits;
use smirk_session::{Edits, MergedNotes, NoteId, NoteReply, NoteState, PinnedTo, ReviewNote};

/// Notes and replies of which those of one id and date are the same.
fn any_list(seed: u32) -> Vec<ReviewNote> {
    let pick = |index: u64, count: u64| bits(seed, index) % count;
    let date = |second: u64| format!("2026-11-29T09:00:0{second}Z").parse().unwrap();
    let note = |nth: u64| {
        let at = nth * 20;
        let reply = |index: u64| NoteReply {
            id: NoteId(pick(at + index, 5)),
            date: date(pick(at + index + 1, 4)),
            author: "b".into(),
            text: format!("r{}", pick(at + index + 1, 4) % 3),
        };
        let (edited, set) = (pick(at + 3, 4), pick(at + 5, 4));
        ReviewNote {
            id: NoteId(pick(at, 6)),
            number: pick(at + 4, 4) as u32,
            text: format!("t{}", edited % 3),
            author: "a".into(),
            created: date(pick(at + 2, 4)),
            edited: date(edited),
            state: if set % 2 == 0 { NoteState::Open } else { NoteState::Done },
            state_set: date(set),
            replies: (0..pick(at + 6, 3)).map(|index| reply(7 + 3 * index)).collect(),
            pinned_to: PinnedTo { channels: vec![format!("c{}", edited % 2)], ..PinnedTo::default() },
            strokes: Vec::new(),
            moment: None,
            picture: None,
        }
    };
    (0..pick(999, 7)).map(note).collect()
}

fn union(lists: &[&[ReviewNote]]) -> Edits {
    let mut edits = Edits::default();
    for list in lists {
        let before = edits.notes.clone();
        edits.merge_notes(list.iter().cloned()).unwrap();
        let numbers: HashSet<u32> = edits.notes.iter().map(|note| note.number).collect();
        assert!(numbers.len() == edits.notes.len() && !numbers.contains(&0), "{:?}", edits.notes);
        assert!(numbers.iter().all(|&number| number <= edits.last_note_number));
        for note in before {
            assert_eq!(edits.note(note.id).unwrap().number, note.number, "the number of a note stays");
        }
    }
    edits
}

/// The notes by their ids. Which number a new note gets depends on the order of merging.
fn contents(edits: &Edits) -> Vec<ReviewNote> {
    let mut notes: Vec<_> = edits.notes.iter().map(|note| ReviewNote { number: 0, ..(**note).clone() }).collect();
    notes.sort_by_key(|note| note.id);
    notes
}

#[test]
fn merging_is_idempotent_and_the_same_in_any_order_and_loses_no_id() {
    for seed in 0..2000 {
        let [a, b, c] = [0, 1, 2].map(|list| any_list(seed * 3 + list));
        let mut all = union(&[&a, &b, &c]);
        assert_eq!(union(&[&a, &b, &c, &b, &a]), all, "{seed}: again");
        assert_eq!(contents(&union(&[&c, &a, &b])), contents(&all), "{seed}: in another order");
        assert_eq!(contents(&union(&[&b, &c, &a])), contents(&all), "{seed}: in another order");
        let changed = all.merge_notes(b.iter().cloned()).unwrap();
        let MergedNotes { older_states, older_texts, .. } = changed;
        let unchanged = MergedNotes { older_states, older_texts, ..MergedNotes::default() };
        assert_eq!(changed, unchanged, "{seed}: what is known changes nothing");
        for note in a.iter().chain(&b).chain(&c) {
            let kept = all.note(note.id).unwrap();
            assert!(kept.edited >= note.edited && kept.state_set >= note.state_set, "{seed}");
            assert!(note.replies.iter().all(|reply| kept.replies.iter().any(|kept| kept.id == reply.id)), "{seed}");
        }
    }
}

#[test]
fn what_was_changed_by_hand_counts_until_it_is_changed_later() {
    let note = || any_list(3).pop().unwrap();
    let by_hand = |text: &str, state| ReviewNote { text: text.into(), state, ..note() };
    let mut edits = Edits::default();
    edits.merge_notes([by_hand("as sent", NoteState::Done)]).unwrap();
    let reopened = by_hand("as\nsent", NoteState::Open);
    let changed = edits.merge_notes([reopened.clone()]).unwrap();
    assert_eq!(changed, MergedNotes { states: 1, texts: 1, ..MergedNotes::default() });
    assert!(edits.notes[0].is_open() && edits.notes[0].state_set > note().state_set);
    // Other ends of lines are no other text.
    let again = ReviewNote { text: "as\r\nsent".into(), ..reopened };
    assert_eq!(edits.merge_notes([again]).unwrap(), MergedNotes::default());
    // Somebody else sends the table back without a change.
    let changed = edits.merge_notes([by_hand("as sent", NoteState::Done)]).unwrap();
    assert_eq!(changed.to_string(), "1 older state left out, 1 older text left out");
    assert!(edits.notes[0].is_open());
    let silent = ReviewNote { state_set: Date::default(), edited: Date::default(), ..by_hand("", NoteState::Done) };
    assert_eq!(edits.merge_notes([silent]).unwrap().to_string(), "nothing new");
}

#[test]
fn a_reply_that_was_changed_by_hand_counts_and_keeps_its_place() {
    let reply = |id: u64, date: &str, text: &str| NoteReply {
        id: NoteId(id),
        date: date.parse().unwrap(),
        author: "b".into(),
        text: text.into(),
    };
    // The ids are in the other order than the dates.
    let note = |text: &str| ReviewNote {
        replies: vec![reply(9, "2026-11-29T09:00:00Z", text), reply(5, "2026-11-29T10:00:00Z", "then")],
        ..any_list(3).pop().unwrap()
    };
    for [sent, by_hand] in [["aye", "yes"], ["yes", "aye"]] {
        let mut edits = Edits::default();
        edits.merge_notes([note(sent)]).unwrap();
        for (text, changed) in [(by_hand, "1 changed text"), (by_hand, "nothing new"), (sent, "1 older text left out")]
        {
            assert_eq!(edits.merge_notes([note(text)]).unwrap().to_string(), changed);
            let texts: Vec<&str> = edits.notes[0].replies.iter().map(|reply| reply.text.as_str()).collect();
            assert_eq!(texts, [by_hand, "then"]);
        }
    }
}

#[test]
fn more_notes_than_a_project_has_are_refused_as_a_whole() {
    let note = any_list(3).pop().unwrap();
    let many = |count: u64| (0..count).map(|id| ReviewNote { id: NoteId(id + 100), ..note.clone() });
    let mut edits = Edits::default();
    assert_eq!(edits.merge_notes(many(90_000)).unwrap().added, 90_000);
    let before = edits.clone();
    let refused = edits.merge_notes(many(90_001)).unwrap_err();
    assert_eq!(refused.to_string(), "there would be 90001 notes, and a project has at most 90000");
    assert!(edits == before);
    edits.merge_notes(many(90_000)).unwrap();
}

#[test]
fn what_has_changed_is_said_in_a_line() {
    let changed = MergedNotes { added: 2, replies: 1, states: 1, ..MergedNotes::default() };
    assert_eq!(changed.to_string(), "2 new notes, 1 new reply, 1 changed state");
    assert_eq!(MergedNotes::default().to_string(), "nothing new");
}
