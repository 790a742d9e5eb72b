//! Clips and variants go by name, and some files have several of one name: then each is told by its turn among them.

/// The name in that place, and how many before it have the same.
pub fn name_and_nth<'n>(names: impl Iterator<Item = &'n str> + Clone, place: usize) -> Option<(&'n str, usize)> {
    let name = names.clone().nth(place)?;
    Some((name, names.take(place).filter(|other| *other == name).count()))
}

/// The place of the name that so many before it have as well; of fewer, that of the last.
pub fn nth_by_name<'n>(names: impl Iterator<Item = &'n str>, name: &str, turn: usize) -> Option<usize> {
    names.enumerate().filter(|(_, other)| *other == name).map(|(place, _)| place).take(turn + 1).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_of_a_name_is_found_again() {
        let names = ["talk", "idle", "talk", "talk"];
        for place in 0..4 {
            let (name, turn) = name_and_nth(names.into_iter(), place).unwrap();
            assert_eq!(nth_by_name(names.into_iter(), name, turn), Some(place));
        }
        assert_eq!(name_and_nth(names.into_iter(), 4), None);
        assert_eq!(nth_by_name(["idle", "talk"].into_iter(), "talk", 2), Some(1), "fewer than there were");
        assert_eq!(nth_by_name(["idle"].into_iter(), "talk", 0), None);
    }
}
