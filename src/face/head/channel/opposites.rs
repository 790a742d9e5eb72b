//! Names of the two directions of one movement, such as `eyeClosed_max` and `eyeClosed_min`: what means the movement
//! reaches only one of them.

use std::collections::HashMap;

use super::pairing::OPPOSITES;
use super::{dialects, lowercase_words, words};

/// Words for the direction that takes a movement back, whatever it is. Their opposites only say that it is the
/// movement.
const BACKWARDS: [&str; 4] = ["min", "neg", "negative", "minus"];

/// The direction in which a movement goes, by a word of its name.
const DIRECTIONS: [(&str, &[&str]); 8] = [
    ("up", &["smile", "raise", "raiser", "sneer", "shrug", "upper", "happy"]),
    ("down", &["blink", "drop", "frown", "depress", "depressor", "lower", "open", "sad", "squint"]),
    ("close", &["blink", "press", "squint", "closed", "closure"]),
    ("closed", &["blink", "press", "squint", "close", "closure"]),
    ("in", &["roll", "suck", "inside"]),
    ("narrow", &["pucker", "funnel", "squint", "kiss", "press"]),
    ("lower", &["drop", "down", "frown"]),
    ("suck", &["roll"]),
];

/// Which of several names are directions of one movement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Opposites {
    /// The names with a word of [`BACKWARDS`], and whether they [go backwards](goes_backwards).
    backwards: HashMap<usize, bool>,
    /// The names that have the same words but for one, which is the opposite.
    partners: HashMap<usize, Vec<Partner>>,
}

#[derive(Clone, Copy, Debug)]
struct Partner {
    name: usize,
    /// The words or signs of this name and of the other.
    directions: [&'static str; 2],
}

/// The two signs behind a name.
const SIGNS: [&str; 2] = ["+", "-"];

impl Opposites {
    pub(crate) fn among<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        let (mut found, names) = (Self::default(), names.collect::<Vec<_>>());
        // By the name without the word or sign, and the two that may stand there.
        let mut halves: HashMap<(String, [&str; 2]), [Option<usize>; 2]> = HashMap::new();
        for (index, name) in names.iter().enumerate() {
            if has_word_of_way_back(name) {
                found.backwards.insert(index, goes_backwards(name));
            }
            for (rest, directions, side) in directions_in(name) {
                halves.entry((rest, directions)).or_default()[side].get_or_insert(index);
            }
        }
        for ((_, [first, second]), places) in halves {
            let [Some(of_first), Some(of_second)] = places else { continue };
            // Such as the upper and the lower half of the lips, which move together.
            if dialects::are_parts_of_one([of_first, of_second].map(|place| names[place])) {
                continue;
            }
            let directions = [(of_first, of_second, [first, second]), (of_second, of_first, [second, first])];
            for (name, other, directions) in directions {
                found.partners.entry(name).or_default().push(Partner { name: other, directions });
            }
        }
        found
    }

    /// Whether one of several names that `movement` reaches, `others` among them, goes in the direction that it does
    /// not mean.
    pub(crate) fn is_left_out(&self, name: usize, movement: &str, others: &[usize]) -> bool {
        let backwards = self.backwards.get(&name).copied();
        let is_said = backwards.is_some() == has_word_of_way_back(movement);
        if !is_said && backwards.unwrap_or(false) != goes_backwards(movement) {
            return true;
        }
        let partners = self.partners.get(&name).map_or(&[][..], Vec::as_slice);
        let mut reached = partners.iter().filter(|partner| others.contains(&partner.name));
        reached.any(|partner| meant(movement, partner.directions) != partner.directions[0])
    }
}

fn is_word_of_way_back(word: &str) -> bool {
    BACKWARDS.contains(&word)
}

fn has_word_of_way_back(name: &str) -> bool {
    lowercase_words(name).iter().any(|word| is_word_of_way_back(word))
}

/// Whether a name says that a movement is taken back, and is not known to be that of another one.
pub(super) fn goes_backwards(name: &str) -> bool {
    has_word_of_way_back(name) && !dialects::is_named_with(name, is_word_of_way_back)
}

/// The words and signs of a name that have an opposite: the name without it, the word with its opposite, the one that
/// is meant by itself first, and which of these it is.
fn directions_in(name: &str) -> Vec<(String, [&'static str; 2], usize)> {
    let mut found = Vec::new();
    for word in words(name) {
        let text = name[word.clone()].to_lowercase();
        for (first, second) in OPPOSITES {
            let Some(side) = [first, second].iter().position(|direction| *direction == text) else { continue };
            let rest = format!("{}\0{}", name[..word.start].to_lowercase(), name[word.end..].to_lowercase());
            found.push((rest, [first, second], side));
        }
    }
    let trimmed = name.trim_end_matches(is_bracket);
    let side = match trimmed.chars().next_back() {
        Some('+') => Some(0),
        Some('-' | '\u{2212}') => Some(1),
        _ => None,
    };
    let rest = trimmed.trim_end_matches(['+', '-', '\u{2212}']).trim_end_matches(is_bracket);
    found.extend(side.map(|side| (rest.to_lowercase(), SIGNS, side)));
    found
}

fn is_bracket(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']')
}

/// The one of two directions in which a movement goes: the one that its name has, in this dialect or in ours, or that a
/// word of it stands for; else the first of the two as they are listed, such as `up`, `open` and `+`.
fn meant(movement: &str, [own, other]: [&'static str; 2]) -> &'static str {
    let mut words = lowercase_words(movement);
    words.extend(dialects::movement_named(movement).map(lowercase_words).unwrap_or_default());
    let sign = directions_in(movement).into_iter().find(|(_, directions, _)| *directions == SIGNS);
    let is_first = OPPOSITES.contains(&(own, other)) || [own, other] == SIGNS;
    let by_itself = if is_first { own } else { other };
    // In the order of the table, so that both names of a pair get the same answer.
    let both = if is_first { [own, other] } else { [other, own] };
    let said = both.iter().find(|direction| {
        let has_sign = sign.as_ref().is_some_and(|(_, signs, side)| signs[*side] == **direction);
        has_sign || words.iter().any(|word| word == *direction)
    });
    let stood_for = both.iter().find(|direction| {
        let known = DIRECTIONS.iter().find(|(of, _)| of == *direction).map_or(&[][..], |(_, words)| words);
        words.iter().any(|word| known.contains(&word.as_str()))
    });
    said.or(stood_for).copied().unwrap_or(by_itself)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached<'n>(movement: &str, names: &[&'n str]) -> Vec<&'n str> {
        let opposites = Opposites::among(names.iter().copied());
        let all: Vec<usize> = (0..names.len()).collect();
        all.iter().filter(|&&name| !opposites.is_left_out(name, movement, &all)).map(|&name| names[name]).collect()
    }

    #[test]
    fn of_two_directions_the_one_that_the_movement_means_is_reached() {
        for (movement, meant, other) in [
            ("eyeSquintLeft", "Expressions_eyeSquintL_max", "Expressions_eyeSquintL_min"),
            ("jawForward", "jawForward_pos", "jawForward_neg"),
            ("jawForward", "jawForward positive", "jawForward negative"),
            ("mouthSmileLeft", "mouthSmileLeft+", "mouthSmileLeft-"),
            ("mouthSmileLeft", "mouthSmileLeft (+)", "mouthSmileLeft (\u{2212})"),
            ("eyeBlinkLeft", "eyeBlink_close_L", "eyeBlink_open_L"),
            ("eyeWideLeft", "eyeWide_open_L", "eyeWide_close_L"),
            ("mouthSmile", "mouthSmileUp", "mouthSmileDown"),
            ("mouthFrown", "MouthFrown_Down", "MouthFrown_Up"),
            ("browDownLeft", "browDown_down", "browDown_up"),
            ("AU12", "AU12_up", "AU12_down"),
            ("cheekPuff", "cheekPuff_puff", "cheekPuff_suck"),
            ("tongueOut", "tongueOut_out", "tongueOut_in"),
            ("unknown", "unknown_up", "unknown_down"),
        ] {
            for names in [[meant, other], [other, meant]] {
                assert_eq!(reached(movement, &names), [meant], "{movement}");
            }
        }
    }

    #[test]
    fn a_name_of_the_other_direction_reaches_that() {
        assert_eq!(reached("eyeBlink_min", &["eyeClosed_max", "eyeClosed_min"]), ["eyeClosed_min"]);
        assert_eq!(reached("mouthSmile-", &["mouthSmile_x+", "mouthSmile_x-"]), ["mouthSmile_x-"]);
        let lips = ["Mouth_Funnel_Up_L", "Mouth_Funnel_Down_L"];
        assert_eq!(reached("mouthFunnel", &lips), lips, "parts of Character Creator's funnel");
        assert_eq!(reached("jawOpen", &["jawOpen_min"]), [""; 0], "the way back alone is not the movement");
    }

    #[test]
    fn names_that_are_no_opposites_are_all_reached() {
        for names in
            [&["smile_L", "smile_R"][..], &["jaw-open", "jaw-"], &["up_a", "down_b"], &["eyeBlink", "eyeBlink2"]]
        {
            assert_eq!(reached("smile", names), names);
        }
    }
}
