//! Matching names across tools: `EyeBlinkLeft`, `eyeBlink_L` and `blendShapes.EyeBlinkLeft` mean the same movement.

use std::collections::{BTreeMap, HashMap};

use super::dialects::{self, Meaning, Movement};
use super::opposites::goes_backwards;
use super::pairing::{SIDES, only_moves_sideways};
use super::{Channel, Expression, Opposites, Preset, Region, lowercase_words};

/// Words that some rigs put in front of every name. `ARKit` has two.
const PREFIX_WORDS: [&str; 5] = ["ctrl", "expressions", "ar", "kit", "bs"];

/// The form of a name in which two names that mean the same movement are equal: in lower case, without separators,
/// without the prefix up to the last `.` or `:`, and with the side, in whatever way and place it was written, as `_l`
/// or `_r` at the end. Empty if the name has no letters or digits.
pub fn canonical_name(name: &str) -> String {
    NameParts::new(name).canonical()
}

/// A name split into words and a side.
pub(super) struct NameParts {
    pub words: Vec<String>,
    /// 0 for the face's own left, 1 for its right.
    pub side: Option<usize>,
}

impl NameParts {
    pub(super) fn new(name: &str) -> Self {
        let mut words = lowercase_words(without_prefix(name));
        while words.len() > 1 && PREFIX_WORDS.contains(&words[0].as_str()) {
            words.remove(0);
        }
        Self::from_words(words)
    }

    pub(super) fn with_prefix(name: &str) -> Self {
        Self::from_words(lowercase_words(name))
    }

    fn from_words(mut words: Vec<String>) -> Self {
        without_zeros_of_action_units(&mut words);
        // The search begins at the end, because a side is usually a suffix. A name of one word is not split, even if it
        // is a side.
        let at = if words.len() > 1 { words.iter().rposition(|word| side_of(word).is_some()) } else { None };
        let side = at.and_then(|at| side_of(&words.remove(at)));
        Self { words, side }
    }

    fn canonical(&self) -> String {
        self.with_side(self.side)
    }

    pub(super) fn text(&self) -> String {
        self.words.concat()
    }

    fn with_side(&self, side: Option<usize>) -> String {
        let mut text = String::new();
        for word in &self.words {
            // Keeps `shape1_1` different from `shape11`.
            let ends_in_digit = text.ends_with(|c: char| c.is_numeric());
            if ends_in_digit && word.starts_with(|c: char| c.is_numeric()) {
                text.push('_');
            }
            text.push_str(word);
        }
        if !text.is_empty() {
            text.push_str(side.map_or("", |side| ["_l", "_r"][side]));
        }
        text
    }
}

/// The side of the movement that a name means: 0 for the face's own left, 1 for its right.
pub fn side_in_name(name: &str) -> Option<usize> {
    NameParts::new(name).side.or_else(|| dialects::meaning_of(name)?.movement.side)
}

/// Whether a name is that of a part of a movement which is no side, such as `LipFunnelerLB`.
pub fn is_part_in_name(name: &str) -> bool {
    dialects::meaning_of(name).is_some_and(|meaning| meaning.is_part)
}

/// Whether a name is that of a movement which several others show together, such as `AU25`: a row of the table of
/// dialects that is named after an action unit.
pub fn is_compound_in_name(name: &str) -> bool {
    dialects::movement_named(name).is_some_and(|movement| movement.starts_with("AU"))
}

/// 0 for a word that means left, 1 for one that means right.
pub(crate) fn side_of(word: &str) -> Option<usize> {
    SIDES.iter().find_map(|&(left, right)| [left, right].iter().position(|side| *side == word))
}

/// The name after its last `.` or `:` that is followed by more than a side or a number: `smile.L` and `smile.001` stay
/// whole.
fn without_prefix(name: &str) -> &str {
    let rests = name.char_indices().rev().filter(|(_, c)| matches!(c, '.' | ':')).map(|(at, _)| &name[at + 1..]);
    rests.into_iter().find(|rest| lowercase_words(rest).iter().any(|word| says_something(word))).unwrap_or(name)
}

/// Action units are `AU1` and `AU01` alike, and those of one side `AU12L`, `AUL12` and `AU_L12`.
fn without_zeros_of_action_units(words: &mut Vec<String>) {
    let Some(at) = words.iter().position(|word| matches!(word.as_str(), "au" | "aul" | "aur")) else { return };
    if let Some(side) = words[at].strip_prefix("au").filter(|side| !side.is_empty()) {
        let side = side.to_owned();
        words[at].truncate(2);
        words.push(side);
    }
    if let Some(number) = words.get_mut(at + 1).filter(|word| is_number(word) && word.len() > 1) {
        let zeros = number.len() - number.trim_start_matches('0').len();
        number.drain(..zeros);
    }
}

fn is_number(word: &str) -> bool {
    word.chars().all(char::is_numeric)
}

/// Whether a word is neither a side nor a number.
fn says_something(word: &str) -> bool {
    side_of(word).is_none() && !is_number(word)
}

/// Which channel is found first where several have the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    Expression,
    Target,
    /// An expression that moves nothing: exporters list every preset, used or not.
    Idle,
}

impl Rank {
    fn new(expression: Option<&Expression>) -> Self {
        match expression {
            None => Self::Target,
            Some(expression) if !expression.moves() => Self::Idle,
            Some(_) => Self::Expression,
        }
    }
}

/// An index of the names of channels, for exact and for similar names.
#[derive(Debug, Default)]
pub struct ChannelNames {
    full: HashMap<String, usize>,
    exact: HashMap<String, usize>,
    lowercase: HashMap<String, Vec<usize>>,
    canonical: HashMap<String, Vec<usize>>,
    /// By canonical names without the words that the names of all targets have in common.
    own: HashMap<String, Vec<usize>>,
    /// By what names mean in any dialect, with the rank of the names.
    movements: HashMap<Movement, (usize, Vec<usize>)>,
    /// By canonical names of other vocabularies, the channels that the file itself says they mean, with weights.
    mapped: HashMap<String, Vec<(usize, f32)>>,
    /// The same by what these names mean in any dialect.
    mapped_movements: HashMap<Movement, Vec<(usize, f32)>>,
    /// Which channels are two directions of one movement.
    opposites: Opposites,
}

impl ChannelNames {
    /// Indexes all channels of a head; `expressions` returns the expression of a channel. Of two channels of one name
    /// the first is found. By names that are no full names, expressions are found before targets, unless they move
    /// nothing; then after them.
    pub fn new<'a>(channels: &[Channel], expressions: impl Fn(usize) -> Option<&'a Expression>) -> Self {
        let mut names = Self::default();
        for rank in [Rank::Expression, Rank::Target, Rank::Idle] {
            let mut of_rank = Self::default();
            for (index, channel) in channels.iter().enumerate() {
                let expression = expressions(index);
                if Rank::new(expression) == rank {
                    let preset = expression.and_then(|expression| expression.preset).map(Preset::name);
                    of_rank.add(index, channel, preset);
                }
            }
            names.add_missing(of_rank);
        }
        // A name without letters and digits is not similar to any other name.
        names.canonical.remove("");
        names.add_own(channels.iter().enumerate().filter(|(index, _)| expressions(*index).is_none()));
        names.opposites = Opposites::among(channels.iter().map(|channel| channel.full_name.as_str()));
        names
    }

    /// Indexes targets by their names without what all names begin and end with, such as `head__`, a number or `_Mesh`.
    fn add_own<'a>(&mut self, targets: impl Iterator<Item = (usize, &'a Channel)>) {
        let names: Vec<(usize, Vec<String>)> =
            targets.map(|(index, channel)| (index, lowercase_words(&channel.full_name))).collect();
        let words: Vec<&[String]> = names.iter().map(|(_, words)| &words[..]).collect();
        let [before, after] = common_words(&words);
        if before + after == 0 {
            return;
        }
        for (index, words) in &names {
            let own = words[before..words.len() - after].to_vec();
            self.own.entry(NameParts::from_words(own).canonical()).or_default().push(*index);
        }
    }

    /// Adds what a name of another vocabulary means on this head. Of a name in several vocabularies the first counts.
    pub fn add_mapped(&mut self, name: &str, sources: Vec<(usize, f32)>) {
        if sources.is_empty() {
            return;
        }
        if let Some(meaning) = dialects::meaning_of(name) {
            self.mapped_movements.entry(meaning.movement).or_insert_with(|| sources.clone());
        }
        self.mapped.entry(canonical_name(name)).or_insert(sources);
    }

    /// Adds the names that channels had before, with those that they have now, where nothing else has such a name. A
    /// channel may have been renamed several times.
    pub fn add_former(&mut self, names: &BTreeMap<String, String>) {
        for before in names.keys() {
            let mut now = before;
            for _ in 0..names.len() {
                now = names.get(now).filter(|_| !self.exact.contains_key(now)).unwrap_or(now);
            }
            if let Some(&channel) = self.exact.get(now) {
                self.exact.entry(before.clone()).or_insert(channel);
            }
        }
    }

    /// The channels that the file says a name means.
    fn mapped_to(&self, name: &str) -> Option<&[(usize, f32)]> {
        let own = self.mapped.get(&canonical_name(name));
        own.or_else(|| self.mapped_movements.get(&dialects::meaning_of(name)?.movement)).map(Vec::as_slice)
    }

    /// Indexes names that belong to no head.
    pub fn from_names(names: &[String]) -> Self {
        let mut index = Self::default();
        for (at, name) in names.iter().enumerate() {
            let (name, full_name) = (name.clone(), name.clone());
            index.add(at, &Channel { name, full_name, targets: vec![at], region: Region::Other }, None);
        }
        index.canonical.remove("");
        index.opposites = Opposites::among(names.iter().map(String::as_str));
        index
    }

    fn add(&mut self, index: usize, channel: &Channel, preset: Option<&str>) {
        self.full.entry(channel.full_name.clone()).or_insert(index);
        for name in [Some(channel.name.as_str()), Some(&channel.full_name), preset].into_iter().flatten() {
            self.exact.entry(name.to_owned()).or_insert(index);
            push_new(self.lowercase.entry(name.to_lowercase()).or_default(), index);
        }
        for name in [Some(channel.full_name.as_str()), preset].into_iter().flatten() {
            push_new(self.canonical.entry(canonical_name(name)).or_default(), index);
            let Some(Meaning { movement, rank, .. }) = dialects::meaning_of(name) else { continue };
            let (best, channels) = self.movements.entry(movement).or_insert((rank, Vec::new()));
            if rank < *best {
                (*best, *channels) = (rank, Vec::new());
            }
            if rank == *best {
                push_new(channels, index);
            }
        }
    }

    /// Adds names that are not there yet.
    fn add_missing(&mut self, mut others: Self) {
        others.full.extend(self.full.drain());
        others.exact.extend(self.exact.drain());
        others.lowercase.extend(self.lowercase.drain());
        others.canonical.extend(self.canonical.drain());
        others.movements.extend(self.movements.drain());
        *self = others;
    }

    /// The channel of that name: of that full name, else an exact match, else one that ignores case.
    pub fn named(&self, name: &str) -> Option<usize> {
        let named = self.full.get(name).or_else(|| self.exact.get(name));
        named.or_else(|| self.lowercase.get(&name.to_lowercase())?.first()).copied()
    }

    /// The channels that mean the same as `name`; see [`crate::head::Head::channel_alike`].
    pub fn alike(&self, name: &str) -> Vec<usize> {
        self.in_direction_of(name, self.alike_in_any_direction(name))
    }

    /// The channels that mean the same as `name` but for their direction: they go the other way.
    pub fn opposite(&self, name: &str) -> Vec<usize> {
        let mut all = self.alike_in_any_direction(name);
        let meant = self.in_direction_of(name, all.clone());
        all.retain(|channel| !meant.contains(channel));
        all
    }

    /// Those of the channels that a name reaches which go in its direction. A channel of exactly that name does.
    fn in_direction_of(&self, name: &str, reached: Vec<usize>) -> Vec<usize> {
        if self.named(name).is_some() {
            return reached;
        }
        let meant = reached.iter().filter(|channel| !self.opposites.is_left_out(**channel, name, &reached));
        meant.copied().collect()
    }

    fn alike_in_any_direction(&self, name: &str) -> Vec<usize> {
        let spelled = self.spelled_alike(name);
        if !spelled.is_empty() {
            return spelled;
        }
        if let Some(mapped) = self.mapped_to(name) {
            let is_whole = mapped.iter().all(|(_, weight)| *weight == 1.0);
            return mapped.iter().filter(|_| is_whole).map(|(channel, _)| *channel).collect();
        }
        // The presets of VRM have other names in VRM 0; those of VRM 1 are in the index.
        let preset = Preset::named_in_vrm0(name).map(Preset::name).filter(|preset| *preset != name);
        if let Some(preset) = preset {
            return self.alike_in_any_direction(preset);
        }
        dialects::meaning_of(name).map(|meaning| self.moving(meaning.movement)).unwrap_or_default()
    }

    /// The channels with the words of `name`, in any spelling and whatever their side, but of no other dialect.
    pub fn spelled_alike(&self, name: &str) -> Vec<usize> {
        if let Some(&channel) = self.exact.get(name) {
            return vec![channel];
        }
        if let Some(same) = self.lowercase.get(&name.to_lowercase()) {
            return same.clone();
        }
        let parts = NameParts::new(name);
        let same = self.with_words(&parts, parts.side);
        // The left of `jawLeft` is a direction, not a side: it is not the left half of `jaw`.
        if !same.is_empty() || only_moves_sideways(&parts.words) {
            return same.to_vec();
        }
        match parts.side {
            Some(_) => self.with_words(&parts, None).to_vec(),
            None => [0, 1].map(|side| self.with_words(&parts, Some(side))).concat(),
        }
    }

    fn with_words(&self, parts: &NameParts, side: Option<usize>) -> &[usize] {
        let name = parts.with_side(side);
        self.canonical.get(&name).or_else(|| self.own.get(&name)).map_or(&[], Vec::as_slice)
    }

    /// The channels of the movements that are most like that of a name, with their weights, for a head that has no
    /// channel like it.
    pub fn nearest(&self, name: &str) -> Vec<(usize, f32)> {
        if let Some(mapped) = self.mapped_to(name) {
            return mapped.to_vec();
        }
        let meaning = dialects::meaning_of(name).filter(|_| !goes_backwards(name));
        let movements = meaning.into_iter().flat_map(|meaning| meaning.movement.nearest());
        let mut nearest: Vec<(usize, f32)> = Vec::new();
        for alternatives in movements {
            let mut reached = alternatives
                .into_iter()
                .map(|(movement, weight)| (self.in_direction_of(movement.name(), self.moving(movement)), weight));
            let Some((channels, weight)) = reached.find(|(channels, _)| !channels.is_empty()) else { continue };
            for channel in channels {
                if nearest.iter().all(|&(other, _)| other != channel) {
                    nearest.push((channel, weight));
                }
            }
        }
        nearest
    }

    /// The channels whose names are spelled most like a name, the nearest first: at most three, and none that has
    /// little in common.
    pub fn spelled_nearly(&self, name: &str) -> Vec<usize> {
        const FEWEST_IN_COMMON: f64 = 0.4;
        let name = canonical_name(name);
        let near = self.canonical.iter().chain(&self.own).filter_map(|(other, channels)| {
            Some((strsim::normalized_damerau_levenshtein(&name, other), *channels.first()?))
        });
        let mut near: Vec<(f64, usize)> = near.collect();
        near.retain(|(likeness, _)| *likeness >= FEWEST_IN_COMMON);
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut channels: Vec<usize> = Vec::new();
        for (_, channel) in near {
            if !channels.contains(&channel) {
                channels.push(channel);
            }
        }
        channels.truncate(3);
        channels
    }

    /// The channels of a movement: of its side, else of the whole; of a whole, else of both sides.
    fn moving(&self, movement: Movement) -> Vec<usize> {
        match (self.moving_exactly(movement), movement.side) {
            ([], Some(_)) => self.moving_exactly(movement.on(None)).to_vec(),
            ([], None) => [0, 1].map(|side| self.moving_exactly(movement.on(Some(side)))).concat(),
            (channels, _) => channels.to_vec(),
        }
    }

    fn moving_exactly(&self, movement: Movement) -> &[usize] {
        self.movements.get(&movement).map_or(&[], |(_, channels)| channels)
    }
}

fn push_new(list: &mut Vec<usize>, index: usize) {
    if list.last() != Some(&index) {
        list.push(index);
    }
}

/// How many words at the beginning and at the end all names have in common: the same word, or a number. Each name keeps
/// a word that is no side.
fn common_words(names: &[&[String]]) -> [usize; 2] {
    /// Fewer names have words in common by chance.
    const FEWEST: usize = 3;
    /// More words in front of or behind a name are its own.
    const MOST: usize = 8;
    if names.len() < FEWEST {
        return [0, 0];
    }
    let (mut before, mut after) = (0, 0);
    while before < MOST
        && are_common(names.iter().map(|words| words.get(before)))
        && all_keep_a_word(names, before + 1, after)
    {
        before += 1;
    }
    while after < MOST
        && are_common(names.iter().map(|words| words.iter().nth_back(after)))
        && all_keep_a_word(names, before, after + 1)
    {
        after += 1;
    }
    [before, after]
}

/// Whether words are all the same, or all numbers, and no side.
fn are_common<'w>(mut words: impl Iterator<Item = Option<&'w String>>) -> bool {
    let Some(Some(first)) = words.next() else { return false };
    side_of(first).is_none()
        && words.all(|word| word.is_some_and(|word| word == first || (is_number(word) && is_number(first))))
}

/// Whether every name has a word that is no side and no number besides so many words before and after.
fn all_keep_a_word(names: &[&[String]], before: usize, after: usize) -> bool {
    names.iter().all(|words| {
        words.len() > before + after && words[before..words.len() - after].iter().any(|word| says_something(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Bind;

    #[test]
    fn one_movement_has_one_name_in_every_naming_scheme() {
        for (canonical, names) in [
            (
                "eyeblink_l",
                &[
                    "EyeBlinkLeft",
                    "eyeBlink_L",
                    "eyeBlinkL",
                    "blendShapes.EyeBlinkLeft",
                    "rig:head|bs.EyeBlink.L",
                    "L_eyeBlink",
                    "left_eye_blink",
                    "EYE_BLINK_LEFT",
                    "CTRL_expressions_eyeBlinkL",
                ][..],
            ),
            ("mouthlowerdown_r", &["MouthLowerDownRight", "mouthLowerDown_R"]),
            ("smile_l", &["smile.L", "face.smile.L"]),
            ("jawopen", &["JawOpen", "jaw_open", "jawOpen"]),
            ("shape1_1", &["shape1_1"]),
            ("shape11", &["shape11"]),
            ("left", &["Left"]),
            ("", &["", "---", "."]),
        ] {
            for name in names {
                assert_eq!(canonical_name(name), canonical, "{name}");
            }
        }
    }

    fn alike<'a>(channels: &[&'a str], name: &str) -> Vec<&'a str> {
        let channel = |name: &&str| Channel {
            name: (*name).to_owned(),
            full_name: (*name).to_owned(),
            targets: vec![0],
            region: Region::Other,
        };
        let names = ChannelNames::new(&channels.iter().map(channel).collect::<Vec<_>>(), |_| None);
        names.alike(name).into_iter().map(|index| channels[index]).collect()
    }

    #[test]
    fn the_most_similar_name_wins() {
        assert_eq!(alike(&["Smile_L", "smileLeft", "smile_l"], "smile_l"), ["smile_l"]);
        assert_eq!(alike(&["Smile_L", "smileLeft"], "smile_l"), ["Smile_L"]);
        assert_eq!(alike(&["smile-l", "smileRight"], "SmileLeft"), ["smile-l"]);
        assert_eq!(alike(&["---", "smile"], "..."), [""; 0]);
    }

    #[test]
    fn what_all_names_have_in_common_does_not_count() {
        for head in [
            ["head__browFlare", "head__earPull_L", "head__earPull_R"],
            ["browFlare_Mesh", "earPull_L_Mesh", "earPull_R_Mesh"],
            ["A01_Brow_Flare", "A02_Ear_Pull_L", "A15_Ear_Pull_R"],
            ["browFlare.001", "earPullL.002", "earPullR.001"],
            ["Wolf3D_Head_browFlare", "Wolf3D_Head_earPullLeft", "Wolf3D_Head_earPullRight"],
        ] {
            assert_eq!(alike(&head, "BrowFlare"), head[..1]);
            assert_eq!(alike(&head, "earPull_R"), head[2..]);
            assert_eq!(alike(&head, "earPull"), head[1..]);
            assert_eq!(alike(&head, head[0]), head[..1]);
        }
        assert_eq!(alike(&["brow_x_L", "brow_y_L", "brow_z_L"], "x_R"), [""; 0], "a side is no word in common");
        assert_eq!(alike(&["shape1", "shape2", "shape3"], "2"), [""; 0], "a number alone is no name");
    }

    #[test]
    fn a_name_of_another_dialect_is_found_unless_the_head_has_a_better_one() {
        assert_eq!(
            alike(&["CTRL_expressions_mouthCornerPullL", "AU12_R"], "mouthSmileLeft"),
            ["CTRL_expressions_mouthCornerPullL"]
        );
        assert_eq!(alike(&["CTRL_expressions_mouthCornerPullL", "AU12_R"], "MouthSmile_R"), ["AU12_R"]);
        assert_eq!(alike(&["mouthSmile_old", "AU12"], "mouthSmileLeft"), ["AU12"], "words around a name come last");
        assert_eq!(
            alike(&["mouthLipsPurseUL", "mouthLipsPurseDR", "LipPucker"], "mouthPucker"),
            ["mouthLipsPurseUL", "mouthLipsPurseDR"]
        );
        assert_eq!(alike(&["ウィンク", "ウィンク２"], "eyeBlinkLeft"), ["ウィンク２"]);
        assert_eq!(alike(&["mouthSmileLeft"], "CTRL_expressions_mouthCornerPullL"), ["mouthSmileLeft"]);
        assert_eq!(alike(&["mouthPucker"], "mouthLipsPurseUL"), ["mouthPucker"]);
    }

    #[test]
    fn expressions_are_found_before_targets_unless_they_move_nothing() {
        let channel =
            |name: &str, region| Channel { name: name.into(), full_name: name.into(), targets: vec![0], region };
        let channels = [
            channel("joy", Region::Other),
            channel("A", Region::Other),
            channel("Joy", Region::Expressions),
            channel("a", Region::Expressions),
        ];
        let joy = Expression {
            preset: Some(Preset::Happy),
            binds: vec![Bind { target: 0, weight: 1.0 }],
            ..Expression::default()
        };
        let idle = Expression::default();
        let expressions = [None, None, Some(&joy), Some(&idle)];
        let names = ChannelNames::new(&channels, |index| expressions[index]);
        assert_eq!((names.alike("happy"), names.alike("JOY"), names.alike("joy")), (vec![2], vec![2], vec![0]));
        assert_eq!((names.alike("_a_"), names.alike("a")), (vec![1], vec![3]));
    }

    #[test]
    fn the_presets_of_vrm_0_find_those_of_vrm_1() {
        assert_eq!(alike(&["aa", "happy", "blinkLeft"], "A"), ["aa"]);
        assert_eq!(alike(&["aa", "happy", "blinkLeft"], "Joy"), ["happy"]);
        assert_eq!(alike(&["blink", "blinkLeft"], "Blink_L"), ["blinkLeft"]);
        assert_eq!(alike(&["happy"], "Sorrow"), [""; 0]);
    }

    #[test]
    fn names_with_and_without_a_side_find_each_other() {
        assert_eq!(alike(&["browInnerUp_R", "browInnerUp_L"], "BrowInnerUp"), ["browInnerUp_L", "browInnerUp_R"]);
        assert_eq!(alike(&["browInnerUp"], "BrowInnerUpLeft"), ["browInnerUp"]);
        assert_eq!(alike(&["jaw", "jaw_x"], "jawLeft"), [""; 0]);
        assert_eq!(alike(&["mouthLeft", "mouthRight"], "Mouth"), [""; 0]);
    }
}
