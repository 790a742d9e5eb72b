//! Parts of two heads that have the same name.

use std::collections::{BTreeMap, HashSet};

/// Things by their names; several of one name are counted.
pub(super) fn by_name<T>(things: &[T], name: impl Fn(&T) -> &String) -> BTreeMap<(String, usize), &T> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for thing in things {
        let count = counts.entry(name(thing)).or_default();
        found.insert((name(thing).clone(), *count), thing);
        *count += 1;
    }
    found
}

/// The names of things that are new, gone or changed.
pub(super) fn differing<T>(
    old: &[T],
    new: &[T],
    name: impl Fn(&T) -> &String + Copy,
    is_same: impl Fn(&T, &T) -> bool,
) -> Vec<String> {
    let (before, mut after) = (by_name(old, name), by_name(new, name));
    let mut found: Vec<String> = Vec::new();
    for (key, thing) in before {
        if !after.remove(&key).is_some_and(|other| is_same(thing, other)) {
            found.push(key.0);
        }
    }
    found.extend(after.into_keys().map(|(name, _)| name));
    found
}

/// The names of `all` that `names` lacks.
pub(super) fn missing_in(names: &[String], all: &[String]) -> Vec<String> {
    let known: HashSet<&String> = names.iter().collect();
    all.iter().filter(|name| !known.contains(name)).cloned().collect()
}
