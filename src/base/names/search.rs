//! What a search field finds: names that contain all of the typed words, in any script, however they are encoded.

use unicode_normalization::UnicodeNormalization;

/// The words that were typed.
pub struct Search(Vec<String>);

impl Search {
    /// A search for what was typed.
    pub fn new(typed: &str) -> Self {
        Self(folded(typed).split_whitespace().map(str::to_owned).collect())
    }

    /// Whether nothing was typed, so that everything is found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a text contains every word.
    pub fn finds(&self, text: &str) -> bool {
        if self.is_empty() {
            return true;
        }
        let text = folded(text);
        self.0.iter().all(|word| text.contains(word.as_str()))
    }
}

/// The text in one of the ways in which it can be written: composed, in lower case, full-width letters as ordinary ones,
/// half-width katakana as ordinary ones, and katakana as hiragana.
pub(super) fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Upper case comes first because lower case alone leaves ß apart from SS, and ς from Σ. What that takes apart is composed again.
    let folded = text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).map(hiragana);
    folded.nfkc().collect()
}

fn hiragana(letter: char) -> char {
    match letter {
        'ァ'..='ヶ' => char::from_u32(u32::from(letter) - 0x60).unwrap_or(letter),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        for (typed, name) in [
            ("JAW", "jawOpen"),
            ("ｊａｗ", "jawOpen"),
            ("jaw", "ｊａｗＯｐｅｎ"),
            ("open jaw", "jawOpen"),
            ("Lächeln", "La\u{308}cheln"),
            ("la\u{308}ch", "LÄCHELN"),
            ("strasse", "Straße"),
            ("σ", "ΣΑΣ"),
            ("улы", "УЛЫБКА"),
            ("開け", "口を開ける"),
            ("くち", "クチ"),
            ("ｸﾁ", "くち"),
            ("미소", "미소"),
            ("تسا", "ابتسامة"),
            ("มย", "รอยมยิ้ม"),
            ("😀", "face😀"),
            ("", "anything"),
        ] {
            assert!(Search::new(typed).finds(name), "{typed:?} does not find {name:?}");
        }
        assert!(!Search::new("jaw left").finds("jawOpen") && !Search::new("口").finds("目"));
    }
}
