//! Text that is written from right to left, in the order in which egui draws it.
//!
//! egui shapes each stretch of text that one font draws, which joins Arabic letters and puts them from right to left;
//! but it puts the stretches themselves from left to right. So the order of the words is made here, by the Unicode
//! Bidirectional Algorithm, while the letters of each word stay in the order in which they are written.

use std::borrow::Cow;

use unicode_bidi::BidiInfo;

/// A text in the order in which egui draws it. Only for text that is drawn and not edited: terminals and the system
/// order text by themselves.
pub fn in_drawing_order(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_right_to_left) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.split('\n').map(line_in_drawing_order).collect::<Vec<_>>().join("\n"))
}

fn line_in_drawing_order(text: &str) -> String {
    let bidi = BidiInfo::new(text, None);
    let Some(paragraph) = bidi.paragraphs.first() else { return text.to_owned() };
    let (levels, runs) = bidi.visual_runs(paragraph, paragraph.range.clone());
    let mut drawn = String::with_capacity(text.len() + 16);
    for run in runs {
        if !levels[run.start].is_rtl() {
            drawn.push_str(&text[run]);
            continue;
        }
        for word in words(&text[run]).into_iter().rev() {
            match word.chars().next() {
                Some(letter) if is_right_to_left(letter) => {
                    // egui must not shape the word together with digits of the same font, which would be reversed too.
                    drawn.push(WORD_JOINER);
                    drawn.push_str(word);
                    drawn.push(WORD_JOINER);
                }
                _ => drawn.extend(word.chars().map(mirrored)),
            }
        }
    }
    drawn
}

/// A character without width that no right-to-left font draws.
const WORD_JOINER: char = '\u{2060}';

/// The text in stretches that are shaped as one, and single characters between them.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut start = 0;
    let mut in_word = false;
    for (at, letter) in text.char_indices() {
        let continues = in_word && (is_right_to_left(letter) || is_joiner_or_mark(letter));
        if at > start && !continues {
            words.push(&text[start..at]);
            start = at;
        }
        in_word = continues || is_right_to_left(letter);
    }
    words.push(&text[start..]);
    words
}

/// Whether it is a letter of Hebrew, Arabic, Syriac, N'Ko or another script from right to left.
fn is_right_to_left(letter: char) -> bool {
    use unicode_bidi::BidiClass::{AL, R};
    letter >= '\u{590}' && matches!(unicode_bidi::bidi_class(letter), R | AL)
}

fn is_joiner_or_mark(letter: char) -> bool {
    matches!(letter, '\u{200c}' | '\u{200d}') || unicode_bidi::bidi_class(letter) == unicode_bidi::BidiClass::NSM
}

/// The bracket that opens to the other side.
fn mirrored(letter: char) -> char {
    match letter {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words without the characters that part them.
    fn drawn(text: &str) -> String {
        in_drawing_order(text).replace(WORD_JOINER, "")
    }

    #[test]
    fn text_from_left_to_right_stays() {
        for text in ["jawOpen", "口を開ける", "ยิ้ม (1)", ""] {
            assert!(matches!(in_drawing_order(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn words_from_right_to_left_are_in_drawing_order_and_keep_their_letters() {
        assert_eq!(drawn("ابتسامة"), "ابتسامة", "egui reverses and joins the letters of a word");
        assert_eq!(drawn("ابتسامة عريضة"), "عريضة ابتسامة");
        assert_eq!(drawn("חיוך 12 שמאל"), "שמאל 12 חיוך", "digits stay from left to right");
        assert_eq!(drawn("חיוך (שמאל)"), "(שמאל) חיוך", "brackets are mirrored");
        assert_eq!(drawn("smile חיוך left"), "smile חיוך left", "the first word decides where the text begins");
        assert_eq!(drawn("می\u{200c}خواهم"), "می\u{200c}خواهم");
        assert_eq!(drawn("فَم"), "فَم", "marks stay with their letter");
        assert_eq!(drawn("Opening\nحيوان كبير"), "Opening\nكبير حيوان", "line by line");
    }
}
