//! Text shortened by leaving out its middle, where names differ least.

use unicode_segmentation::UnicodeSegmentation;

/// `text` if it fits; otherwise with as little of its middle left out as makes it fit. A letter is never parted from its accents,
/// nor an emoji from what it is joined with.
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
