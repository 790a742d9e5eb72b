//! What Smirk remembers between runs, in a small JSON file. A file that is invalid or cannot be read is renamed, and
//! the defaults are used.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use smirk_base::json::{self, JsonError, PathText};
use smirk_base::names::quoted;
use smirk_base::{atomic_file, folders, regular_file};
use smirk_editor::bench::SuitedMode;
use smirk_face::head::listed;
use smirk_face::motion::{Aliases, ColumnMatching};
use smirk_scene::{BlendMode, Look};
use smirk_ui::SavedState;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Settings {
    pub window_size: [f32; 2],
    pub maximized: bool,
    /// The artist's default look, with which new heads start. That of a project belongs to the project.
    pub look: Look,
    /// The blend mode the artist chose; until then, the one that suits the adapter is used.
    pub mode: Option<BlendMode>,
    /// The blend mode that suits the adapter that was measured last.
    pub suited: Option<SuitedMode>,
    #[serde(flatten)]
    pub ui: SavedState,
    /// Heads and projects that were opened, newest first.
    #[serde(with = "json::path_list")]
    pub recent: Vec<PathBuf>,
    pub dialogs: DialogFolders,
    /// The sequence number of the newest unsaved work that was offered and left for later.
    pub works_seen: u64,
    /// Which channels the columns of takes belong to, where the artist has assigned them.
    pub aliases: Aliases,
    /// Whether a column whose movement a head lacks drives those that are most like it.
    pub uses_nearest: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            window_size: [1600.0, 1000.0],
            maximized: false,
            look: Look::default(),
            mode: None,
            suited: None,
            ui: SavedState::default(),
            recent: Vec::new(),
            dialogs: DialogFolders::default(),
            works_seen: 0,
            aliases: Aliases::default(),
            uses_nearest: true,
        }
    }
}

/// What file dialogs are about. Each kind begins in the folder in which a file of it was chosen last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DialogKind {
    Heads,
    Takes,
    Exports,
    References,
}

/// The folders in which files were chosen last; empty where none was.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct DialogFolders {
    heads: PathText,
    takes: PathText,
    exports: PathText,
    references: PathText,
}

impl DialogFolders {
    fn of_kind(&mut self, kind: DialogKind) -> &mut PathBuf {
        let Self { heads, takes, exports, references } = self;
        let folder = match kind {
            DialogKind::Heads => heads,
            DialogKind::Takes => takes,
            DialogKind::Exports => exports,
            DialogKind::References => references,
        };
        &mut folder.0
    }

    /// Remembers where a file was chosen.
    pub(super) fn remember(&mut self, kind: DialogKind, file: &Path) {
        if let Some(folder) = std::path::absolute(file).ok().as_deref().and_then(Path::parent) {
            *self.of_kind(kind) = folder.to_owned();
        }
    }

    /// The folder in which a file was chosen last, or if that is gone the nearest of those it was in.
    pub(super) fn last(&self, kind: DialogKind) -> Option<PathBuf> {
        let folder = std::mem::take(self.clone().of_kind(kind));
        folder.ancestors().find(|folder| folder.is_dir()).map(Path::to_owned)
    }
}

impl Settings {
    const MAX_RECENT: usize = 12;
    /// A larger file was not written by Smirk.
    const MAX_FILE_BYTES: u64 = 1 << 22;

    pub(super) fn matching(&self) -> ColumnMatching {
        ColumnMatching { aliases: self.aliases.clone(), uses_nearest: self.uses_nearest }
    }

    pub(super) fn default_path() -> Option<PathBuf> {
        Some(folders::settings()?.join("settings.json"))
    }

    /// Reads the settings. The second value is a message to the artist if the file could not be read, or if something
    /// in it would be lost when the settings are saved; the file as it was is kept then.
    pub(super) fn load(path: &Path) -> (Self, Option<String>) {
        let set_aside = |problem: String| {
            let aside = path.with_extension("json.broken");
            let fate = match std::fs::rename(path, &aside) {
                Ok(()) => format!("the file was renamed to {}", aside.display()),
                Err(error) => format!("the file could not be renamed: {error}"),
            };
            (Self::default(), Some(format!("settings {} {problem}; {fate}", path.display())))
        };
        let bytes = match regular_file::read(path, Self::MAX_FILE_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return (Self::default(), None),
            // What is no file stays where it is, and is not written to.
            Err(error) if regular_file::check(path).is_ok() => return set_aside(format!("cannot be read ({error})")),
            Err(error) => {
                return (Self::default(), Some(format!("settings {} cannot be read: {error}", path.display())));
            }
        };
        let settings = match Self::from_bytes(&bytes) {
            Ok(settings) => settings,
            Err(error) => return set_aside(format!("are not valid ({error})")),
        };
        let unknown = settings.unknown_in(&bytes);
        if unknown.is_empty() {
            return (settings, None);
        }
        let copy = path.with_extension("json.later");
        let fate = match atomic_file::write(&copy, &bytes) {
            Ok(()) => format!("the file as it was is kept as {}", copy.display()),
            Err(error) => format!("the file as it was could not be copied: {error}"),
        };
        let unknown = listed(&unknown, 5);
        (settings, Some(format!("settings of another version in {}: {unknown}; {fate}", path.display())))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, JsonError> {
        let settings: Self = json::read(bytes)?;
        Ok(Self {
            look: settings.look.renewed().within_reason(),
            recent: settings.recent.into_iter().take(Self::MAX_RECENT).collect(),
            ui: settings.ui.within_reason(),
            ..settings
        })
    }

    /// The names of what a file of settings has and these settings, which were read from it, have not: what a later
    /// version has saved.
    fn unknown_in(&self, bytes: &[u8]) -> Vec<String> {
        let (Ok(file), Ok(known)) = (json::read(bytes), serde_json::to_value(self)) else { return Vec::new() };
        let mut unknown = Vec::new();
        add_unknown(&file, &known, "", &mut unknown);
        unknown
    }

    fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    /// Writes the settings. If that fails, the old file is unchanged; a pipe or a device is not replaced.
    pub(super) fn save(&self, path: &Path) -> std::io::Result<()> {
        if let Err(error) = regular_file::check(path)
            && error.kind() != ErrorKind::NotFound
        {
            return Err(error);
        }
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        atomic_file::write(path, self.to_text()?.as_bytes())
    }

    /// Puts a head or a project at the top of the recent files.
    pub(super) fn add_recent(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.recent.retain(|other| *other != path);
        self.recent.insert(0, path);
        self.recent.truncate(Self::MAX_RECENT);
    }
}

/// Adds the names of the members of an object, and of the objects in it, that another has not.
fn add_unknown(object: &Value, known: &Value, place: &str, unknown: &mut Vec<String>) {
    let (Value::Object(object), Value::Object(known)) = (object, known) else { return };
    for (name, value) in object {
        let place = format!("{place}{name}");
        match known.get(name) {
            Some(known) => add_unknown(value, known, &(place + "."), unknown),
            None => unknown.push(quoted(&place)),
        }
    }
}

/// The settings in a file with these bytes, as Smirk would save them. For tests and fuzzing: the settings are no part
/// of the library.
pub fn settings_text(bytes: &[u8]) -> anyhow::Result<String> {
    Ok(Settings::from_bytes(bytes)?.to_text()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_export::{ExportKind, ExportRequest};
    use smirk_face::motion::DrivenChannel;
    use smirk_scene::Normals;

    #[test]
    fn what_is_saved_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/settings.json");
        let mut settings = Settings { mode: Some(BlendMode::Multipass), maximized: true, ..Default::default() };
        settings.ui.reloads_head = false;
        settings.look.gloss = 1.25;
        settings.ui.export = ExportRequest { kind: ExportKind::Film, size: [640, 360], ..ExportRequest::default() };
        settings.look.normals = Normals::Recomputed;
        settings.aliases.set("EyeBlinkLeft", vec![DrivenChannel::new("Fcl_EYE_Close_L")]);
        settings.add_recent(Path::new("head.glb"));
        settings.dialogs.remember(DialogKind::Takes, &folder.path().join("a.csv"));
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
        for (text, problem) in [("{ half a fi", "line 1 column 3"), ("{\n\"mode\": \"magic\"}", "`magic`")] {
            std::fs::write(&path, text).unwrap();
            let (settings, message) = Settings::load(&path);
            assert_eq!(settings, Settings::default());
            let message = message.unwrap();
            assert!(message.contains(problem) && message.contains("settings.json.broken"), "{message}");
            assert_eq!(std::fs::read_to_string(folder.path().join("settings.json.broken")).unwrap(), text);
            assert!(!path.exists());
        }
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

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_cannot_be_read_is_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        // A file whose first bytes are an error for everybody, also for root.
        std::os::unix::fs::symlink("/proc/self/mem", &path).unwrap();
        let (settings, message) = Settings::load(&path);
        let message = message.unwrap();
        assert_eq!(settings, Settings::default());
        assert!(message.contains("cannot be read") && message.contains("settings.json.broken"), "{message}");
        settings.save(&path).unwrap();
        assert!(std::fs::symlink_metadata(folder.path().join("settings.json.broken")).unwrap().is_symlink());
    }

    #[test]
    fn a_file_that_is_too_large_is_renamed_and_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, vec![b' '; 5 << 20]).unwrap();
        let (settings, message) = Settings::load(&path);
        let message = message.unwrap();
        assert_eq!(settings, Settings::default());
        assert!(message.contains("4194304 bytes") && message.contains("settings.json.broken"), "{message}");
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn recent_files_of_any_name_come_back() {
        use std::os::unix::ffi::OsStrExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let mut settings = Settings::default();
        settings.add_recent(Path::new(std::ffi::OsStr::from_bytes(b"/heads/caf\xe9.glb")));
        settings.save(&path).unwrap();
        assert_eq!(Settings::load(&path), (settings, None));
    }

    #[test]
    fn missing_fields_are_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, r#"{"maximized":true,"look":{"gloss":1.0}}"#).unwrap();
        assert_eq!(Settings::load(&path), (Settings { maximized: true, ..Default::default() }, None));
        assert!(!folder.path().join("settings.json.later").exists());
    }

    #[test]
    fn settings_of_a_later_version_are_kept_before_they_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        for later in [
            r#"{"maximized":true,"from_the_future":[1]}"#,
            r#"{"maximized":true,"version":2}"#,
            r#"{"maximized":true,"look":{"from_the_future":{"strength":1.0}}}"#,
        ] {
            std::fs::write(&path, later).unwrap();
            let (settings, message) = Settings::load(&path);
            assert_eq!(settings, Settings { maximized: true, ..Default::default() });
            let (message, kept) = (message.unwrap(), folder.path().join("settings.json.later"));
            assert!(message.contains("settings.json.later") && message.contains("of another version"), "{message}");
            assert!(message.contains("from_the_future") || message.contains("\"version\""), "{message}");
            settings.save(&path).unwrap();
            assert_eq!(std::fs::read_to_string(&kept).unwrap(), later);
            assert_eq!(Settings::load(&path), (settings, None), "it is said once");
            std::fs::remove_file(kept).unwrap();
        }
    }

    #[test]
    fn each_kind_of_dialog_begins_where_it_was_used_last_or_in_the_nearest_folder_that_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let (takes, exports) = (folder.path().join("shots/010/takes"), folder.path().join("out"));
        for folder in [&takes, &exports] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let mut dialogs = DialogFolders::default();
        dialogs.remember(DialogKind::Takes, &takes.join("a.csv"));
        dialogs.remember(DialogKind::Exports, &exports.join("a.png"));
        assert_eq!(dialogs.last(DialogKind::Takes), Some(takes.clone()));
        assert_eq!(dialogs.last(DialogKind::Exports), Some(exports));
        assert_eq!((dialogs.last(DialogKind::Heads), dialogs.last(DialogKind::References)), (None, None));
        std::fs::remove_dir_all(folder.path().join("shots/010")).unwrap();
        assert_eq!(dialogs.last(DialogKind::Takes), Some(folder.path().join("shots")));
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
