//! Finds clips and variants by name. Some files have several of the same name: such an object is identified by its name and its
//! number among those of that name, counted from 0.

/// The name at `index`, and its number among equal names.
pub fn name_and_nth<'n>(names: impl Iterator<Item = &'n str> + Clone, index: usize) -> Option<(&'n str, usize)> {
    let name = names.clone().nth(index)?;
    Some((name, names.take(index).filter(|other| *other == name).count()))
}

/// The index of the `nth` of all equal names; the last one if there are fewer.
pub fn nth_by_name<'n>(names: impl Iterator<Item = &'n str>, name: &str, nth: usize) -> Option<usize> {
    names.enumerate().filter(|(_, other)| *other == name).map(|(index, _)| index).take(nth + 1).last()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_of_a_name_is_found_again() {
        let names = ["talk", "idle", "talk", "talk"];
        for index in 0..4 {
            let (name, nth) = name_and_nth(names.into_iter(), index).unwrap();
            assert_eq!(nth_by_name(names.into_iter(), name, nth), Some(index));
        }
        assert_eq!(name_and_nth(names.into_iter(), 4), None);
        assert_eq!(nth_by_name(["idle", "talk"].into_iter(), "talk", 2), Some(1), "fewer than there were");
        assert_eq!(nth_by_name(["idle"].into_iter(), "talk", 0), None);
    }
}
