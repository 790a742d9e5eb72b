//! File names that every system can store.

use unicode_segmentation::UnicodeSegmentation;

use super::printing::without_hidden_characters;

/// The longest file name of the common file systems, in bytes, less what a temporary file beside it adds to its name.
const LONGEST_BYTES: usize = 200;

/// A name for a new file, from the name of a head, a take or a project, and an ending such as ` poses.json` that is
/// kept whole.
pub fn safe_file_name(stem: &str, ending: &str) -> String {
    let shown = without_hidden_characters(&stem.chars().take(LONGEST_BYTES).collect::<String>());
    // Windows accepts none of these, and no dot or space at the end; a dot in front hides a file; a dash in front makes
    // it an option.
    let allowed: String = shown.chars().map(|c| if r#"<>:"/\|?*"#.contains(c) { '_' } else { c }).collect();
    let mut name = String::new();
    for letter in allowed.trim_start_matches(['.', '-', ' ']).graphemes(true) {
        if name.len() + letter.len() + ending.len() > LONGEST_BYTES {
            break;
        }
        name.push_str(letter);
    }
    let name = name.trim_end_matches(['.', ' ']);
    let name = if name.is_empty() { "untitled" } else { name };
    // The names of devices on Windows, whatever extension follows.
    let base = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    let numbered = |device: &str| {
        base.strip_prefix(device).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    };
    let is_device = ["CON", "PRN", "AUX", "NUL"].contains(&base.as_str()) || numbered("COM") || numbered("LPT");
    if is_device { format!("_{name}{ending}") } else { format!("{name}{ending}") }
}

/// A name around its last number before the extension: `talk_0007.obj` is `talk_`, 7 and `.obj`.
pub fn around_last_number(name: &str) -> Option<(&str, u64, &str)> {
    let stem = name.rfind('.').unwrap_or(name.len());
    let end = name[..stem].rfind(|letter: char| letter.is_ascii_digit())? + 1;
    let start = name[..end].trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
    Some((&name[..start], name[start..end].parse().ok()?, &name[end..]))
}

/// The length in bytes of the words with which all of `names` begin; 0 for fewer than two names, or where nothing would
/// be left of one of them. A word ends with the last of its separators (`_`, `-`, space …).
pub fn common_prefix(names: &[&str]) -> usize {
    let [first, others @ ..] = names else { return 0 };
    if others.is_empty() {
        return 0;
    }
    let mut length = first.len();
    for name in others {
        let common = first.chars().zip(name.chars()).take_while(|(a, b)| a == b);
        length = length.min(common.map(|(letter, _)| letter.len_utf8()).sum());
    }
    let mut ends = first[..length].char_indices().rev().filter_map(|(at, letter)| {
        let end = at + letter.len_utf8();
        let is_last_of_word =
            !letter.is_alphanumeric() && first[end..].chars().next().is_none_or(char::is_alphanumeric);
        is_last_of_word.then_some(end)
    });
    ends.find(|&end| names.iter().all(|name| name.len() > end)).unwrap_or(0)
}

/// A name without the first `prefix` bytes, which an ellipsis stands for.
pub fn without_prefix(name: &str, prefix: usize) -> String {
    match name.get(prefix..) {
        Some(rest) if prefix > 0 => format!("…{rest}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_system_cannot_store_are_changed_and_others_kept() {
        for (stem, name) in [
            ("ada", "ada.smirk"),
            ("笑い", "笑い.smirk"),
            ("v1.2", "v1.2.smirk"),
            ("a/b\\c:d*e?", "a_b_c_d_e_.smirk"),
            ("../../etc", "_.._etc.smirk"),
            ("-rf", "rf.smirk"),
            (".hidden", "hidden.smirk"),
            ("dots... ", "dots.smirk"),
            ("con", "_con.smirk"),
            ("LPT1.old", "_LPT1.old.smirk"),
            ("console", "console.smirk"),
            ("", "untitled.smirk"),
            ("...", "untitled.smirk"),
            ("a\nb\u{202e}c", "a b_U+202E_c.smirk"),
        ] {
            assert_eq!(safe_file_name(stem, ".smirk"), name, "{stem:?}");
        }
    }

    #[test]
    fn a_name_fits_the_file_system_and_its_letters_stay_whole() {
        let name = safe_file_name(&"笑".repeat(1 << 18), " poses.json");
        assert!(name.len() <= LONGEST_BYTES && name.ends_with("笑 poses.json"), "{name}");
    }

    #[test]
    fn words_that_all_names_begin_with_are_dropped() {
        let shown = |names: &[&str]| -> Vec<String> {
            let prefix = common_prefix(names);
            names.iter().map(|name| without_prefix(name, prefix)).collect()
        };
        assert_eq!(shown(&["MySlate_161_cal", "MySlate_164_cal"]), ["…161_cal", "…164_cal"]);
        assert_eq!(shown(&["day 1 - take 7", "day 1 - take 12"]), ["…7", "…12"]);
        assert_eq!(shown(&["smile", "smirk"]), ["smile", "smirk"], "half a word stays");
        assert_eq!(shown(&["take_", "take_2"]), ["take_", "take_2"], "something is left of each");
        assert_eq!(shown(&["take_1"]), ["take_1"]);
        assert_eq!(shown(&["a_b", "a_b"]), ["…b", "…b"]);
        assert_eq!(shown(&["é_ä", "é_ö"]), ["…ä", "…ö"]);
        assert!(shown(&[]).is_empty() && without_prefix("é", 1) == "é");
    }
}
