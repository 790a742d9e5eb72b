//! What is published: the crates, the licences of their dependencies, the changelog and the workflow that builds a release.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use smirk_support::repository;

fn read(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap()
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
        let output = cargo.current_dir(repository()).output().unwrap();
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
    for published in ["mv target/*.deb target/*.tar.gz out/", "sha256sum -- * >SHA256SUMS", "gh release create"] {
        assert!(workflow.contains(published), "{published}");
    }
    for system in ["ubuntu-", "macos-", "windows-"] {
        assert!(workflow.contains(system), "{system}");
    }
    let gate = read(".ci/run");
    assert!(gate.contains("exec ./dev ci"), "{gate}");
}

/// The step of the action that checks, as a shell runs it.
#[cfg(target_os = "linux")]
#[test]
fn the_action_checks_what_patterns_name_and_fails_as_the_check_does() {
    let action = read(".github/actions/check/action.yml");
    let (_, step) = action.split_once("- name: Check\n").unwrap();
    let (_, script) = step.split_once("run: |\n").unwrap();
    let script: Vec<&str> = script.lines().map_while(|line| line.strip_prefix("        ")).collect();
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("heads/deep")).unwrap();
    let head = smirk_support::small_head::write(folder.path());
    std::fs::copy(&head, folder.path().join("heads/deep/ada.glb")).unwrap();
    std::fs::write(folder.path().join("heads/broken.glb"), "no head").unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_smirk")).parent().unwrap();
    let run = |files: &str, arguments: &str| {
        let mut command = Command::new("bash");
        command.args(["-c", &script.join("\n")]).current_dir(folder.path());
        command.env("PATH", format!("{}:{}", program.display(), std::env::var("PATH").unwrap()));
        command.envs([("FILES", files), ("ARGUMENTS", arguments), ("SARIF", "smirk.sarif")]);
        let status = command.output().unwrap().status.code();
        (status, std::fs::read_to_string(folder.path().join("smirk.sarif")).unwrap_or_default())
    };
    let (status, sarif) = run("heads/**/ada.glb", "");
    assert!(status == Some(0) && sarif.contains("heads/deep/ada.glb"), "{status:?}: {sarif}");
    assert_eq!(run("heads/**/*.glb", "").0, Some(1), "one does not open");
    assert_eq!(run("heads/*.vrm", "").0, Some(1), "a pattern without a file is a mistake");
    assert_eq!(run("heads/deep/ada.glb", "--no-such-option").0, Some(2));
}

/// The hook names the formats that a check reads.
#[test]
fn the_hook_runs_the_check_on_heads() {
    let hook = read(".pre-commit-hooks.yaml");
    assert!(hook.contains("\n  entry: smirk check\n") && hook.contains("\n  language: system\n"), "{hook}");
    let (_, files) = hook.split_once("files: \\.(").unwrap();
    let (extensions, _) = files.split_once(")$").unwrap();
    for extension in extensions.split('|') {
        let content = smirk_files::import::content_of(Path::new(&format!("ada.{extension}")));
        assert_eq!(content, smirk_base::file_kind::Content::Head, "{extension}");
    }
}
