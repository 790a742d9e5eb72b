//! The folders of the user in which Smirk stores files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

pub fn settings() -> Option<PathBuf> {
    chosen_or(|user| user.config_dir())
}

/// The folder for unsaved work.
pub fn data() -> Option<PathBuf> {
    chosen_or(|user| user.data_local_dir())
}

/// The folder for the log. Only Linux has a folder for such files; elsewhere it is that of [`data`].
pub fn state() -> Option<PathBuf> {
    chosen_or(|user| user.state_dir().unwrap_or(user.data_local_dir()))
}

/// The folder that `SMIRK_CONFIG_DIR` names, else one of the system's. `None` if the user has no home folder.
fn chosen_or(system: impl FnOnce(&ProjectDirs) -> &Path) -> Option<PathBuf> {
    chosen(std::env::var_os("SMIRK_CONFIG_DIR"))
        .or_else(|| Some(system(&ProjectDirs::from("", "", "smirk")?).to_owned()))
}

/// An empty variable counts as unset, as is usual for variables of the environment.
fn chosen(variable: Option<OsString>) -> Option<PathBuf> {
    variable.filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_counts_as_unset() {
        assert_eq!(chosen(None), None);
        assert_eq!(chosen(Some("".into())), None);
        assert_eq!(chosen(Some("/else/where".into())), Some(PathBuf::from("/else/where")));
    }
}
