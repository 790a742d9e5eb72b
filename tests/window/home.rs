//! The folder that the program takes for the user's: its settings, its log, its unsaved work, and the file dialog that answers for the
//! artist.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use smirk_editor::document::Document;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

/// A folder of a user.
pub struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// A folder with these settings, beyond those of a small window whose picture is drawn quickly: the page of the right panel is one
    /// without pictures.
    pub fn new(settings: &Value) -> Self {
        Self::with(
            json!({
                "window_size": crate::display::SMALL,
                "panels": {"left_width": 320.0, "page": "readout", "knows_probing": true},
            }),
            settings,
        )
    }

    /// A folder with these settings for a window of another size, and all others as a new user has them, but for the hint over the face.
    pub fn of_size(size: [usize; 2], settings: &Value) -> Self {
        Self::with(json!({"window_size": size, "panels": {"knows_probing": true}}), settings)
    }

    fn with(mut all: Value, settings: &Value) -> Self {
        for (name, value) in settings.as_object().into_iter().flatten() {
            match (&mut all[name], value) {
                (Value::Object(of_all), Value::Object(some)) => of_all.extend(some.clone()),
                (place, value) => *place = value.clone(),
            }
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("settings.json"), all.to_string()).unwrap();
        Self { folder }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// Puts a script in the place of the program that rfd starts to show a file dialog where no portal answers. Without one, there is no
    /// dialog, and what is saved goes to this folder.
    pub fn set_dialog(&self, script: &str) {
        let zenity = self.at("bin/zenity");
        std::fs::create_dir_all(self.at("bin")).unwrap();
        let path = std::env::var("PATH").unwrap();
        std::fs::write(&zenity, format!("#!/bin/sh\nPATH='{path}'\n{script}")).unwrap();
        std::fs::set_permissions(&zenity, PermissionsExt::from_mode(0o755)).unwrap();
    }

    /// Lets every file dialog answer with this file.
    pub fn answer_dialogs(&self, file: &Path) {
        self.set_dialog(&format!("echo '{}'\n", file.display()));
    }

    pub fn log(&self) -> String {
        std::fs::read_to_string(self.at("smirk.log")).unwrap_or_default()
    }

    pub fn settings(&self) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.at("settings.json")).unwrap()).unwrap()
    }

    /// The files below a folder whose names end like this, sorted.
    pub fn files(&self, folder: &str, ending: &str) -> Vec<PathBuf> {
        files_in(&self.at(folder), ending)
    }
}

fn files_in(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = entries.flat_map(|path| if path.is_dir() { files_in(&path, ending) } else { vec![path] });
    let mut found: Vec<PathBuf> = files.filter(|path| path.to_string_lossy().ends_with(ending)).collect();
    found.sort();
    found
}

/// Saves a project of the head in a file.
pub fn save_project(project: &Path, head: PathBuf) {
    let opened = Arc::new(smirk_files::import::open(&head).unwrap());
    let session = Session::new(opened, HeadSource::File(head), Look::default(), BlendMode::Cpu);
    Document::new(session, None).save(project).unwrap();
}

/// How many poses a project has beyond those that a head comes with.
pub fn own_poses(project: &Path) -> usize {
    let project: Value = serde_json::from_str(&std::fs::read_to_string(project).unwrap()).unwrap();
    let names = project["poses"].as_array().into_iter().flatten().map(|pose| pose["name"].as_str().unwrap());
    names.filter(|name| name.starts_with("Pose ")).count()
}
