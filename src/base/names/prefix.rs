//! What several names have in common, which does not tell them apart.

/// The length in bytes of the words with which all of `names` begin; 0 for fewer than two names, or where nothing would be left of
/// one of them. A word ends with the last of its separators (`_`, `-`, space …).
pub fn common_prefix(names: &[&str]) -> usize {
    let [first, others @ ..] = names else { return 0 };
    if others.is_empty() {
        return 0;
    }
    let common =
        |name: &str| first.chars().zip(name.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let length: usize = others.iter().map(|name| common(name)).min().unwrap_or(0);
    let is_last_of_word = |(at, letter): &(usize, char)| {
        !letter.is_alphanumeric() && first[at + letter.len_utf8()..].chars().next().is_none_or(char::is_alphanumeric)
    };
    let ends = first[..length].char_indices().filter(is_last_of_word).map(|(at, letter)| at + letter.len_utf8());
    ends.rev().find(|&end| names.iter().all(|name| name.len() > end)).unwrap_or(0)
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
