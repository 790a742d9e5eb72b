//! Names told alike across tools: `EyeBlinkLeft`, `eyeBlink_L` and `blendShapes.EyeBlinkLeft` are one expression.

use std::collections::HashMap;

use super::Channel;
use super::pairing::{SIDES, only_moves_sideways};
use super::word::lowercase_words;

/// Words that some rigs put before every name.
const PREFIX_WORDS: [&str; 4] = ["ctrl", "expressions", "arkit", "bs"];

/// What two names must share to mean the same expression: no case, no separators, no prefix up to the last `.` or `:`,
/// and the side, however written and wherever it stands, as `_l` or `_r` at the end. Empty if the name says nothing.
pub fn canonical_name(name: &str) -> String {
    Parts::of(name).canonical()
}

/// A name as its expression and its side.
struct Parts {
    words: Vec<String>,
    /// 0 for the face's own left, 1 for its right.
    side: Option<usize>,
}

impl Parts {
    fn of(name: &str) -> Self {
        let mut words = lowercase_words(without_prefix(name));
        while words.len() > 1 && PREFIX_WORDS.contains(&words[0].as_str()) {
            words.remove(0);
        }
        // From the end: a side is more often a suffix. A name that is nothing but a side keeps it.
        let at = if words.len() > 1 { words.iter().rposition(|word| side_of(word).is_some()) } else { None };
        let side = at.and_then(|at| side_of(&words.remove(at)));
        Self { words, side }
    }

    fn canonical(&self) -> String {
        self.with_side(self.side)
    }

    fn with_side(&self, side: Option<usize>) -> String {
        let mut text = String::new();
        for word in &self.words {
            // `shape1_1` is not `shape11`.
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

/// 0 for a word that says left, 1 for one that says right.
pub fn side_of(word: &str) -> Option<usize> {
    SIDES.iter().find_map(|&(left, right)| [left, right].iter().position(|side| *side == word))
}

/// The name behind its last `.` or `:` that leaves more than a side: `smile.L` stays whole.
fn without_prefix(name: &str) -> &str {
    let rests = name.char_indices().rev().filter(|(_, c)| matches!(c, '.' | ':')).map(|(at, _)| &name[at + 1..]);
    rests.into_iter().find(|rest| lowercase_words(rest).iter().any(|word| side_of(word).is_none())).unwrap_or(name)
}

/// Finds channels by name at once, exactly or alike.
#[derive(Debug)]
pub struct ChannelNames {
    exact: HashMap<String, usize>,
    lowercase: HashMap<String, Vec<usize>>,
    canonical: HashMap<String, Vec<usize>>,
}

impl ChannelNames {
    /// Of all channels of a head. Where two share a name, the first has it.
    pub fn new(channels: &[Channel]) -> Self {
        let mut names = Self { exact: HashMap::new(), lowercase: HashMap::new(), canonical: HashMap::new() };
        for (index, channel) in channels.iter().enumerate() {
            for name in [&channel.name, &channel.full_name] {
                names.exact.entry(name.clone()).or_insert(index);
                let same = names.lowercase.entry(name.to_lowercase()).or_default();
                if same.last() != Some(&index) {
                    same.push(index);
                }
            }
            names.canonical.entry(canonical_name(&channel.full_name)).or_default().push(index);
        }
        // A name of signs only is like no other.
        names.canonical.remove("");
        names
    }

    /// The channel of that name: exact first, then ignoring case.
    pub fn named(&self, name: &str) -> Option<usize> {
        let ignoring_case = || self.lowercase.get(&name.to_lowercase())?.first();
        self.exact.get(name).or_else(ignoring_case).copied()
    }

    /// The channels that mean what `name` says; see [`super::Head::channel_alike`].
    pub fn alike(&self, name: &str) -> Vec<usize> {
        if let Some(&channel) = self.exact.get(name) {
            return vec![channel];
        }
        if let Some(same) = self.lowercase.get(&name.to_lowercase()) {
            return same.clone();
        }
        let parts = Parts::of(name);
        let find = |side| self.canonical.get(&parts.with_side(side)).cloned().unwrap_or_default();
        let same = find(parts.side);
        // `jawLeft` is a direction: it is no half of a `jaw`.
        if !same.is_empty() || only_moves_sideways(&parts.words) {
            return same;
        }
        match parts.side {
            Some(_) => find(None),
            None => [find(Some(0)), find(Some(1))].concat(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Region;

    #[test]
    fn one_expression_has_one_name_in_every_dialect() {
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
        let names = ChannelNames::new(&channels.iter().map(channel).collect::<Vec<_>>());
        names.alike(name).into_iter().map(|index| channels[index]).collect()
    }

    #[test]
    fn the_closest_likeness_wins() {
        assert_eq!(alike(&["Smile_L", "smileLeft", "smile_l"], "smile_l"), ["smile_l"]);
        assert_eq!(alike(&["Smile_L", "smileLeft"], "smile_l"), ["Smile_L"]);
        assert_eq!(alike(&["smile-l", "smileRight"], "SmileLeft"), ["smile-l"]);
        assert_eq!(alike(&["---", "smile"], "..."), [""; 0]);
    }

    #[test]
    fn halves_and_wholes_find_each_other() {
        assert_eq!(alike(&["browInnerUp_R", "browInnerUp_L"], "BrowInnerUp"), ["browInnerUp_L", "browInnerUp_R"]);
        assert_eq!(alike(&["browInnerUp"], "BrowInnerUpLeft"), ["browInnerUp"]);
        assert_eq!(alike(&["jaw", "jaw_x"], "jawLeft"), [""; 0]);
        assert_eq!(alike(&["mouthLeft", "mouthRight"], "Mouth"), [""; 0]);
    }
}
