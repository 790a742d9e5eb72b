//! Makes names unique by appending a number.

use std::collections::{HashMap, HashSet};

#[derive(Default)]
pub struct UniqueNames {
    used: HashSet<String>,
    /// Per name the last number that was appended, so that thousands of equal names do not count from 1 each time.
    last_number: HashMap<String, u32>,
}

impl UniqueNames {
    /// Marks a name as used and returns it, with a number in parentheses appended if it was used before.
    pub fn make(&mut self, name: String) -> String {
        self.make_between(name, " (", ")")
    }

    /// As [`Self::make`], with what stands before and after the number.
    pub fn make_between(&mut self, name: String, before: &str, after: &str) -> String {
        if self.used.insert(name.clone()) {
            return name;
        }
        let number = self.last_number.entry(name.clone()).or_insert(1);
        loop {
            *number += 1;
            let numbered = format!("{name}{before}{number}{after}");
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
