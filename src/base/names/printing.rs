//! A name as it is printed and drawn: without characters that a terminal obeys, that reorder the text around them, or
//! that nobody sees; and of limited length.
//!
//! Line breaks and tabs become spaces. Every other control, format, unassigned or private character becomes its code
//! point, `<U+202E>`, so that two names which differ by one are seen to differ. Kept are joiners where a script or an
//! emoji needs them, variation selectors after what they select a form of, and accents, a few on each letter.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

use unicode_general_category::{GeneralCategory as Category, get_general_category};
use unicode_segmentation::UnicodeSegmentation;

/// The most characters of a name that are shown.
const LONGEST_NAME: usize = 120;
/// The most characters of a name that is quoted within a message.
const LONGEST_QUOTED: usize = 48;
/// The most characters of a path that are shown: a system has longer ones, but hardly any file.
const LONGEST_PATH: usize = 400;
/// The most characters of one remark or error about a file.
const LONGEST_LINE: usize = 600;
/// The most characters of a message on the terminal, in the log or in a notice, which may list many names.
const LONGEST_MESSAGE: usize = 20_000;
/// The most accents that are shown on one letter. Written languages need no more than about six.
const MOST_MARKS: usize = 8;

/// A name as it is shown: hidden characters as their code points, and without its middle if it is longer than 120
/// characters.
pub fn printable(name: &str) -> Cow<'_, str> {
    if name.len() <= LONGEST_NAME && is_plain(name) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(without_middle(name, LONGEST_NAME))
}

/// A path as it is shown, in one line: what a name may not hold is its code point, and the middle of a very long one is
/// left out.
pub fn printable_path(path: &Path) -> String {
    without_middle(&path.to_string_lossy(), LONGEST_PATH)
}

/// A name within a sentence: in quotation marks, and at most 48 characters of it.
pub fn quoted(name: &str) -> String {
    let name = name.replace('"', "\\\"");
    format!("\"{}\"", without_middle(&name, LONGEST_QUOTED))
}

/// A remark or an error as one line of at most 600 characters: names from files and errors of decoders may contain line
/// breaks.
pub fn one_line(text: String) -> String {
    if text.len() <= LONGEST_LINE && is_plain(&text) { text } else { cut(text.trim_end(), LONGEST_LINE) }
}

/// A message for the terminal or the log, as one line.
pub fn printable_message(text: &str) -> Cow<'_, str> {
    let text = text.trim_end();
    if text.len() <= LONGEST_MESSAGE && is_plain(text) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(cut(text, LONGEST_MESSAGE))
}

/// The text with every hidden character as its code point, and with line breaks as spaces.
pub fn without_hidden_characters(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let (mut before, mut marks) = (None, 0);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let sort = Sort::classify(letter);
        if sort == Sort::Mark {
            if before.is_none_or(char::is_whitespace) && marks == 0 {
                // A mark without a letter would be drawn over what stands before the name.
                shown.push('\u{25cc}');
            }
            if marks < MOST_MARKS {
                shown.push(letter);
            }
            marks += 1;
            continue;
        }
        let is_kept = match sort {
            Sort::Visible | Sort::Mark => true,
            Sort::Joiner => joins(before) && letters.peek().is_some_and(|&next| joins(Some(next))),
            Sort::Selector => before.is_some_and(|base| selects(base, letter)),
            Sort::Break | Sort::Hidden => false,
        };
        match (is_kept, sort) {
            (true, _) => shown.push(letter),
            (false, Sort::Break) => shown.push(' '),
            // Writing to a string cannot fail.
            (false, _) => drop(write!(shown, "<U+{:04X}>", u32::from(letter))),
        }
        if sort != Sort::Selector {
            (before, marks) = (Some(letter), 0);
        }
    }
    shown
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Visible,
    /// As a space.
    Break,
    /// An accent on the letter before it.
    Mark,
    /// ZWJ and ZWNJ, between letters of scripts that need them.
    Joiner,
    /// Selects a form of the character before it.
    Selector,
    /// As its code point.
    Hidden,
}

impl Sort {
    fn classify(letter: char) -> Self {
        match letter {
            ' '..='~' => Self::Visible,
            '\t'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => Self::Break,
            '\u{200c}' | '\u{200d}' => Self::Joiner,
            '\u{180b}'..='\u{180d}' | '\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => {
                Self::Selector
            }
            // Letters and marks that have no shape.
            '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}' => Self::Hidden,
            _ => match get_general_category(letter) {
                Category::Control | Category::Format | Category::Unassigned | Category::PrivateUse => Self::Hidden,
                Category::NonspacingMark | Category::EnclosingMark | Category::SpacingMark => Self::Mark,
                _ => Self::Visible,
            },
        }
    }
}

/// Whether a joiner beside this character means something: from Hebrew on, scripts have joined letters; and so have
/// emoji. Between Latin letters it is only invisible.
fn joins(letter: Option<char>) -> bool {
    letter
        .is_some_and(|letter| letter >= '\u{590}' && !letter.is_whitespace() && Sort::classify(letter) != Sort::Hidden)
}

/// Whether a selector has a form to select.
fn selects(base: char, selector: char) -> bool {
    match selector {
        '\u{180b}'..='\u{180f}' => ('\u{1800}'..='\u{18af}').contains(&base),
        '\u{e0100}'..='\u{e01ef}' => base >= '\u{2e80}',
        _ => base >= '\u{1000}' || matches!(base, '#' | '*' | '0'..='9' | '©' | '®'),
    }
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
}

/// The beginning and the end of a name that is too long.
fn without_middle(name: &str, longest: usize) -> String {
    let ends = match (name.char_indices().nth(longest), name.char_indices().nth_back(longest - 1)) {
        // What is between is left out below.
        (Some((head, _)), Some((tail, _))) if tail > head => [&name[..head], &name[tail..]].concat().into(),
        _ => Cow::Borrowed(name),
    };
    elide_middle_until(&without_hidden_characters(&ends), |text| text.chars().count() <= longest)
}

/// The beginning of a text that is too long.
fn cut(text: &str, longest: usize) -> String {
    let start = text.char_indices().nth(longest).map_or(text, |(end, _)| &text[..end]);
    let shown = without_hidden_characters(start);
    match shown.char_indices().nth(longest) {
        Some((end, _)) => shown[..end].to_owned() + "…",
        None if start.len() < text.len() => shown + "…",
        None => shown,
    }
}

/// `text` if it fits; otherwise with as little of its middle left out as makes it fit. A letter is never parted from
/// its accents, nor an emoji from what it is joined with.
pub fn elide_middle_until(text: &str, mut fits: impl FnMut(&str) -> bool) -> String {
    if fits(text) {
        return text.to_owned();
    }
    let letters: Vec<&str> = text.graphemes(true).collect();
    let keep = |count: usize| {
        let head = count.div_ceil(2);
        let tail = letters.len() - (count - head);
        letters[..head].iter().chain(&["…"]).chain(&letters[tail..]).copied().collect::<String>()
    };
    let (mut best, mut too_long) = (0, letters.len());
    while best + 1 < too_long {
        let count = (best + too_long) / 2;
        if fits(&keep(count)) { best = count } else { too_long = count }
    }
    keep(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_or_nobody_sees_is_shown_as_its_code_point() {
        for (name, shown) in [
            ("jaw\x1b[2JOpen", "jaw<U+001B>[2JOpen"),
            ("\x1b]8;;http://x\x07a", "<U+001B>]8;;http://x<U+0007>a"),
            ("a\u{9b}31m\u{7f}", "a<U+009B>31m<U+007F>"),
            ("two\nlines\tand\u{2028}more", "two lines and more"),
            ("smile\u{202e}tfeL", "smile<U+202E>tfeL"),
            ("\u{2067}a\u{2069}\u{200f}", "<U+2067>a<U+2069><U+200F>"),
            ("jaw\u{200b}Open", "jaw<U+200B>Open"),
            ("jaw\u{200d}Open", "jaw<U+200D>Open"),
            ("a\u{fe0f}\u{feff}", "a<U+FE0F><U+FEFF>"),
            ("\u{e0061}", "<U+E0061>"),
            ("\u{301}a", "◌\u{301}a"),
        ] {
            assert_eq!(printable(name), shown, "{name:?}");
        }
    }

    #[test]
    fn what_scripts_and_emoji_need_is_kept() {
        let plain = "jawOpen 口を開ける 笑い（左） 미소 ابتسامة می\u{200c}خواهم חיוך ยิ้ม \
                     मुस्कान क\u{94d}\u{200d}ष Lächeln La\u{308}cheln";
        let emoji = "👩\u{200d}👩\u{200d}👧 ❤\u{fe0f} 1\u{fe0f}\u{20e3} 👍🏽";
        for name in plain.split(' ').chain(emoji.split(' ')) {
            assert_eq!(printable(name), name);
        }
    }

    #[test]
    fn long_names_and_heaps_of_accents_are_limited() {
        let long = format!("a{}z", "x".repeat(1 << 20));
        let shown = printable(&long);
        assert_eq!(shown.chars().count(), LONGEST_NAME);
        assert!(shown.starts_with("axx") && shown.contains('…') && shown.ends_with("xxz"));
        let heap = format!("jaw{}Open", "\u{316}".repeat(300));
        assert_eq!(printable(&heap).chars().filter(|&letter| letter == '\u{316}').count(), MOST_MARKS);
        assert!(printable(&"\u{202e}".repeat(1 << 20)).chars().count() <= LONGEST_NAME);
        assert!(printable(&"\u{316}".repeat(1 << 20)).chars().count() <= LONGEST_NAME);
        let message = "\x1b".repeat(1 << 20);
        assert!(printable_message(&message).chars().count() <= LONGEST_MESSAGE + 1);
        assert_eq!(one_line("é".repeat(10_000)).chars().count(), LONGEST_LINE + 1);
    }

    #[test]
    fn quoted_names_stay_on_one_short_line() {
        assert_eq!(quoted("眼\n\"x\""), r#""眼 \"x\"""#);
        assert_eq!(quoted(&"é".repeat(10_000)).chars().count(), LONGEST_QUOTED + 2);
    }

    #[test]
    fn as_little_of_the_middle_is_left_out_as_makes_the_text_fit() {
        let fit = |letters: usize| elide_middle_until("mouthUpperUpLeft", |text| text.chars().count() <= letters);
        assert_eq!(fit(16), "mouthUpperUpLeft");
        assert_eq!(fit(9), "mout…Left");
        assert_eq!(fit(8), "mout…eft");
    }

    #[test]
    fn letters_keep_their_accents_and_emoji_stay_whole() {
        let text = "e\u{301}e\u{301}e\u{301}👩\u{200d}👩\u{200d}👧";
        let shown = elide_middle_until(text, |text| text.chars().count() <= 9);
        assert_eq!(shown, "e\u{301}…👩\u{200d}👩\u{200d}👧");
    }
}
