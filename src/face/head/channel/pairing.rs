//! Pairs channels, so that two share a row of the channel list.
//!
//! The two sides of one movement are paired first, by their words or in any dialect, then opposites, then known pairs
//! of ARKit's channels, then the other channels of each region, two by two.

use std::collections::HashMap;
use std::ops::Range;

use super::dialects::{self, Movement};
use super::{Channel, Pair, PairKind, Region, lowercase_words, words};

/// The words for the face's own left and right.
pub(super) const SIDES: [(&str, &str); 2] = [("left", "right"), ("l", "r")];

/// Two directions of one movement. The first is the one that is meant where a name says neither.
pub(super) const OPPOSITES: [(&str, &str); 13] = [
    ("up", "down"),
    ("in", "out"),
    ("open", "close"),
    ("opened", "closed"),
    ("forward", "backward"),
    ("forward", "back"),
    ("raise", "lower"),
    ("wide", "narrow"),
    ("puff", "suck"),
    ("max", "min"),
    ("pos", "neg"),
    ("positive", "negative"),
    ("plus", "minus"),
];

/// Parts of the face that exist once and move sideways: left and right are two directions of them, not two sides.
const MIDLINE: [&str; 8] = ["jaw", "mouth", "tongue", "head", "neck", "chin", "look", "gaze"];
/// Words that may accompany these and only say that the part moves.
const MOVES: &str = "move shift slide side sideways turn tilt tip eye eyes ctrl expression expressions";

/// ARKit's channels without a side that are shown side by side, in lower case.
const NEIGHBOURS: [(&str, &str); 5] = [
    ("jawopen", "jawforward"),
    ("mouthpucker", "mouthfunnel"),
    ("mouthrollupper", "mouthrolllower"),
    ("mouthshrugupper", "mouthshruglower"),
    ("mouthclose", "tongueout"),
];

/// Puts every channel into exactly one pair, sorted by region, then by order of first appearance.
pub(super) fn pair_up(channels: &[Channel]) -> Vec<Pair> {
    let mut pairing = Pairing {
        channels,
        by_name: channels.iter().enumerate().map(|(index, channel)| (channel.full_name.as_str(), index)).collect(),
        is_paired: vec![false; channels.len()],
        pairs: Vec::new(),
    };
    pairing.pair_by_word(&SIDES);
    pairing.pair_by_movement();
    pairing.pair_by_word(&OPPOSITES);
    pairing.pair_known_neighbours();
    pairing.pair_rest();
    let mut pairs = pairing.pairs;
    pairs.sort_by_key(|pair| (pair.region, pair.second.map_or(pair.first, |second| second.min(pair.first))));
    pairs
}

struct Pairing<'a> {
    channels: &'a [Channel],
    by_name: HashMap<&'a str, usize>,
    is_paired: Vec<bool>,
    pairs: Vec<Pair>,
}

impl Pairing<'_> {
    /// Pairs names that differ in one word, which is the first of `choices` in one and the second in the other.
    fn pair_by_word(&mut self, choices: &[(&str, &str)]) {
        for (index, channel) in self.channels.iter().enumerate() {
            if self.is_paired[index] {
                continue;
            }
            let name = channel.full_name.as_str();
            // From the end, because a side is usually a suffix.
            let found = words(name).into_iter().rev().find_map(|word| {
                let text = &name[word.clone()];
                choices.iter().find_map(|&(first, second)| {
                    // Searched from the first of two channels only: the second is found with it.
                    if !text.eq_ignore_ascii_case(first) {
                        return None;
                    }
                    let partner = format!("{}{}{}", &name[..word.start], in_case_of(text, second), &name[word.end..]);
                    let partner = *self.by_name.get(partner.as_str())?;
                    (!self.is_paired[partner]).then_some((word.clone(), partner))
                })
            });
            if let Some((word, partner)) = found {
                let is_side = SIDES.iter().any(|(left, _)| name[word.clone()].eq_ignore_ascii_case(left));
                let kind = if is_side && !moves_sideways(name, &word) { PairKind::Sides } else { PairKind::Opposites };
                let common = self.common_label(index, &word);
                self.push(index, Some(partner), kind, common);
                if let Some(pair) = self.pairs.last_mut() {
                    pair.is_left_and_right = is_side;
                }
            }
        }
    }

    /// Pairs the two sides of a movement whose names differ otherwise than in one word, such as the two winks of
    /// MikuMikuDance.
    fn pair_by_movement(&mut self) {
        let mut on_right: HashMap<Movement, usize> = HashMap::new();
        let mut on_left: Vec<(Movement, usize)> = Vec::new();
        for (index, channel) in self.channels.iter().enumerate().filter(|(index, _)| !self.is_paired[*index]) {
            let Some(movement) = dialects::meaning_of(&channel.full_name).map(|meaning| meaning.movement) else {
                continue;
            };
            match movement.side {
                Some(0) => on_left.push((movement, index)),
                Some(_) => {
                    on_right.entry(movement).or_insert(index);
                }
                None => {}
            }
        }
        for (movement, left) in on_left {
            if let Some(right) = on_right.remove(&movement.on(Some(1))) {
                self.push(left, Some(right), PairKind::Sides, None);
                if let Some(pair) = self.pairs.last_mut() {
                    pair.is_left_and_right = true;
                }
            }
        }
    }

    /// The displayed name without the word that differs; none if nothing is left.
    fn common_label(&self, index: usize, word: &Range<usize>) -> Option<String> {
        let channel = &self.channels[index];
        // The displayed name is a suffix of the full one.
        let hidden = channel.full_name.len() - channel.name.len();
        let before = channel.full_name.get(hidden..word.start)?.trim_end_matches(|c: char| !c.is_alphanumeric());
        let after = &channel.full_name[word.end..];
        let label = match (before, after.trim_start_matches(|c: char| !c.is_alphanumeric())) {
            (before, "") => before.to_owned(),
            ("", after) => after.to_owned(),
            // Between two words one separator stays: `eye-left-closure` becomes `eye-closure`.
            (before, _) => format!("{before}{after}"),
        };
        (!label.is_empty()).then_some(label)
    }

    fn pair_known_neighbours(&mut self) {
        let mut by_words: HashMap<String, usize> = HashMap::new();
        for (index, channel) in self.channels.iter().enumerate().filter(|(index, _)| !self.is_paired[*index]) {
            by_words.entry(lowercase_words(&channel.name).concat()).or_insert(index);
        }
        for (first, second) in NEIGHBOURS {
            if let (Some(&first), Some(&second)) = (by_words.get(first), by_words.get(second)) {
                self.push(first, Some(second), PairKind::Neighbours, None);
            }
        }
    }

    /// Pairs two by two within a region; then the last ones of neighbouring regions; the others stay alone.
    fn pair_rest(&mut self) {
        let mut waiting: HashMap<Region, usize> = HashMap::new();
        for index in 0..self.channels.len() {
            if self.is_paired[index] {
                continue;
            }
            let region = self.channels[index].region;
            match waiting.remove(&region) {
                Some(first) => self.push(first, Some(index), PairKind::Neighbours, None),
                None => {
                    waiting.insert(region, index);
                }
            }
        }
        let mut alone: Vec<(Region, usize)> = waiting.into_iter().collect();
        alone.sort_unstable();
        let mut rest = &alone[..];
        while let [(region, first), tail @ ..] = rest {
            match tail {
                [(next, second), tail @ ..] if are_neighbours(*region, *next) => {
                    self.push(*first, Some(*second), PairKind::Neighbours, None);
                    rest = tail;
                }
                tail => {
                    self.push(*first, None, PairKind::Neighbours, None);
                    rest = tail;
                }
            }
        }
    }

    fn push(&mut self, first: usize, second: Option<usize>, kind: PairKind, common: Option<String>) {
        let name = &self.channels[first].name;
        let label = common.unwrap_or_else(|| match second {
            Some(second) => format!("{name} / {}", self.channels[second].name),
            None => name.clone(),
        });
        self.is_paired[first] = true;
        if let Some(second) = second {
            self.is_paired[second] = true;
        }
        let region = self.channels[first].region;
        self.pairs.push(Pair { label, first, second, kind, is_left_and_right: false, region });
    }
}

/// Converts `word` to the letter case of `like`: with `Left` to `Right`, with `LEFT` to `RIGHT`, with `l` to `r`.
fn in_case_of(like: &str, word: &str) -> String {
    let mut letters = like.chars();
    let is_capitalized = letters.next().is_some_and(char::is_uppercase);
    if !is_capitalized {
        return word.to_owned();
    }
    if word.len() == 1 || letters.next().is_some_and(char::is_uppercase) {
        return word.to_uppercase();
    }
    word[..1].to_uppercase() + &word[1..]
}

/// Whether a name, without its side, only means that a part in the middle of the face moves.
fn moves_sideways(name: &str, side: &Range<usize>) -> bool {
    let others: Vec<String> =
        words(name).into_iter().filter(|word| word != side).map(|word| name[word].to_lowercase()).collect();
    only_moves_sideways(&others) || dialects::moves_sideways(name)
}

/// Whether the words of a name without its side, in lower case, only mean that a part in the middle of the face moves.
pub(super) fn only_moves_sideways(words: &[String]) -> bool {
    words.iter().any(|word| MIDLINE.contains(&word.as_str()))
        && words.iter().all(|word| MIDLINE.contains(&word.as_str()) || MOVES.split_whitespace().any(|it| it == word))
}

/// Whether two regions are so close that their last channels can share a row.
fn are_neighbours(a: Region, b: Region) -> bool {
    let [a, b] = [a, b].map(|region| match region {
        Region::Brows | Region::Eyes => Some(0),
        Region::Cheeks | Region::Nose => Some(1),
        Region::Mouth | Region::Jaw | Region::Tongue => Some(2),
        Region::Expressions | Region::Other | Region::Group(_) => None,
    });
    a.is_some() && a == b
}
