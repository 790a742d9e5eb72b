//! Splits names into words: `eyeBlinkLeft`, `Fcl_EYE_Close_L`, `eye-left-closure`.

use std::ops::Range;

/// The byte ranges of the words of a name: runs of letters or of digits, split where a lower-case letter is followed by a capital.
pub(super) fn words(name: &str) -> Vec<Range<usize>> {
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

/// The words of a name in lower case.
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
