//! What Smirk remembers between runs: a small JSON file, saved atomically. A broken one is set aside, never fatal.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::atomic_file;
use crate::bench::SuitedMode;
use crate::blend::BlendMode;
use crate::motion::Aliases;
use crate::scene::Look;
use crate::ui::PanelSettings;

/// Remembered between runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Window size in logical pixels.
    pub window_size: [f32; 2],
    /// Whether the window fills the screen.
    pub maximized: bool,
    /// Light and surface.
    pub look: Look,
    /// The blend mode the artist chose; until then the adapter decides.
    pub mode: Option<BlendMode>,
    /// What the adapter decided, when it was last measured.
    pub suited: Option<SuitedMode>,
    /// Panels and their widths.
    pub panels: PanelSettings,
    /// Heads and projects opened, newest first.
    pub recent: Vec<PathBuf>,
    /// What the artist said the columns of takes mean.
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

    /// Where the settings live: `SMIRK_CONFIG_DIR`, else the user's configuration folder.
    pub fn default_path() -> Option<PathBuf> {
        let folder = match std::env::var_os("SMIRK_CONFIG_DIR") {
            Some(folder) => PathBuf::from(folder),
            None => directories::ProjectDirs::from("", "", "smirk")?.config_dir().to_owned(),
        };
        Some(folder.join("settings.json"))
    }

    /// Reads the settings; with a word for the artist if the file was no good.
    pub fn load(path: &Path) -> (Self, Option<String>) {
        let text = match std::fs::read_to_string(path) {
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
                    Ok(()) => format!("kept as {}", aside.display()),
                    Err(error) => format!("and could not be set aside: {error}"),
                };
                (Self::default(), Some(format!("settings {} are not valid ({error}); {fate}", path.display())))
            }
        }
    }

    /// Writes the settings: a whole new file takes the place of the old one, or nothing changes.
    pub fn save(&self, path: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        atomic_file::write(path, serde_json::to_string_pretty(self)?.as_bytes())
    }

    /// Puts a head or a project at the top of the recent ones.
    pub fn remember(&mut self, path: &Path) {
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
        settings.aliases.learn("EyeBlinkLeft", vec!["Fcl_EYE_Close_L".into()]);
        settings.remember(Path::new("head.glb"));
        settings.save(&path).unwrap();
        assert_eq!(Settings::load(&path), (settings, None));
    }

    #[test]
    fn no_file_means_defaults_without_a_word() {
        assert_eq!(Settings::load(Path::new("no/such/settings.json")), (Settings::default(), None));
    }

    #[test]
    fn a_broken_file_is_set_aside_with_a_note() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{ half a fi").unwrap();
        let (settings, note) = Settings::load(&path);
        assert_eq!(settings, Settings::default());
        assert!(note.unwrap().contains("settings.json.broken"));
        assert_eq!(std::fs::read_to_string(folder.path().join("settings.json.broken")).unwrap(), "{ half a fi");
        assert!(!path.exists());
    }

    #[test]
    fn unknown_and_missing_fields_are_fine() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, r#"{"maximized":true,"from_the_future":[1],"look":{"gloss":1.0}}"#).unwrap();
        assert_eq!(Settings::load(&path), (Settings { maximized: true, ..Default::default() }, None));
    }

    #[test]
    fn recent_files_are_newest_first_and_unique() {
        let mut settings = Settings::default();
        for name in ["/a.glb", "/b.glb", "/a.glb"] {
            settings.remember(Path::new(name));
        }
        assert_eq!(settings.recent, [PathBuf::from("/a.glb"), PathBuf::from("/b.glb")]);
        (0..99).for_each(|number| settings.remember(&PathBuf::from(format!("/{number}.glb"))));
        assert_eq!(settings.recent.len(), Settings::MAX_RECENT);
    }
}
