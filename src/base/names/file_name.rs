//! File names that every system can store.

use unicode_segmentation::UnicodeSegmentation;

use super::printing::without_hidden_characters;

/// The longest file name of the common file systems, in bytes, less what a temporary file beside it adds to its name.
const LONGEST_BYTES: usize = 200;

/// A name for a new file, from the name of a head, a take or a project, and an ending such as ` poses.json` that is kept whole.
pub fn safe_file_name(stem: &str, ending: &str) -> String {
    let shown = without_hidden_characters(&stem.chars().take(LONGEST_BYTES).collect::<String>());
    // Windows accepts none of these, and no dot or space at the end; a dot in front hides a file; a dash in front makes it an option.
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
}
