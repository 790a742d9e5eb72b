//! What Smirk remembers between runs, in a small JSON file. An invalid file is renamed, and the defaults are used.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::atomic_file;
use crate::bench::SuitedMode;
use crate::blend::BlendMode;
use crate::folders;
use crate::motion::Aliases;
use crate::regular_file;
use crate::scene::Look;
use crate::ui::PanelSettings;

/// What is remembered between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    /// Window size in logical pixels.
    pub window_size: [f32; 2],
    /// Whether the window is maximized.
    pub maximized: bool,
    /// Light and surface of heads that are opened without a project.
    pub look: Look,
    /// The blend mode the artist chose; until then, the one that suits the adapter is used.
    pub mode: Option<BlendMode>,
    /// The blend mode that suits the adapter that was measured last.
    pub suited: Option<SuitedMode>,
    /// Which panels are open, and their sizes.
    pub panels: PanelSettings,
    /// Heads and projects that were opened, newest first.
    pub recent: Vec<PathBuf>,
    /// Which channels the columns of takes belong to, where the artist has assigned them.
    pub aliases: Aliases,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            window_size: [1600.0, 1000.0],
            maximized: false,
            look: Look::default(),
            mode: None,
            suited: None,
            panels: PanelSettings::default(),
            recent: Vec::new(),
            aliases: Aliases::default(),
        }
    }
}

impl Settings {
    const MAX_RECENT: usize = 12;
    /// A larger file was not written by Smirk.
    const MAX_FILE_BYTES: u64 = 1 << 24;

    /// The file of the settings. `None` if the user has no home folder.
    pub(super) fn default_path() -> Option<PathBuf> {
        Some(folders::settings()?.join("settings.json"))
    }

    /// Reads the settings. The second value is a message to the artist if the file could not be read.
    pub(super) fn load(path: &Path) -> (Self, Option<String>) {
        let text = match regular_file::read_text(path, Self::MAX_FILE_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return (Self::default(), None),
            Err(error) => {
                return (Self::default(), Some(format!("settings {} cannot be read: {error}", path.display())));
            }
        };
        match serde_json::from_str::<Self>(&text) {
            Ok(settings) => (Self { look: settings.look.within_reason(), ..settings }, None),
            Err(error) => {
                let aside = path.with_extension("json.broken");
                let fate = match std::fs::rename(path, &aside) {
                    Ok(()) => format!("the file was renamed to {}", aside.display()),
                    Err(error) => format!("the file could not be renamed: {error}"),
                };
                (Self::default(), Some(format!("settings {} are not valid ({error}); {fate}", path.display())))
            }
        }
    }

    /// Writes the settings. If that fails, the old file is unchanged; a pipe or a device is not replaced.
    pub(super) fn save(&self, path: &Path) -> std::io::Result<()> {
        if let Err(error) = regular_file::check(path)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(error);
        }
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        atomic_file::write(path, serde_json::to_string_pretty(self)?.as_bytes())
    }

    /// Takes over a look that the artist has changed from `before` to `after`. Without a project, it is the look of the next
    /// head too; that of a project, which may be someone else's, belongs to the project alone.
    pub(super) fn update_look(&mut self, before: &Look, after: &Look, has_project: bool) {
        if before != after && !has_project {
            self.look = *after;
        }
    }

    /// Puts a head or a project at the top of the recent files.
    pub(super) fn add_recent(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent.retain(|other| *other != path);
        self.recent.insert(0, path);
        self.recent.truncate(Self::MAX_RECENT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blend::Normals;

    #[test]
    fn what_is_saved_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/settings.json");
        let mut settings = Settings { mode: Some(BlendMode::Multipass), maximized: true, ..Default::default() };
        settings.look.gloss = 1.25;
        settings.look.normals = Normals::Recomputed;
        settings.aliases.set("EyeBlinkLeft", vec!["Fcl_EYE_Close_L".into()]);
        settings.add_recent(Path::new("head.glb"));
        settings.save(&path).unwrap();
        assert_eq!(Settings::load(&path), (settings, None));
    }

    #[test]
    fn a_missing_file_means_defaults_without_a_message() {
        assert_eq!(Settings::load(Path::new("no/such/settings.json")), (Settings::default(), None));
    }

    #[test]
    fn an_invalid_file_is_renamed_with_a_message() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{ half a fi").unwrap();
        let (settings, note) = Settings::load(&path);
        assert_eq!(settings, Settings::default());
        assert!(note.unwrap().contains("settings.json.broken"));
        assert_eq!(std::fs::read_to_string(folder.path().join("settings.json.broken")).unwrap(), "{ half a fi");
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_the_settings_is_neither_opened_nor_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (settings, problem) = Settings::load(&path);
        assert_eq!(settings, Settings::default());
        let problem = problem.unwrap();
        assert!(problem.contains("settings.json") && problem.contains("it is a pipe"), "{problem}");
        assert!(settings.save(&path).unwrap_err().to_string().contains("it is a pipe"));
        assert!(std::os::unix::fs::FileTypeExt::is_fifo(&std::fs::metadata(&path).unwrap().file_type()));
    }

    #[test]
    fn unknown_and_missing_fields_are_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, r#"{"maximized":true,"from_the_future":[1],"look":{"gloss":1.0}}"#).unwrap();
        assert_eq!(Settings::load(&path), (Settings { maximized: true, ..Default::default() }, None));
    }

    #[test]
    fn only_a_look_that_the_artist_changes_without_a_project_becomes_the_default() {
        let (mut settings, usual) = (Settings::default(), Look::default());
        let of_project = Look { gloss: 0.3, ..usual };
        // A project was opened: the look on screen is its own, and nothing has changed it.
        settings.update_look(&of_project, &of_project, true);
        settings.update_look(&of_project, &Look { gloss: 0.4, ..of_project }, true);
        assert_eq!(settings.look, usual);
        let by_hand = Look { gloss: 1.5, ..usual };
        settings.update_look(&usual, &by_hand, false);
        settings.update_look(&of_project, &of_project, false);
        assert_eq!(settings.look, by_hand);
    }

    #[test]
    fn recent_files_are_newest_first_and_unique() {
        let mut settings = Settings::default();
        for name in ["/a.glb", "/b.glb", "/a.glb"] {
            settings.add_recent(Path::new(name));
        }
        assert_eq!(settings.recent, [PathBuf::from("/a.glb"), PathBuf::from("/b.glb")]);
        (0..99).for_each(|number| settings.add_recent(&PathBuf::from(format!("/{number}.glb"))));
        assert_eq!(settings.recent.len(), Settings::MAX_RECENT);
    }
}
