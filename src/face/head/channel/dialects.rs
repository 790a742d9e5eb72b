//! Movements by their names in the dialects of other programs: the table `dialects.csv`.

use std::collections::{HashMap, HashSet};
use std::sync::{LazyLock, OnceLock};

use strum::VariantArray;

use super::canonical_name::{NameParts, side_of};
use super::lowercase_words;
use super::pairing::only_moves_sideways;
use smirk_base::names::quoted;

/// A movement of the face, such as that of `eyeBlink`, on one side or as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Movement {
    /// The index of its first row in the table.
    row: usize,
    /// 0 for the face's own left, 1 for its right.
    pub side: Option<usize>,
}

impl Movement {
    pub(super) fn on(self, side: Option<usize>) -> Self {
        Self { side, ..self }
    }

    /// Its name in the first column of the table.
    pub(super) fn name(self) -> &'static str {
        &TABLE.movements[self.row]
    }

    /// The movements that are most like it, with their weights, for a head that lacks it: of each list the first that
    /// the head has. Those of a whole movement are on its side.
    pub(super) fn nearest(self) -> impl Iterator<Item = Vec<(Self, f32)>> {
        let own = TABLE.nearest.get(&self).or_else(|| TABLE.nearest.get(&self.on(None)));
        own.into_iter().flatten().map(move |alternatives| {
            let found = alternatives.iter().filter_map(|(name, weight)| {
                let movement = meaning_of(name)?.movement;
                Some((movement.on(movement.side.or(self.side)), *weight))
            });
            found.collect()
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    pub movement: Movement,
    /// Of several names of a movement that a head has, those of the lowest rank count.
    pub rank: usize,
    /// Whether the name is that of a part of the movement which is no side, such as a quarter of the lips.
    pub is_part: bool,
}

/// A dialect in which channels can be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum Dialect {
    Arkit,
    Vrm,
    Metahuman,
    Unified,
}

/// The movements of a MetaHuman that have no sides. All others have, also where those of the table are whole.
const WHOLE_IN_METAHUMAN: [&str; 7] =
    ["jawFwd", "jawLeft", "jawOpen", "jawRight", "mouthLeft", "mouthRight", "tongueOut"];

impl Dialect {
    pub const ALL: &'static [Self] = Self::VARIANTS;

    pub fn label(self) -> &'static str {
        match self {
            Self::Arkit => "ARKit",
            Self::Vrm => "VRM",
            Self::Metahuman => "MetaHuman",
            Self::Unified => "Unified Expressions",
        }
    }

    /// The header of its column in the table.
    fn column(self) -> &'static str {
        match self {
            Self::Arkit => "movement",
            Self::Vrm => "vrm",
            Self::Metahuman => "metahuman",
            Self::Unified => "unified",
        }
    }

    /// The name of the movement that a channel means, with its place in the table; `None` where the dialect has no such
    /// movement, or has it in parts.
    pub fn name_of(self, channel: &str) -> Option<(usize, String)> {
        let Meaning { movement, is_part, .. } = meaning_of(channel)?;
        let (prefix, sides) = match self {
            Self::Arkit | Self::Vrm | Self::Unified => ("", ["Left", "Right"]),
            Self::Metahuman => ("CTRL_expressions_", ["L", "R"]),
        };
        let (name, side) = match (self.name_in_row(movement), movement.side) {
            (Some(name), _) => (name, ""),
            (None, side) => (self.name_in_row(movement.on(None))?, sides[side?]),
        };
        let is_missing = movement.side.is_none() && self == Self::Metahuman && !WHOLE_IN_METAHUMAN.contains(&name);
        let place = 3 * movement.row + movement.side.map_or(0, |side| side + 1);
        (!is_part && !is_missing).then(|| (place, format!("{prefix}{name}{side}")))
    }

    /// The first name of a movement with exactly its side, unless it is one in parts.
    fn name_in_row(self, movement: Movement) -> Option<&'static str> {
        let column = TABLE.columns.iter().position(|column| column == self.column())?;
        let name = TABLE.spelled.get(&movement)?.get(column)?.split('|').next()?;
        (!name.is_empty() && !name.contains('+')).then_some(name)
    }
}

/// Ranks of names that have other words around them come after all others, and the more so the more words are behind
/// them: `eyeClosedPressure_max` is less of a blink than `eyeClosed_max`.
const CONTAINED: usize = 1000;

#[derive(Default)]
struct Dialects {
    /// The movements by the words of their names.
    rows: HashMap<String, usize>,
    /// Their names in the first column, in the order of the rows.
    movements: Vec<String>,
    /// The names, each as its words without the side and its side.
    names: HashMap<(String, Option<usize>), Meaning>,
    /// The names of the nearest movements of those that have any, with their weights; several where the first that a
    /// head has counts.
    nearest: HashMap<Movement, Vec<Vec<(String, f32)>>>,
    /// The headers of the columns that are built in.
    columns: Vec<String>,
    /// The built-in fields of each movement.
    spelled: HashMap<Movement, Vec<String>>,
    most_words: usize,
    words: HashSet<String>,
}

/// The table that every copy of the program has.
const BUILT_IN: &str = include_str!("dialects.csv");

/// The lines that the artist has added.
static ADDED: OnceLock<String> = OnceLock::new();

static TABLE: LazyLock<Dialects> = LazyLock::new(|| {
    let mut table = Dialects::built_in();
    if let Some(added) = ADDED.get() {
        table.add(added);
    }
    table
});

/// Adds lines of the same form to the table: a header, then movements with their nearest ones and their names. These
/// names come before those that are built in. It has to be called once, before any name is compared. Returns what
/// cannot be read, by lines.
pub fn add_dialects(text: String) -> Vec<String> {
    let problems = Dialects::built_in().add(&text);
    let _ = ADDED.set(text);
    problems
}

impl Dialects {
    fn built_in() -> Self {
        let mut table = Self::default();
        let mut lines = lines(BUILT_IN);
        table.columns = lines.next().map_or("", |(_, header)| header).split(',').map(str::to_owned).collect();
        for (_, line) in lines {
            table.read(line, false);
        }
        table
    }

    /// Adds lines of an artist, and returns what is wrong with them. A line with a fault is left out.
    fn add(&mut self, text: &str) -> Vec<String> {
        let mut problems = Vec::new();
        let mut lines = lines(text);
        let header = lines.next();
        if let Some((number, header)) = header.filter(|(_, header)| !header.starts_with("movement,")) {
            problems
                .push(format!("line {number} is {} instead of movement,nearest,…: nothing is read", quoted(header)));
            return problems;
        }
        let columns = header.map_or(0, |(_, header)| header.split(',').count());
        for (number, line) in lines {
            match self.problem_in(line, columns) {
                Some(problem) => problems.push(format!("line {number} {problem}; left out")),
                None => self.read(line, true),
            }
        }
        problems
    }

    /// What is wrong with a line, under a header of so many columns.
    fn problem_in(&self, line: &str, columns: usize) -> Option<String> {
        let mut fields = line.split(',');
        let (movement, nearest) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        if line.split(',').count() > columns {
            Some(format!("has {} fields, the header {columns}", line.split(',').count()))
        } else if NameParts::new(movement).words.is_empty() {
            Some("names no movement".to_owned())
        } else if !nearest.is_empty() && !nearest.split(['+', '|']).all(|term| self.is_known_term(term)) {
            let like = "they are movements that are known, like jawOpen*0.5+mouthPucker";
            Some(format!("has {} as its nearest movements: {like}", quoted(nearest)))
        } else {
            None
        }
    }

    /// Whether a text is a known movement, alone or with a weight.
    fn is_known_term(&self, term: &str) -> bool {
        let (name, weight) = term.split_once('*').unwrap_or((term, "1"));
        let parts = NameParts::new(name);
        [parts.side, None].into_iter().any(|side| self.names.contains_key(&(parts.text(), side)))
            && weight.parse::<f32>().is_ok_and(f32::is_finite)
    }

    /// Adds a line. The names of an artist replace those that are there.
    fn read(&mut self, line: &str, is_added: bool) {
        let mut fields = line.split(',').map(str::trim);
        let movement = fields.next().unwrap_or_default();
        let of_movement = NameParts::new(movement);
        let known = [of_movement.side, None].into_iter().find_map(|side| self.names.get(&(of_movement.text(), side)));
        let known = known.filter(|_| is_added).map(|known| known.movement);
        let own_side = of_movement.side.or(known.and_then(|known| known.side));
        let row = match known {
            Some(known) => known.row,
            None => *self.rows.entry(of_movement.text()).or_insert_with(|| {
                self.movements.push(movement.to_owned());
                self.movements.len() - 1
            }),
        };
        if !is_added {
            let spelled = line.split(',').map(|field| field.trim().to_owned()).collect();
            self.spelled.insert(Movement { row, side: own_side }, spelled);
        }
        let nearest = fields.next().unwrap_or_default().split('+').filter(|term| !term.is_empty());
        let nearest = nearest.map(|alternatives| {
            let terms = alternatives.split('|').map(|term| match term.split_once('*') {
                Some((name, weight)) => (name.to_owned(), weight.parse().unwrap_or(1.0)),
                None => (term.to_owned(), 1.0),
            });
            terms.collect()
        });
        let nearest: Vec<Vec<(String, f32)>> = nearest.collect();
        if !nearest.is_empty() {
            self.nearest.insert(Movement { row, side: own_side }, nearest);
        }
        // The name of a movement that is known stays what it is.
        let own_name = Some(movement).filter(|_| known.is_none());
        let alternatives = own_name.into_iter().chain(fields.flat_map(|field| field.split('|')));
        for (rank, alternative) in alternatives.enumerate() {
            let has_parts = alternative.contains('+');
            for name in alternative.split('+').filter(|name| !name.is_empty()) {
                let parts = NameParts::new(name);
                let is_part = has_parts && parts.side.is_none();
                let side = own_side.or(parts.side);
                let rank = if is_added { 0 } else { rank };
                let meaning = Meaning { movement: Movement { row, side }, rank, is_part };
                self.most_words = self.most_words.max(parts.words.len());
                self.words.extend(parts.words.iter().cloned());
                let key = (parts.text(), parts.side);
                if is_added {
                    self.names.insert(key, meaning);
                } else {
                    self.names.entry(key).or_insert(meaning);
                }
            }
        }
    }
}

/// The lines of a table that are no comments, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

/// What a name means: the whole name, or the longest part of it of at least two words, such as that of `head__jawOpen`
/// or `A25_Jaw_Open`, or else one word with a side behind it at the end of a name that has no other words of a face,
/// such as that of `facs_jnt_JawLeft`. None for a name of which two parts mean something, such as that of a corrective.
pub(super) fn meaning_of(name: &str) -> Option<Meaning> {
    // Daz Studio adds this to the names of half a shape, a MetaHuman has that before those of all.
    let name = name.strip_suffix("_div2").unwrap_or(name);
    let name = name.strip_prefix("CTRL_expressions_").unwrap_or(name);
    let NameParts { words, side } = NameParts::with_prefix(name);
    let (count, most) = (words.len(), TABLE.most_words);
    if let Some(meaning) = (count <= most).then(|| meaning_of_words(&words, side)).flatten() {
        return Some(meaning);
    }
    for length in (2..count.min(most + 1)).rev() {
        for from in (0..=count - length).rev() {
            let Some(meaning) = meaning_of_words(&words[from..from + length], side) else { continue };
            let is_of_two = contains_meaning(&words[..from], side) || contains_meaning(&words[from + length..], side);
            let words_behind = count - from - length;
            let rank = meaning.rank + CONTAINED * (1 + words_behind);
            return (!is_of_two).then_some(Meaning { rank, ..meaning });
        }
    }
    let (last, others) = words.split_last()?;
    let ends_in_side = lowercase_words(name).last().is_some_and(|word| side_of(word).is_some());
    let is_alone = ends_in_side && !others.iter().any(|word| TABLE.words.contains(word));
    // Of a word that is known without a side too, such as a vowel, the side could be anything.
    let meaning = TABLE.names.get(&(last.clone(), side)).filter(|_| is_alone && side.is_some());
    meaning.map(|meaning| Meaning { rank: meaning.rank + CONTAINED, ..*meaning })
}

/// Whether a name means that a part in the middle of the face moves to a side, as `jawLeft` does: its side is a
/// direction.
pub(super) fn moves_sideways(name: &str) -> bool {
    meaning_of(name).is_some_and(|meaning| {
        let parts = NameParts::new(meaning.movement.name());
        parts.side.is_some() && only_moves_sideways(&parts.words)
    })
}

/// The first name in the table of the movement that a name means.
pub(super) fn movement_named(name: &str) -> Option<&'static str> {
    Some(meaning_of(name)?.movement.name())
}

fn meaning_of_words(words: &[String], side: Option<usize>) -> Option<Meaning> {
    let words = words.concat();
    TABLE.names.get(&(words.clone(), side)).copied().or_else(|| {
        // A name without a side stands for both sides.
        let meaning = TABLE.names.get(&(words, None))?;
        Some(Meaning { movement: meaning.movement.on(side.or(meaning.movement.side)), ..*meaning })
    })
}

/// Whether two names are those of different parts of one movement, such as quarters of the lips.
pub(super) fn are_parts_of_one(names: [&str; 2]) -> bool {
    match names.map(meaning_of) {
        [Some(a), Some(b)] => a.is_part && b.is_part && a.movement == b.movement,
        _ => false,
    }
}

/// Whether the name of a movement has a word such as `min` in it: `eyeClosed_min` is that of wide eyes.
pub(super) fn is_named_with(name: &str, is_word: impl Fn(&str) -> bool) -> bool {
    let NameParts { words, side } = NameParts::with_prefix(name);
    let parts = (0..words.len()).flat_map(|from| (from + 1..=words.len()).map(move |to| from..to));
    let mut parts = parts.map(|part| &words[part]).filter(|part| part.iter().any(|word| is_word(word)));
    parts.any(|part| meaning_of_words(part, side).is_some())
}

/// Whether two or more words in a row mean something.
fn contains_meaning(words: &[String], side: Option<usize>) -> bool {
    (0..words.len()).any(|from| {
        let mut ends = from + 2..=words.len().min(from + TABLE.most_words);
        ends.any(|to| meaning_of_words(&words[from..to], side).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::ARKIT_NAMES;

    #[test]
    fn every_line_of_the_table_has_all_columns_and_no_name_means_two_movements() {
        let mut lines = lines(BUILT_IN);
        let columns = lines.next().unwrap().1.split(',').count();
        let mut known: HashMap<(String, Option<usize>), &str> = HashMap::new();
        for (_, line) in lines {
            let fields: Vec<&str> = line.split(',').collect();
            assert_eq!(fields.len(), columns, "{line}");
            let names = [&fields[..1], &fields[2..]].concat();
            for name in names.iter().flat_map(|field| field.split(['|', '+'])).filter(|name| !name.is_empty()) {
                let parts = NameParts::new(name);
                let other = known.insert((parts.text(), parts.side), fields[0]);
                assert!(other.is_none_or(|other| other == fields[0]), "{name} is {other:?} and {}", fields[0]);
            }
        }
    }

    #[test]
    fn channels_are_named_in_a_dialect_with_their_side_and_in_parts_not_at_all() {
        for (channel, vrm, metahuman, unified) in [
            ("EyeBlink_L", Some("blinkLeft"), Some("CTRL_expressions_eyeBlinkL"), Some("EyeClosedLeft")),
            ("eyeLookOutLeft", None, Some("CTRL_expressions_eyeLookLeftL"), Some("EyeLookOutLeft")),
            ("jawLeft", None, Some("CTRL_expressions_jawLeft"), Some("JawLeft")),
            ("Mouth_Smile_R", None, Some("CTRL_expressions_mouthCornerPullR"), Some("MouthSmileRight")),
            ("mouthFunnel", None, None, Some("LipFunnel")),
            ("browInnerUp", None, None, Some("BrowInnerUp")),
            ("aa", Some("aa"), None, None),
            ("wings", None, None, None),
        ] {
            let name = |dialect: Dialect| dialect.name_of(channel).map(|(_, name)| name);
            let names = [Dialect::Vrm, Dialect::Metahuman, Dialect::Unified].map(name);
            assert_eq!(names.each_ref().map(Option::as_deref), [vrm, metahuman, unified], "{channel}");
            // What is named so means the same movement again.
            let again = names.iter().flatten().map(|name| meaning_of(name).map(|it| it.movement));
            let own = meaning_of(channel).map(|it| it.movement);
            assert!(again.into_iter().all(|movement| movement == own), "{channel}: {names:?}");
        }
    }

    #[test]
    fn every_nearest_movement_is_in_the_table_and_has_a_weight() {
        let movement = |name: &str| meaning_of(name).unwrap().movement;
        for (name, weight) in TABLE.nearest.values().flatten().flatten() {
            assert_eq!(meaning_of(name).map(|meaning| meaning.rank), Some(0), "{name}");
            assert!(weight.abs() > 0.0 && weight.abs() <= 1.0, "{name} {weight}");
        }
        let weights = lines(BUILT_IN).flat_map(|(_, row)| row.split(',').nth(1).unwrap_or_default().split(['+', '|']));
        for weight in weights.filter_map(|term| Some(term.split_once('*')?.1)) {
            assert!(weight.parse::<f32>().is_ok(), "{weight}");
        }
        let nearest = |name: &str| movement(name).nearest().flatten().collect::<Vec<_>>();
        let smile = [(movement("mouthFun").on(Some(0)), 0.8), (movement("happy").on(Some(0)), 0.7)];
        assert_eq!(nearest("mouthSmileLeft"), smile);
        assert_eq!(nearest("eyeLookInLeft"), [(movement("lookRight"), 0.5)]);
        assert_eq!(nearest("eyeLookOutLeft"), [(movement("lookLeft"), 0.5)]);
        assert_eq!((nearest("aa"), nearest("tongueOut")), (vec![(movement("jawOpen"), 0.7)], vec![]));
    }

    #[test]
    fn an_artist_adds_names_and_movements_and_every_fault_is_said() {
        let mut table = Dialects::built_in();
        let text = "# mine\nmovement,nearest,mine\n\njawOpen,,Klappe|Mund auf\nAU12,,GrinsenL+GrinsenR\nearWiggle,jawOpen*0.1,Ohren\n\
                    mouthFunnel,,Klappe2,x\n,,nothing\nmouthPucker,jawOpen*much,y\njawForward,,JawOpen\n";
        let problems = table.add(text);
        assert_eq!(problems.len(), 3, "{problems:?}");
        for (problem, words) in
            problems.iter().zip(["line 7 has 4 fields, the header 3", "line 8 names no", "\"jawOpen*much\""])
        {
            assert!(problem.contains(words) && problem.ends_with("left out"), "{problem}");
        }
        let row = |name: &str, side| table.names.get(&(name.to_owned(), side)).map(|meaning| meaning.movement);
        let built_in = |name: &str| meaning_of(name).map(|meaning| meaning.movement);
        assert_eq!(row("klappe", None), built_in("jawOpen"));
        assert_eq!(row("mundauf", None), built_in("jawOpen"));
        assert_eq!(row("grinsen", Some(0)), built_in("mouthSmileLeft"), "by a name of another dialect");
        assert!(row("ohren", None).is_some() && row("ohren", None) == row("earwiggle", None));
        assert_eq!(table.nearest[&row("ohren", None).unwrap()], [[("jawOpen".to_owned(), 0.1)]]);
        assert_eq!(row("jawopen", None), built_in("jawForward"), "a name that is built in can mean something else");
        assert_eq!(Dialects::built_in().add(""), [""; 0]);
        assert!(Dialects::built_in().add("jawOpen,,Klappe\n")[0].contains("instead of movement"));
        for nearest in ["jawOpen*nan", "jawOpen*inf", "jawOpn*0.5", "jawOpen*"] {
            let problems = Dialects::built_in().add(&format!("movement,nearest,mine\nearWiggle,{nearest},x\n"));
            assert!(problems.len() == 1 && problems[0].contains("nearest movements"), "{nearest}: {problems:?}");
        }
        // Names of one side, in any dialect, keep their side.
        let mut table = Dialects::built_in();
        assert_eq!(table.add("movement,nearest,mine\nウィンク２,,Zwinkern\neyeLookLeftL,,Mein\n"), [""; 0]);
        let row = |name: &str, side| table.names.get(&(name.to_owned(), side)).map(|meaning| meaning.movement);
        assert_eq!(row("zwinkern", None), built_in("eyeBlinkLeft"));
        assert_eq!(row("mein", None), built_in("eyeLookOutLeft"));
        assert_eq!(row("eyelookleft", Some(0)), built_in("eyeLookOutLeft"), "what is built in stays");
    }

    #[test]
    fn every_shape_of_arkit_is_in_the_table() {
        let missing = |name: &&str| meaning_of(name).is_none_or(|meaning| meaning.rank != 0);
        let missing: Vec<&str> = ARKIT_NAMES.into_iter().filter(missing).collect();
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn names_of_other_programs_and_with_words_around_them_mean_the_same() {
        for (arkit, names) in [
            (
                "browInnerUp",
                &["A01_Brow_Inner_Up", "CTRL_expressions_browRaiseIn", "AU1", "BrowsU_C", "01_browInnerUp"][..],
            ),
            (
                "eyeBlinkLeft",
                &[
                    "EyeClosedLeft",
                    "Eye_Left_Blink",
                    "AU45_L",
                    "Fcl_EYE_Close_L",
                    "ウィンク２",
                    "blinkLeft",
                    "eye.blink.left",
                ],
            ),
            (
                "eyeBlinkRight",
                &[
                    "ｳｨﾝｸ２右",
                    "A15_Eye_Blink_Right",
                    "head__eyeBlinkRight",
                    "eyeBlinkRight_Mesh",
                    "[ARKit] eyeBlinkRight",
                ],
            ),
            (
                "eyeLookInLeft",
                &["eyeLookRightL", "Eye_L_Look_R", "CTRL_expressions_eyeLookRightL", "Eye_Left_Right", "EyeIn_L"],
            ),
            (
                "jawOpen",
                &[
                    "BS_node.jawOpen",
                    "jawOpen.001",
                    "Wolf3D_Head_jawOpen",
                    "Face/jawOpen",
                    "ARKit_jawOpen",
                    "facs_jawOpen",
                ],
            ),
            (
                "mouthSmileRight",
                &["CTRL_expressions_mouthCornerPullR", "Face_mouthSmileRight", "MouthCornerPullRight", "AU12R"],
            ),
            ("jawLeft", &["facs_jnt_JawLeft", "JawLeft", "Jaw_L", "facs_jnt_jaw_l", "jnt_01_Jaw_Left"]),
            ("mouthRight", &["facs_jnt_MouthRight", "bs_Mouth_R"]),
            ("mouthPucker", &["LipsPucker", "LipPucker", "Mouth_Pout", "AU18"]),
        ] {
            let wanted = meaning_of(arkit).unwrap().movement;
            for name in names {
                assert_eq!(meaning_of(name).map(|meaning| meaning.movement), Some(wanted), "{name}");
            }
        }
        // Names of any length are answered at once.
        let long = "a_1_".repeat(50_000);
        assert_eq!(meaning_of(&long), None);
        let around_a_name = format!("{long}jawOpen_{long}");
        assert_eq!(meaning_of(&around_a_name).map(|it| it.movement), meaning_of("jawOpen").map(|it| it.movement));
        for name in [
            "",
            "puffy",
            "jawOpen_mouthSmileLeft",
            "browDown_eyeBlink_fix",
            "head",
            "L",
            "look",
            "smile_mouth_L",
            "facs_mouth_up_L",
            "Mouth_L_Up",
            "Shape_A_L",
            "eye_jaw_L",
        ] {
            assert_eq!(meaning_of(name), None, "{name}");
        }
    }
}
