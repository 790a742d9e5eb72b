//! Regions of the face, the headings of the channel list.

use strum::Display;

use super::{dialects, lowercase_words};

/// A region of the face, or a numbered group of channels without names. Ordered as in the list: from the top of the
/// face down.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// Not a region: the expressions of a VRM file.
    Expressions,
    /// Brows and forehead.
    Brows,
    /// Eyelids and gaze.
    Eyes,
    Cheeks,
    Nose,
    /// Lips and mouth corners.
    Mouth,
    Jaw,
    Tongue,
    /// A name without a known region.
    Other,
    /// No name: the n-th group of targets, counted from 1.
    #[strum(to_string = "Group {0}")]
    Group(u16),
}

impl Region {
    /// Guesses the region from a name: from a part of the face in it, else from a movement. Recognises ARKit and its
    /// variants, FACS action units, VRoid and VRM, visemes, and movements in any dialect.
    pub fn of_name(name: &str) -> Self {
        match Self::of_words_in(name) {
            Self::Other => dialects::movement_named(name).map_or(Self::Other, Self::of_words_in),
            region => region,
        }
    }

    fn of_words_in(name: &str) -> Self {
        let words = lowercase_words(name);
        if let Some(region) = words
            .iter()
            .zip(words.iter().skip(1))
            .find_map(|(word, next)| (word == "au").then(|| next.parse().ok().and_then(Self::of_action_unit)).flatten())
        {
            return region;
        }
        if are_viseme(&words) {
            return Self::Mouth;
        }
        // Names of tongue shapes often contain the mouth as well.
        if words.iter().any(|word| word.starts_with("tongue")) {
            return Self::Tongue;
        }
        region_by_word(&words, &PARTS).or_else(|| region_by_word(&words, &MOVEMENTS)).unwrap_or(Self::Other)
    }

    /// Whether a name is that of the mouth's shape for a sound of speech.
    pub fn is_viseme(name: &str) -> bool {
        are_viseme(&lowercase_words(name))
    }

    /// The region of a FACS action unit (Ekman, Friesen, Hager 2002).
    fn of_action_unit(number: u16) -> Option<Self> {
        match number {
            1 | 2 | 4 => Some(Self::Brows),
            5 | 7 | 41..=46 | 61..=69 => Some(Self::Eyes),
            6 | 11 | 33..=35 => Some(Self::Cheeks),
            9 | 38 | 39 => Some(Self::Nose),
            8 | 10 | 12..=18 | 20 | 22..=25 | 28 | 32 | 37 => Some(Self::Mouth),
            26 | 27 | 29..=31 => Some(Self::Jaw),
            19 | 36 => Some(Self::Tongue),
            _ => None,
        }
    }
}

fn are_viseme(words: &[String]) -> bool {
    matches!(words.first().map(String::as_str), Some("viseme" | "phoneme" | "vrc" | "v"))
        || matches!(words, [only] if VOWELS.contains(&only.as_str()))
}

/// The region of the first word that begins as an entry of a table does.
fn region_by_word(words: &[String], table: &[(&str, Region)]) -> Option<Region> {
    words.iter().find_map(|word| table.iter().find(|(start, _)| word.starts_with(start)).map(|entry| entry.1))
}

/// Complete names of VRM's mouth shapes.
const VOWELS: [&str; 10] = ["a", "i", "u", "e", "o", "aa", "ih", "ou", "ee", "oh"];

/// The starts of words for parts of the face; `eyebrow` comes before `eye`.
const PARTS: [(&str, Region); 19] = [
    ("eyebrow", Region::Brows),
    ("brow", Region::Brows),
    ("brw", Region::Brows),
    ("forehead", Region::Brows),
    ("eye", Region::Eyes),
    ("lid", Region::Eyes),
    ("lash", Region::Eyes),
    ("pupil", Region::Eyes),
    ("iris", Region::Eyes),
    ("cheek", Region::Cheeks),
    ("nose", Region::Nose),
    ("nostril", Region::Nose),
    ("mouth", Region::Mouth),
    ("mth", Region::Mouth),
    ("lip", Region::Mouth),
    ("teeth", Region::Mouth),
    ("jaw", Region::Jaw),
    ("chin", Region::Jaw),
    ("mandible", Region::Jaw),
];

/// The starts of words for movements of one part of the face.
const MOVEMENTS: [(&str, Region); 12] = [
    ("blink", Region::Eyes),
    ("wink", Region::Eyes),
    ("squint", Region::Eyes),
    ("look", Region::Eyes),
    ("gaze", Region::Eyes),
    ("puff", Region::Cheeks),
    ("sneer", Region::Nose),
    ("smile", Region::Mouth),
    ("pucker", Region::Mouth),
    ("funnel", Region::Mouth),
    ("kiss", Region::Mouth),
    ("dimple", Region::Mouth),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_scheme_have_their_region() {
        for (region, names) in [
            (Region::Brows, &["browInnerUp", "eyebrows-left-down", "Fcl_BRW_Angry", "AU4", "au_2_l"][..]),
            (
                Region::Eyes,
                &["eyeBlink_L", "eyesClosed", "Fcl_EYE_Close", "Blink", "LookUp", "AU45", "upperLidRaise_R"],
            ),
            (Region::Cheeks, &["cheekSquintLeft", "AU6", "puff_L"]),
            (Region::Nose, &["noseSneerRight", "nose-left-dilatation", "AU9"]),
            (Region::Mouth, &["mouthClose", "viseme_PP", "A", "oh", "Fcl_MTH_A", "AU12_lipCornerPuller", "SMILE"]),
            (Region::Jaw, &["jawOpen", "jaw_l", "AU26", "CTRL_expressions_jawOpen"]),
            (Region::Eyes, &["まばたき", "ウィンク２右"]),
            (Region::Mouth, &["にやり", "あ"]),
            (Region::Tongue, &["tongueOut", "mouthTongueUp"]),
            (Region::Other, &["Fcl_ALL_Angry", "neck-platysma", "Key 1", "AU99", "", "眼"]),
        ] {
            for name in names {
                assert_eq!(Region::of_name(name), region, "{name}");
            }
        }
    }
}
