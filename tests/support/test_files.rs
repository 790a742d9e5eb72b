//! Files that are not in the repository and that tests also read where a variable names their folder: real heads,
//! broken files, packets of apps. Each of these tests checks the same on files of its own first, so that a clone without these folders
//! is tested too.

use std::path::PathBuf;

/// The folder of real heads, which `SMIRK_HEADS` names; none if the variable is not set, or if `SMIRK_SKIP_HEADS` is.
pub fn real_heads() -> Option<PathBuf> {
    folder_in("SMIRK_HEADS", "SMIRK_SKIP_HEADS", "real heads")
}

/// The folder of broken files, which `SMIRK_BAD` names; none if the variable is not set, or if `SMIRK_SKIP_BAD` is.
pub fn bad_files() -> Option<PathBuf> {
    folder_in("SMIRK_BAD", "SMIRK_SKIP_BAD", "broken files")
}

/// The folder of packets that face-capture apps have sent, which `SMIRK_LIVE_SAMPLES` names; none if the variable is not set, or if
/// `SMIRK_SKIP_LIVE_SAMPLES` is.
pub fn live_samples() -> Option<PathBuf> {
    folder_in("SMIRK_LIVE_SAMPLES", "SMIRK_SKIP_LIVE_SAMPLES", "packets of face-capture apps")
}

fn folder_in(variable: &str, skip_variable: &str, what: &str) -> Option<PathBuf> {
    let value = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if value(skip_variable).is_some() {
        println!("{skip_variable} is set: the {what} outside the repository are skipped");
        return None;
    }
    let Some(folder) = value(variable).map(PathBuf::from) else {
        println!("{variable} is not set: only the repository's own files are tested, and no {what} from outside it");
        return None;
    };
    assert!(
        folder.is_dir(),
        "{variable} is {}, which is no folder; let it name the folder of {what}, or set {skip_variable}=1 to go without",
        folder.display()
    );
    Some(folder)
}
