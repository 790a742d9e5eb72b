//! The notes of one file while it is read. A file can give a reason for a note with every few bytes, so notes of one kind are summed
//! when they are added, not when they are shown: their number and their memory are bounded whatever the file contains.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Kind, Level, Note, Subject};

/// The notes of one file, in the order they were added.
#[derive(Debug, Default)]
pub struct Notes {
    list: Vec<Note>,
    /// By the hash of what notes of one kind have in common.
    groups: HashMap<u64, Group>,
    /// The number of notes that belong to no group, because there are too many groups.
    others: usize,
}

/// Notes of one kind.
#[derive(Debug)]
struct Group {
    /// Indices into the list: those that are kept.
    kept: Vec<usize>,
    count: usize,
    /// Whether all have the same text.
    is_same_text: bool,
}

impl Notes {
    /// Up to this many notes of a kind are listed one by one; more become one note with their number.
    const MOST_OF_A_KIND: usize = 16;
    /// Up to this many notes are listed one by one. After that only the first of each kind is kept.
    const MOST_LISTED: usize = 400;
    /// The largest number of kinds of notes. A valid file has a few.
    const MOST_KINDS: usize = 200;
    /// The number of objects that the note on many of them names.
    const NAMED: usize = 3;

    /// Adds a note.
    pub fn push(&mut self, note: Note) {
        let kind = kind_of(&note);
        let kinds = self.groups.len();
        if kinds >= Self::MOST_KINDS && !self.groups.contains_key(&kind) {
            self.others += 1;
            return;
        }
        let new = || Group { kept: Vec::new(), count: 0, is_same_text: true };
        let group = self.groups.entry(kind).or_insert_with(new);
        group.count += 1;
        group.is_same_text &= group.kept.first().is_none_or(|&first| self.list[first].message == note.message);
        let has_room = self.list.len() < Self::MOST_LISTED || group.kept.len() < Self::NAMED;
        if group.kept.len() < Self::MOST_OF_A_KIND && has_room {
            group.kept.push(self.list.len());
            self.list.push(note);
        }
    }

    /// Adds the notes of a part of the file that was read beside this one, after those that are here.
    pub fn append(&mut self, next: Self) {
        next.list.into_iter().for_each(|note| self.push(note));
        self.others += next.others;
        for (kind, group) in next.groups {
            let summed = group.count - group.kept.len();
            match self.groups.get_mut(&kind) {
                Some(own) => {
                    own.count += summed;
                    own.is_same_text &= group.is_same_text;
                }
                None => self.others += summed,
            }
        }
    }

    /// The first note that fits.
    pub fn find(&self, fits: impl Fn(&Note) -> bool) -> Option<&Note> {
        self.list.iter().find(|note| fits(note))
    }

    /// The notes, with those of a kind that are too many as one.
    pub fn into_list(self) -> Vec<Note> {
        let mut list: Vec<Option<Note>> = self.list.into_iter().map(Some).collect();
        for group in self.groups.into_values().filter(|group| group.count > group.kept.len()) {
            let mut subjects = Vec::new();
            for &at in group.kept.iter().skip(1).take(Self::NAMED - 1) {
                subjects.extend(list[at].as_ref().map(|note| note.subject.clone()));
            }
            group.kept.iter().skip(1).for_each(|&at| list[at] = None);
            let Some(first) = group.kept.first().and_then(|&at| list[at].as_mut()) else { continue };
            subjects.insert(0, first.subject.clone());
            first.subject = Subject::Many(subjects, group.count);
            if !group.is_same_text {
                first.message += " (so the first; numbers and names of the others differ)";
            }
        }
        let mut list: Vec<Note> = list.into_iter().flatten().collect();
        if self.others > 0 {
            list.push(Note::warning(Subject::File, format!("there are {} notes of other kinds", self.others)));
        }
        list
    }
}

impl Extend<Note> for Notes {
    fn extend<T: IntoIterator<Item = Note>>(&mut self, notes: T) {
        notes.into_iter().for_each(|note| self.push(note));
    }
}

/// The hash of what a note has in common with others of its kind: level, kind of object, and text without numbers and names.
fn kind_of(note: &Note) -> u64 {
    let mut hasher = DefaultHasher::new();
    (note.level == Level::Warning).hash(&mut hasher);
    hash_object(&note.subject, &mut hasher);
    hash_text(&note.message, &mut hasher);
    hasher.finish()
}

fn hash_object(subject: &Subject, hasher: &mut DefaultHasher) {
    match subject {
        Subject::Part(whole, part) => {
            hash_object(whole, hasher);
            hash_object(part, hasher);
        }
        Subject::Field(word) => hash_text(word, hasher),
        subject => {
            let kind: Option<Kind> = subject.kind();
            kind.hash(hasher);
        }
    }
}

/// Hashes a text with every number, and every name in quotation marks, as one character.
fn hash_text(text: &str, hasher: &mut DefaultHasher) {
    let mut letters = text.bytes();
    let mut next = letters.next();
    while let Some(letter) = next {
        next = letters.next();
        match letter {
            b'0'..=b'9' => {
                b'0'.hash(hasher);
                // A number may have a point, an exponent or a hexadecimal prefix.
                while next.is_some_and(|letter| letter.is_ascii_alphanumeric() || matches!(letter, b'.' | b'-')) {
                    next = letters.next();
                }
            }
            b'"' => {
                b'"'.hash(hasher);
                while let Some(letter) = next.filter(|letter| *letter != b'"') {
                    // A quotation mark in a name is escaped.
                    next = if letter == b'\\' { letters.nth(1) } else { letters.next() };
                }
                next = letters.next();
            }
            letter => letter.hash(hasher),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(number: usize) -> Subject {
        Subject::named(Kind::Mesh, format!("m\"{number}"))
    }

    #[test]
    fn notes_of_one_kind_about_many_objects_are_one_note_with_their_number() {
        let mut notes = Notes::default();
        notes.push(Note::info(Subject::File, "is read"));
        for number in 0..50_000 {
            notes.push(Note::warning(mesh(number), "has no triangle; left out"));
            notes.push(Note::info(mesh(number), format!("has {number} weights for \"{number}\"")));
        }
        let texts: Vec<String> = notes.into_list().iter().map(ToString::to_string).collect();
        assert_eq!(
            texts,
            [
                "file: is read",
                "mesh \"m\\\"0\", mesh \"m\\\"1\", mesh \"m\\\"2\" and 49997 more: has no triangle; left out",
                "mesh \"m\\\"0\", mesh \"m\\\"1\", mesh \"m\\\"2\" and 49997 more: has 0 weights for \"0\" (so the first; \
                 numbers and names of the others differ)",
            ]
        );
    }

    #[test]
    fn a_few_notes_of_one_kind_are_listed_one_by_one() {
        let mut notes = Notes::default();
        notes.extend((0..Notes::MOST_OF_A_KIND).map(|number| Note::warning(mesh(number), "is flat")));
        let list = notes.into_list();
        assert_eq!(list.len(), Notes::MOST_OF_A_KIND);
        assert!(list.iter().zip(0..).all(|(note, number)| note.subject == mesh(number)));
    }

    #[test]
    fn the_number_of_notes_and_their_length_are_bounded() {
        let mut notes = Notes::default();
        let word = |number: usize| format!("{number:b}").replace('0', "a").replace('1', "b");
        for number in 0..20_000 {
            for _ in 0..3 {
                let subject = Subject::named(Kind::Mesh, "n".repeat(3000)).part(mesh(number));
                notes.push(Note::warning(subject, word(number) + &"x".repeat(3000)));
            }
        }
        let list = notes.into_list();
        assert!(list.len() <= Notes::MOST_LISTED + Notes::MOST_KINDS * Notes::NAMED, "{}", list.len());
        assert!(list.iter().all(|note| note.to_string().chars().count() < 900));
        assert!(list.last().unwrap().message.contains("59400 notes of other kinds"), "{:?}", list.last());
    }

    #[test]
    fn notes_of_parts_are_those_of_the_whole() {
        let note = |number: usize| Note::warning(mesh(number % 40), format!("has {} holes", number / 90));
        let mut whole = Notes::default();
        whole.extend((0..100).map(note));
        let mut joined = Notes::default();
        for first in [0, 30, 60] {
            let mut part = Notes::default();
            part.extend((first..if first == 60 { 100 } else { first + 30 }).map(note));
            joined.append(part);
        }
        let texts = |notes: Notes| notes.into_list().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(texts(joined), texts(whole));
    }
}
