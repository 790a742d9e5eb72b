//! The role that the words of a name tell.

use super::Role;
use crate::head::channel::lowercase_words;

/// Words and their roles. The first row that has a word of the name decides: `eyelashes` is a row before `eye`.
const WORDS: [(Role, &[&str]); 8] = [
    (Role::Lash, &["lash", "lashes", "eyelash", "eyelashes", "brow", "brows", "eyebrow", "eyebrows"]),
    (Role::Cornea, &["cornea", "occlusion", "eyeocclusion", "tearline", "tear", "wet", "lacrimal"]),
    (Role::Eye, &["eye", "eyes", "iris", "pupil", "sclera", "eyeball"]),
    (Role::Teeth, &["teeth", "tooth"]),
    (Role::Tongue, &["tongue", "gum", "gums", "mouth"]),
    (Role::Hair, &["hair", "beard", "moustache", "scalp"]),
    (Role::Cloth, &["cloth", "clothes", "shirt", "outfit", "top", "jacket"]),
    (Role::Skin, &["skin", "face", "head", "body", "ear", "ears", "neck"]),
];

/// The role of a material of that name, if its words tell.
pub(super) fn role_of(name: &str) -> Option<Role> {
    let words = lowercase_words(name);
    let of_row =
        |(role, known): &(Role, &[&str])| words.iter().any(|word| known.contains(&word.as_str())).then_some(*role);
    WORDS.iter().find_map(of_row)
}
