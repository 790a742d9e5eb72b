//! What a search field finds: names that contain all of the typed words, in any script, however they are encoded.

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;

pub struct Search(Vec<String>);

impl Search {
    pub fn new(typed: &str) -> Self {
        Self(folded(typed).split_whitespace().map(str::to_owned).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn finds(&self, text: &str) -> bool {
        if self.is_empty() {
            return true;
        }
        let text = folded(text);
        self.0.iter().all(|word| text.contains(word.as_str()))
    }
}

/// The text in one of the ways in which it can be written: composed, in lower case, full-width letters as ordinary
/// ones, half-width katakana as ordinary ones, and katakana as hiragana.
pub(super) fn folded(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    // Upper case comes first because lower case alone leaves ß apart from SS, and ς from Σ. What that takes apart is
    // composed again.
    let folded = text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).map(hiragana);
    folded.nfkc().collect()
}

fn hiragana(letter: char) -> char {
    match letter {
        'ァ'..='ヶ' => char::from_u32(u32::from(letter) - 0x60).unwrap_or(letter),
        other => other,
    }
}

/// Compares names as a reader sorts them: regardless of case, with numbers by their value. Names that are the same to
/// the reader are in the order of their characters, so that the order never depends on where they came from.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    let (folded_a, folded_b) = (folded(a), folded(b));
    let (mut left, mut right) = (folded_a.as_str(), folded_b.as_str());
    while let (Some(x), Some(y)) = (left.chars().next(), right.chars().next()) {
        let (digits_left, digits_right) = (digits(left), digits(right));
        let order = if digits_left > 0 && digits_right > 0 {
            let (number_left, number_right) = (&left[..digits_left], &right[..digits_right]);
            (left, right) = (&left[digits_left..], &right[digits_right..]);
            by_value(number_left, number_right)
        } else {
            (left, right) = (&left[x.len_utf8()..], &right[y.len_utf8()..]);
            x.cmp(&y)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn by_value(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
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

    #[test]
    fn numbers_count_by_their_value_and_case_does_not() {
        let sorted = "1 99999999999999999999999 apfel Shape1 shape02 shape2 Shape10 Äpfel 笑い９ 笑い10";
        let mut names: Vec<&str> = sorted.split(' ').rev().collect();
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(names.join(" "), sorted);
    }
}
