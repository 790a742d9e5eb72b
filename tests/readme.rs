//! What the README says of keys and command line is what the program does.

#![allow(clippy::unwrap_used, reason = "a test")]

use smirk::ui::shortcuts::{MOUSE, SHORTCUTS};

fn readme() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap()
}

/// The rows of both tables, as the README must have them.
fn rows() -> Vec<String> {
    let keys = SHORTCUTS.iter().map(|shortcut| format!("| {} | {} |", shortcut.keys, shortcut.text));
    keys.chain(MOUSE.iter().map(|(hand, text)| format!("| {hand} | {text} |"))).collect()
}

#[test]
fn every_key_and_every_use_of_the_mouse_is_in_the_readme() {
    let readme = readme();
    let missing: Vec<_> = rows().into_iter().filter(|row| !readme.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "the README lacks these rows:\n{}", missing.join("\n"));
}

#[test]
fn the_readme_has_no_gaps() {
    let readme = readme();
    for gap in ["SHORTCUTS", "MEASURED", "TBD"] {
        assert!(!readme.contains(gap), "{gap} still waits to be filled in");
    }
    assert!(readme.contains("assets/readme.png"));
}
