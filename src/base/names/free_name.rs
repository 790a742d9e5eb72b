//! Names that nothing has yet.

/// The name itself if it is free, else the name with the next free number. A number after a separator at its end is
/// replaced.
pub fn free_name(name: &str, separator: &str, is_free: impl Fn(&str) -> bool) -> String {
    if is_free(name) {
        return name.to_owned();
    }
    let numbered = name.rsplit_once(separator).filter(|(_, end)| end.bytes().all(|byte| byte.is_ascii_digit()));
    let stem = numbered.map_or(name, |(stem, _)| stem);
    let mut number = 2_u32;
    loop {
        let numbered = format!("{stem}{separator}{number}");
        if is_free(&numbered) {
            return numbered;
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_name_gets_the_next_number() {
        let taken = ["smile", "smile 2", "Pose 1", "AU25", "a_b", "a_b_2"];
        let free = |name, separator| free_name(name, separator, |name| !taken.contains(&name));
        assert_eq!(free("frown", " "), "frown");
        assert_eq!([free("smile", " "), free("smile 2", " "), free("Pose 1", " ")], ["smile 3", "smile 3", "Pose 2"]);
        assert_eq!((free("AU25", "_"), free("a_b", "_")), ("AU25_2".into(), "a_b_3".into()));
    }
}
