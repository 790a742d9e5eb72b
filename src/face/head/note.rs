//! Notes: what was converted, repaired or left out when a file was opened.
//!
//! A file can give a reason for a note with every few bytes, so notes of one kind are summed
//! when they are added, not when they are shown: their number and their memory are bounded whatever the file contains.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Display};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Serialize, Serializer};
use strum::IntoStaticStr;

use smirk_base::names::{one_line, printable, quoted};

/// How much a note matters to the artist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something was converted; the picture is right.
    Info,
    /// Something was repaired or left out; the picture may differ from what the author meant.
    Warning,
}

/// One remark about one object of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    pub level: Level,
    #[serde(rename = "object")]
    pub subject: Subject,
    /// What was done and why, with the numbers. One line.
    pub message: String,
    /// Whether the note is that the head has no morph targets. Such a note is removed when targets are added.
    #[serde(skip)]
    pub is_about_missing_targets: bool,
}

impl Note {
    pub fn no_targets() -> Self {
        let message = "has no morph targets: it can be looked at, not moved. File › Import › Shapes… adds some";
        Self { is_about_missing_targets: true, ..Self::info(Subject::File, message) }
    }

    /// A conversion that changes nothing in the picture.
    pub fn info(subject: impl Into<Subject>, message: impl Into<String>) -> Self {
        Self::new(Level::Info, subject.into(), message.into())
    }

    /// A repair or an omission.
    pub fn warning(subject: impl Into<Subject>, message: impl Into<String>) -> Self {
        Self::new(Level::Warning, subject.into(), message.into())
    }

    fn new(level: Level, subject: Subject, message: String) -> Self {
        Self { level, subject, message: one_line(message), is_about_missing_targets: false }
    }
}

impl Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.subject, self.message)
    }
}

/// `a, b and 5 more`: the first `shown` of `things`, and the number of the others.
pub fn listed<T: Display>(things: &[T], shown: usize) -> String {
    let texts: Vec<String> = things.iter().take(shown).map(T::to_string).collect();
    let more = things.len().saturating_sub(shown);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    texts.join(", ") + &more
}

/// The notes of one file, in the order they were added.
#[derive(Debug, Default)]
pub struct Notes {
    list: Vec<Note>,
    /// By the hash of what notes of one kind have in common.
    groups: HashMap<u64, Group>,
    /// The number of notes that belong to no group, because there are too many groups.
    others: usize,
}

#[derive(Debug)]
struct Group {
    /// Indices into the list: those that are kept.
    kept: Vec<usize>,
    count: usize,
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

    pub fn push(&mut self, note: Note) {
        let kind = kind_of(&note);
        let kinds = self.groups.len();
        if kinds >= Self::MOST_KINDS && !self.groups.contains_key(&kind) {
            self.others += 1;
            return;
        }
        let group = self.groups.entry(kind);
        let group = group.or_insert_with(|| Group { kept: Vec::new(), count: 0, is_same_text: true });
        group.count += 1;
        group.is_same_text &= group.kept.first().is_none_or(|&first| self.list[first].message == note.message);
        let has_room = self.list.len() < Self::MOST_LISTED || group.kept.len() < Self::NAMED;
        if group.kept.len() < Self::MOST_OF_A_KIND && has_room {
            group.kept.push(self.list.len());
            self.list.push(note);
        }
    }

    /// Adds a [`Note::warning`].
    pub fn warn(&mut self, subject: impl Into<Subject>, message: impl Into<String>) {
        self.push(Note::warning(subject, message));
    }

    /// Adds a [`Note::info`].
    pub fn inform(&mut self, subject: impl Into<Subject>, message: impl Into<String>) {
        self.push(Note::info(subject, message));
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

/// The hash of what a note has in common with others of its kind: level, kind of object, and text without numbers and
/// names.
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

/// The numbers that are printed of several objects.
const SEVERAL_PRINTED: usize = 3;

/// A kind of object in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, IntoStaticStr)]
#[strum(serialize_all = "camelCase")]
pub enum Kind {
    Accessor,
    Animation,
    Buffer,
    BufferView,
    Camera,
    /// A channel of an animation (glTF).
    Channel,
    Column,
    /// A target that follows others.
    Corrective,
    Expression,
    Frame,
    #[strum(serialize = "GLB chunk")]
    GlbChunk,
    Image,
    Light,
    Line,
    Material,
    Mesh,
    Node,
    Primitive,
    Sampler,
    Scene,
    /// A file that was added to a head as one of its targets.
    Shape,
    Skin,
    Take,
    Target,
    Texture,
    /// The column of a capture with the times.
    Time,
    // The statements of OBJ files, which are called by their keyword.
    #[strum(serialize = "f")]
    ObjFace,
    #[strum(serialize = "mtllib")]
    ObjMaterialLibrary,
    #[strum(serialize = "usemtl")]
    ObjMaterialUse,
    #[strum(serialize = "vn")]
    ObjNormal,
    #[strum(serialize = "v")]
    ObjPosition,
    #[strum(serialize = "vt")]
    ObjTextureCoordinate,
}

impl Kind {
    /// The word for one object of the kind.
    fn one(self) -> &'static str {
        self.into()
    }

    /// The word for all objects of the kind. There is one scene, and OBJ's keywords have no plural.
    fn all(self) -> String {
        let ending = match self {
            Self::Mesh => "es",
            Self::Scene
            | Self::ObjFace
            | Self::ObjMaterialLibrary
            | Self::ObjMaterialUse
            | Self::ObjNormal
            | Self::ObjPosition
            | Self::ObjTextureCoordinate => "",
            _ => "s",
        };
        format!("{}{ending}", self.one())
    }
}

/// What a note or an error is about. Its text is made by `Display` alone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    File,
    NamedFile(String),
    /// What the format calls by a fixed word: a field (`asset.version`), a section (`GLB header`) or an extension.
    Field(Cow<'static, str>),
    All(Kind),
    /// An object by its number, counted as the format counts.
    Numbered(Kind, usize),
    /// Several objects: the numbers of the first three, and how many there are.
    Several(Kind, Vec<usize>, usize),
    Many(Vec<Subject>, usize),
    Named(Kind, String),
    NumberedAndNamed(Kind, usize, String),
    /// An object by its number, stored by means of an extension of the format.
    NumberedWithExtension(Kind, usize, String),
    /// An object that belongs to another.
    Part(Box<Subject>, Box<Subject>),
    /// An object of a file other than the one that was opened.
    InFile(String, Box<Subject>),
}

impl Subject {
    pub fn field(word: impl Into<Cow<'static, str>>) -> Self {
        Self::Field(word.into())
    }

    pub fn named(kind: Kind, name: impl Into<String>) -> Self {
        Self::Named(kind, shortened(name.into()))
    }

    pub fn numbered_and_named(kind: Kind, number: usize, name: &str) -> Self {
        Self::NumberedAndNamed(kind, number, shortened(name.to_owned()))
    }

    /// The object by its number, or several by theirs.
    pub fn numbered(kind: Kind, numbers: &[usize]) -> Self {
        match numbers {
            [number] => Self::Numbered(kind, *number),
            numbers => Self::Several(kind, numbers.iter().take(SEVERAL_PRINTED).copied().collect(), numbers.len()),
        }
    }

    /// An object that belongs to this one.
    #[must_use]
    pub fn part(&self, part: Self) -> Self {
        Self::Part(Box::new(self.clone()), Box::new(part))
    }

    /// The same object, in a file of that name.
    #[must_use]
    pub fn in_file(self, file: &str) -> Self {
        Self::InFile(file.to_owned(), Box::new(self))
    }

    /// The object that it belongs to, or itself.
    pub fn whole(&self) -> &Self {
        match self {
            Self::Part(whole, _) => whole.whole(),
            whole => whole,
        }
    }

    /// Whether it is `whole` or belongs to it.
    pub fn is_in(&self, whole: &Self) -> bool {
        self == whole || matches!(self, Self::Part(own, _) if own.is_in(whole))
    }

    /// Whether it is a target of that name, or one of several of which not all are named.
    pub fn is_about_target(&self, target: &str) -> bool {
        match self {
            Self::Named(Kind::Target, name) | Self::NumberedAndNamed(Kind::Target, _, name) => {
                *name == shortened(target.to_owned())
            }
            Self::Part(whole, part) => part.is_about_target(target) || whole.is_about_target(target),
            Self::InFile(_, subject) => subject.is_about_target(target),
            Self::Many(some, count) => {
                some.iter().any(|subject| subject.is_about_target(target))
                    || (*count > some.len() && some.iter().any(Self::is_target))
            }
            _ => false,
        }
    }

    fn is_target(&self) -> bool {
        match self {
            Self::Part(_, part) => part.is_target(),
            Self::InFile(_, subject) => subject.is_target(),
            subject => subject.kind() == Some(Kind::Target),
        }
    }

    /// The kind of the object; of a part, that of the whole.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::File | Self::NamedFile(_) | Self::Field(_) => None,
            Self::All(kind)
            | Self::Numbered(kind, _)
            | Self::Several(kind, ..)
            | Self::Named(kind, _)
            | Self::NumberedAndNamed(kind, ..)
            | Self::NumberedWithExtension(kind, ..) => Some(*kind),
            Self::Part(whole, _) => whole.kind(),
            Self::Many(some, _) => some.first()?.kind(),
            Self::InFile(_, subject) => subject.kind(),
        }
    }
}

impl From<&Subject> for Subject {
    fn from(subject: &Subject) -> Self {
        subject.clone()
    }
}

impl Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("file"),
            Self::NamedFile(name) => f.write_str(&printable(name)),
            Self::Field(word) => f.write_str(&one_line(word.clone().into_owned())),
            Self::All(kind) => f.write_str(&kind.all()),
            Self::Numbered(kind, number) => write!(f, "{} {number}", kind.one()),
            Self::Several(kind, first, count) => {
                write!(f, "{} ", kind.all())?;
                write_some(f, first, *count)
            }
            Self::Many(some, count) => write_some(f, some, *count),
            Self::Named(kind, name) => write!(f, "{} {}", kind.one(), quoted(name)),
            Self::NumberedAndNamed(kind, number, name) => write!(f, "{} {number} {}", kind.one(), quoted(name)),
            Self::NumberedWithExtension(kind, number, name) => {
                write!(f, "{} {number} ({})", kind.one(), printable(name))
            }
            Self::Part(whole, part) => write!(f, "{whole}, {part}"),
            Self::InFile(file, subject) => write!(f, "{}: {subject}", printable(file)),
        }
    }
}

/// Writes `some` of `count` things, and how many more there are.
fn write_some<T: Display>(f: &mut fmt::Formatter<'_>, some: &[T], count: usize) -> fmt::Result {
    f.write_str(&listed(some, some.len()))?;
    let more = count.saturating_sub(some.len());
    if more > 0 { write!(f, " and {more} more") } else { Ok(()) }
}

/// A name as a subject stores it: the middle of a very long one, which is not printed, is left out. A file may have a
/// name of many megabytes, and thousands of objects in it.
fn shortened(name: String) -> String {
    const KEPT_CHARACTERS: usize = 200;
    if name.len() <= 2 * KEPT_CHARACTERS || name.chars().nth(2 * KEPT_CHARACTERS).is_none() {
        return name;
    }
    let end = name.char_indices().nth(KEPT_CHARACTERS).map_or(name.len(), |(at, _)| at);
    let begin = name.char_indices().rev().nth(KEPT_CHARACTERS - 1).map_or(0, |(at, _)| at);
    [&name[..end], &name[begin..]].concat()
}

impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_things_are_listed_and_many_counted() {
        assert_eq!((listed(&[7], 3), listed(&[7, 8, 9], 3)), ("7".into(), "7, 8, 9".into()));
        assert_eq!(listed(&["a", "b", "c", "d", "e"], 3), "a, b, c and 2 more");
        assert_eq!(listed::<String>(&[], 3), "");
    }

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

    #[test]
    fn a_subject_is_printed_with_its_whole_and_its_file() {
        let mesh = Subject::named(Kind::Mesh, "face");
        let target = mesh.part(Subject::NumberedAndNamed(Kind::Target, 3, "jawOpen".into()));
        assert_eq!(target.to_string(), "mesh \"face\", target 3 \"jawOpen\"");
        assert_eq!(target.kind(), Some(Kind::Mesh));
        assert!(target.is_in(&mesh) && mesh.is_in(&mesh) && !mesh.is_in(&target));
        assert!(!target.is_in(&Subject::named(Kind::Mesh, "fac")));
        assert_eq!(target.in_file("a.glb").to_string(), "a.glb: mesh \"face\", target 3 \"jawOpen\"");
        assert_eq!(Subject::numbered(Kind::Line, &[4]).to_string(), "line 4");
        assert_eq!(Subject::numbered(Kind::Line, &[4, 5, 6, 7]).to_string(), "lines 4, 5, 6 and 1 more");
        assert_eq!(Subject::All(Kind::Light).to_string(), "lights");
    }
}
