//! Channels, the controls that an artist moves: one per target name, over all meshes, and one per expression; and their
//! pairs.

mod action_units;
mod arkit;
mod canonical_name;
mod dialects;
mod expression;
mod from_targets;
mod opposites;
mod pairing;
mod region;

pub use action_units::ACTION_UNITS;
pub use arkit::{ARKIT_NAMES, ARKIT_SHAPES};
pub(super) use canonical_name::side_of;
pub use canonical_name::{ChannelNames, canonical_name, is_compound_in_name, is_part_in_name, side_in_name};
pub use dialects::{Dialect, add_dialects};
pub use expression::{Bind, Expression, Override, Preset};
pub(super) use expression::{Procedure, outputs, resolve};
pub use from_targets::channels_and_pairs;
pub(crate) use opposites::Opposites;
pub use region::Region;

use std::ops::Range;

/// One control: all targets of one name, on every mesh that has it; or an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// The name on the screen: without a prefix that all channels have in common (`blendShape1.`).
    pub name: String,
    /// The name in the file; of an expression [`EXPRESSION_PREFIX`] and its name. Unique.
    pub full_name: String,
    /// The indices of its weights in a mix of motion: those of the targets it drives, or the one of its expression,
    /// which comes after all targets. Never empty.
    pub targets: Vec<usize>,
    /// The region of the face it acts on, guessed from its name.
    pub region: Region,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairKind {
    /// The same movement on the face's own left and right.
    Sides,
    /// Two directions of one movement (jawLeft/jawRight, eyeLookUp/eyeLookDown …).
    Opposites,
    /// Two channels without any relation.
    Neighbours,
}

/// Two channels that belong together, or a last one alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The common part of both names (`eyeBlink`), or both names.
    pub label: String,
    /// Index into [`crate::head::Head::channels`].
    pub first: usize,
    /// Index into [`crate::head::Head::channels`]; none if the channel is alone.
    pub second: Option<usize>,
    pub kind: PairKind,
    /// Whether the names differ in left and right: the two sides of the face, or two directions to its sides.
    pub is_left_and_right: bool,
    pub region: Region,
}

/// The prefix of the full names of expressions, because a target may have the same name.
pub(super) const EXPRESSION_PREFIX: &str = "expression:";

/// The byte ranges of the words of a name: runs of letters or of digits, split where a lower-case letter is followed by
/// a capital.
fn words(name: &str) -> Vec<Range<usize>> {
    let chars: Vec<(usize, char)> = name.char_indices().collect();
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut is_open = false;
    for (at, &(byte, this)) in chars.iter().enumerate() {
        let end = byte + this.len_utf8();
        if !this.is_alphanumeric() {
            is_open = false;
            continue;
        }
        let before = at.checked_sub(1).map(|at| chars[at].1);
        let after = chars.get(at + 1).map(|next| next.1);
        let begins = before.is_none_or(|before| {
            let digit_edge = before.is_numeric() != this.is_numeric();
            let camel_edge = before.is_lowercase() && this.is_uppercase();
            // The last capital of a run belongs to the next word: `CTRLEyes` is `CTRL` and `Eyes`.
            let acronym_edge = before.is_uppercase() && this.is_uppercase() && after.is_some_and(char::is_lowercase);
            digit_edge || camel_edge || acronym_edge
        });
        match words.last_mut() {
            Some(word) if is_open && !begins => word.end = end,
            _ => words.push(byte..end),
        }
        is_open = true;
    }
    words
}

pub(crate) fn lowercase_words(name: &str) -> Vec<String> {
    words(name).into_iter().map(|word| name[word].to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_scheme_are_split() {
        for (name, expected) in [
            ("eyeBlinkLeft", "eye blink left"),
            ("eyeBlink_L", "eye blink l"),
            ("eyeBlinkL", "eye blink l"),
            ("Fcl_EYE_Close_L", "fcl eye close l"),
            ("CTRL_expressions_mouthUpR", "ctrl expressions mouth up r"),
            ("eCTRLEyesClosed", "e ctrl eyes closed"),
            ("eye-left-closure", "eye left closure"),
            ("AU12", "au 12"),
            ("眼を閉じる.L", "眼を閉じる l"),
            ("", ""),
        ] {
            assert_eq!(lowercase_words(name).join(" "), expected, "{name}");
        }
    }
}
