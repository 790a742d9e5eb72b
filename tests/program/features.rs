//! The features that dependencies are compiled with. Cargo compiles a dependency once for each set of features that is asked for, so that
//! every command of the usual loop has to ask for one set.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use crate::rooms::crates;

/// For each dependency, the sets of features that it is compiled with: several where build scripts and macros use it, too.
type Features = BTreeMap<String, BTreeSet<String>>;

/// What is compiled on this system for a choice of packages.
fn features(options: &[&str]) -> Features {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p}={f}"]).args(options);
    let output = cargo.current_dir(smirk_support::repository()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut features = Features::new();
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let line = line.strip_suffix(" (*)").unwrap_or(line);
        if let Some((package, set)) = line.split_once('=') {
            features.entry(package.to_owned()).or_default().insert(set.to_owned());
        }
    }
    features
}

/// The dependencies that one choice of packages compiles with other features than another one, both in words.
fn differences(some: &Features, all: &Features) -> Vec<String> {
    let of_both = some.iter().filter_map(|(package, sets)| Some((package, sets, all.get(package)?)));
    let differing = of_both.filter(|(_, sets, of_all)| !sets.is_subset(of_all));
    differing.map(|(package, sets, of_all)| format!("{package}: {sets:?}, not {of_all:?}")).collect()
}

const NORMAL: &str = "--edges=normal,build";
const WITH_TESTS: &str = "--edges=normal,build,dev";

/// What is missing belongs into `tests/features/Cargo.toml`.
#[test]
fn the_tests_of_a_crate_compile_no_dependency_that_all_tests_do_not_compile() {
    let all = features(&[WITH_TESTS]);
    assert!(all.len() > 300, "{all:?}");
    for (name, _) in crates() {
        let missing = differences(&features(&[WITH_TESTS, "--package", name.as_str()]), &all);
        assert!(missing.is_empty(), "cargo test -p {name} has\n{}", missing.join("\n"));
    }
}

/// `./dev run` builds the first, clippy and the documentation the second.
#[test]
fn the_program_and_the_whole_workspace_share_the_dependencies_of_the_tests() {
    let all = features(&[WITH_TESTS]);
    for options in [&[NORMAL][..], &[WITH_TESTS, "--workspace"]] {
        let other = differences(&features(options), &all);
        assert!(other.is_empty(), "with {options:?}, there is\n{}", other.join("\n"));
    }
}

#[test]
fn another_feature_of_a_dependency_is_seen() {
    let glam = |set: &str| Features::from([("glam v0.30.0".to_owned(), BTreeSet::from([set.to_owned()]))]);
    assert!(differences(&glam("std"), &glam("std")).is_empty());
    assert_eq!(differences(&glam("std"), &glam("bytemuck,std")).len(), 1);
    assert!(
        differences(&glam("std"), &Features::new()).is_empty(),
        "what only one of them has is compiled for it alone"
    );
}
