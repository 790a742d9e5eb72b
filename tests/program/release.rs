//! What is published: the crates, the licences of their dependencies, the changelog and the workflow that builds a release.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(normal.pop()),
            part => normal.push(part),
        }
    }
    normal
}

/// A crate that is built from its package has nothing beside it.
#[test]
fn every_package_has_the_files_that_its_code_includes_and_no_tests() {
    let mut included = 0;
    for (name, folder) in crate::rooms::crates() {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["package", "--list", "--offline", "--allow-dirty", "--package", &name]);
        let output = cargo.current_dir(ROOT).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let files: BTreeSet<&Path> = text.lines().map(Path::new).collect();
        assert!(!files.iter().any(|file| ["tests", "benches", "docs", ".ci"].iter().any(|top| file.starts_with(top))));
        let size = |file: &&Path| std::fs::metadata(folder.join(file)).map_or(0, |metadata| metadata.len());
        let bytes: u64 = files.iter().map(size).sum();
        assert!(bytes < 10_000_000, "{}: {bytes} bytes, of which a registry takes ten million", folder.display());
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
            let code = std::fs::read_to_string(folder.join(file)).unwrap();
            for call in ["include_str!(\"", "include_bytes!(\""] {
                for path in code.split(call).skip(1).map(|rest| rest.split('"').next().unwrap()) {
                    let path = normal(&file.parent().unwrap().join(path));
                    assert!(files.contains(path.as_path()), "{}: {}", file.display(), path.display());
                    included += 1;
                }
            }
        }
    }
    assert!(included > 50, "{included} files");
}

/// `./dev ci` compares the list with the dependencies of the program; this needs no cargo.
#[test]
fn the_licences_name_crates_of_the_lock_file_and_those_of_the_fonts() {
    let (licences, lock) = (read("assets/licences.txt"), read("Cargo.lock"));
    let locked: BTreeSet<String> = lock
        .split("[[package]]")
        .filter_map(|package| {
            let value = |key: &str| Some(package.split(&format!("\n{key} = \"")).nth(1)?.split('"').next()?.to_owned());
            Some(format!("{} {}", value("name")?, value("version")?))
        })
        .collect();
    let named = licences.lines().filter_map(|line| {
        let mut words = line.strip_prefix("- ")?.split(' ');
        let (name, version) = (words.next()?, words.next()?);
        version.starts_with(|letter: char| letter.is_ascii_digit()).then(|| format!("{name} {version}"))
    });
    let named: Vec<String> = named.collect();
    assert!(named.len() > 300, "{} crates", named.len());
    for name in named {
        assert!(locked.contains(&name), "{name}: run ./dev notices");
    }
    for text in ["SIL OPEN FONT LICENSE", "UBUNTU FONT LICENCE", "Mozilla Public License", "- symphonia-core "] {
        assert!(licences.contains(text), "{text}");
    }
    let longest = licences.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(100), "{longest:?}: the window shows lines as they are");
}

#[test]
fn the_changelog_begins_with_what_is_not_released() {
    let changelog = read("CHANGELOG.md");
    let first = changelog.lines().find(|line| line.starts_with("## "));
    assert_eq!(first, Some("## [Unreleased]"));
    assert!(read("docs/release.md").contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_workflow_runs_what_a_change_has_to_pass() {
    let workflow = read(".github/workflows/ci.yml");
    for command in ["run: .ci/run\n", "cargo build --locked\n", "cargo test --locked --lib\n", "./dev package"] {
        assert!(workflow.contains(command), "{command}");
    }
    for system in ["ubuntu-", "macos-", "windows-"] {
        assert!(workflow.contains(system), "{system}");
    }
    let gate = read(".ci/run");
    assert!(gate.contains("exec ./dev ci"), "{gate}");
}
