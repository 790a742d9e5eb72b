//! Names of which no two are alike.

use std::collections::{HashMap, HashSet};

/// The names that are taken.
#[derive(Default)]
pub struct UniqueNames {
    taken: HashSet<String>,
    /// Where counting goes on, so that thousands of equal names do not count from the start each time.
    last_number: HashMap<String, u32>,
}

impl UniqueNames {
    /// Takes a name, with a number behind it if it is taken.
    pub fn take(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let number = self.last_number.entry(name.clone()).or_insert(1);
        loop {
            *number += 1;
            let numbered = format!("{name} ({number})");
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_names_are_alike_whatever_they_are_called() {
        let mut free = UniqueNames::default();
        let names = ["a", "a", "a (2)", "b", "a", "a (2)"].map(|name| free.take(name.to_owned()));
        assert_eq!(names, ["a", "a (2)", "a (2) (2)", "b", "a (3)", "a (2) (3)"]);
    }
}
