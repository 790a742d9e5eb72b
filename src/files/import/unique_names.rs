//! Makes names unique by appending a number.

use std::collections::{HashMap, HashSet};

/// The names in use.
#[derive(Default)]
pub(super) struct UniqueNames {
    used: HashSet<String>,
    /// Per name the last number that was appended, so that thousands of equal names do not count from 1 each time.
    last_number: HashMap<String, u32>,
}

impl UniqueNames {
    /// Marks a name as used and returns it, with a number appended if it was used before.
    pub(super) fn make(&mut self, name: String) -> String {
        if self.used.insert(name.clone()) {
            return name;
        }
        let number = self.last_number.entry(name.clone()).or_insert(1);
        loop {
            *number += 1;
            let numbered = format!("{name} ({number})");
            if self.used.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_equal() {
        let mut names_in_use = UniqueNames::default();
        let names = ["a", "a", "a (2)", "b", "a", "a (2)"].map(|name| names_in_use.make(name.to_owned()));
        assert_eq!(names, ["a", "a (2)", "a (2) (2)", "b", "a (3)", "a (2) (3)"]);
    }
}
