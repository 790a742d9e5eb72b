//! The system's file dialogs. They answer on a thread of their own, so that the window goes on living.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rfd::{AsyncFileDialog, FileHandle};
use winit::window::Window;

use crate::document;
use crate::session::SheetOf;

/// How a file dialog ended.
#[derive(Clone, Debug)]
pub enum Picked {
    /// With a file.
    File(PathBuf),
    /// With several, where several may be chosen.
    Files(Vec<PathBuf>),
    /// With nothing.
    Cancelled,
    /// There is none on this system.
    NoDialog,
}

/// What a file to be saved holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A picture.
    Png,
    /// Poses.
    Json,
    /// A project.
    Project,
}

impl FileKind {
    fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG pictures",
            Self::Json => "JSON files",
            Self::Project => "Smirk projects",
        }
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Json => "json",
            Self::Project => document::EXTENSION,
        }
    }

    /// `path` as it should be called: a name typed without an extension gets one. The system has asked about the file of the
    /// name that was typed, not about the one with the extension: if that is there, it stays, and the new one gets a number.
    fn complete(self, path: PathBuf) -> PathBuf {
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(self.extension())) {
            return path;
        }
        self.unused(path)
    }

    /// A path that is still free: `path`, which has no extension yet, with the kind's, and with a number if need be.
    pub fn unused(self, path: PathBuf) -> PathBuf {
        // What follows the last dot may be part of the name, as in `head v1.2`: it stays.
        let numbered = |number: u32| {
            let mut name = path.clone().into_os_string();
            if number > 1 {
                name.push(format!(" {number}"));
            }
            name.push(".");
            name.push(self.extension());
            PathBuf::from(name)
        };
        (1..=u32::MAX).map(numbered).find(|path| !path.exists()).unwrap_or_else(|| numbered(1))
    }
}

/// What a file dialog asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Anything Smirk opens.
    Open,
    /// A project.
    OpenProject,
    /// The head of a project, which is not where it was.
    LocateHead,
    /// Takes to add.
    ImportTakes,
    /// Poses to add.
    ImportPoses,
    /// Shapes to add.
    ImportShapes,
    /// Where to save the project.
    SaveProject,
    /// Where to write the poses.
    ExportPoses,
    /// Where to put a contact sheet.
    ContactSheet(SheetOf),
}

impl Question {
    fn title(self) -> &'static str {
        match self {
            Self::Open => "Open a head, a project, a capture or poses",
            Self::OpenProject => "Open a project",
            Self::LocateHead => "Where is the head of this project?",
            Self::ImportTakes => "Import takes",
            Self::ImportPoses => "Import poses",
            Self::ImportShapes => "Import shapes: one file each, named as the expressions are to be called",
            Self::SaveProject => "Save the project",
            Self::ExportPoses => "Export poses",
            Self::ContactSheet(_) => "Save a contact sheet",
        }
    }

    /// The kinds of files to choose from.
    fn filters(self) -> &'static [(&'static str, &'static [&'static str])] {
        const HEADS: &[&str] = &["glb", "gltf", "vrm", "obj"];
        const CAPTURES: (&str, &[&str]) = ("Captures, heads with clips", &["csv", "json", "txt", "glb", "gltf", "vrm"]);
        match self {
            Self::Open => &[
                ("Heads, projects, captures, poses", &["glb", "gltf", "vrm", "obj", "smirk", "csv", "json", "txt"]),
                ("Heads", HEADS),
                ("Projects", &["smirk"]),
            ],
            Self::OpenProject => &[("Projects", &["smirk"])],
            Self::LocateHead => &[("Heads", HEADS)],
            Self::ImportTakes => &[CAPTURES],
            Self::ImportPoses => &[("Poses", &["json"])],
            Self::ImportShapes => &[("Meshes", &["obj", "glb", "gltf"])],
            Self::SaveProject | Self::ExportPoses | Self::ContactSheet(_) => &[],
        }
    }

    /// For questions about where to save: what the file holds.
    pub fn saves(self) -> Option<FileKind> {
        match self {
            Self::SaveProject => Some(FileKind::Project),
            Self::ExportPoses => Some(FileKind::Json),
            Self::ContactSheet(_) => Some(FileKind::Png),
            _ => None,
        }
    }
}

/// Asks, beginning at `suggestion`: a folder to look in, or a file to save. `answer` is called from another thread.
pub fn ask(parent: &Window, question: Question, suggestion: &Path, answer: impl FnOnce(Picked) + Send + 'static) {
    if let Some(kind) = question.saves() {
        return pick_place(parent, question.title(), kind, suggestion, answer);
    }
    let mut dialog = AsyncFileDialog::new().set_title(question.title()).set_parent(parent);
    for (name, extensions) in question.filters() {
        dialog = dialog.add_filter(*name, extensions);
    }
    dialog = dialog.add_filter("All files", &["*"]);
    if !suggestion.as_os_str().is_empty() {
        dialog = dialog.set_directory(suggestion);
    }
    if question == Question::ImportShapes {
        let files = dialog.pick_files();
        answer_later(files, |files| Picked::Files(files.iter().map(|file| file.path().to_owned()).collect()), answer);
    } else {
        answer_later(dialog.pick_file(), picked_file, answer);
    }
}

/// Asks where to save a file, suggesting a folder and a name; `answer` is called from another thread, with a path that ends as
/// the kind of file does. A file that is already there may be replaced: the system has asked.
pub fn pick_place(
    parent: &Window,
    title: &str,
    kind: FileKind,
    suggestion: &Path,
    answer: impl FnOnce(Picked) + Send + 'static,
) {
    let mut dialog =
        AsyncFileDialog::new().set_title(title).set_parent(parent).add_filter(kind.label(), &[kind.extension()]);
    if let Some(name) = suggestion.file_name() {
        dialog = dialog.set_file_name(name.to_string_lossy());
    }
    if let Some(folder) = suggestion.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        dialog = dialog.set_directory(folder);
    }
    answer_later(dialog.save_file(), picked_file, move |picked| {
        answer(match picked {
            Picked::File(path) => Picked::File(kind.complete(path)),
            other => other,
        });
    });
}

fn picked_file(file: FileHandle) -> Picked {
    Picked::File(file.path().to_owned())
}

fn answer_later<T: Send>(
    choice: impl Future<Output = Option<T>> + Send + 'static,
    picked: impl Fn(T) -> Picked + Send + 'static,
    answer: impl FnOnce(Picked) + Send + 'static,
) {
    let asked = Instant::now();
    std::thread::spawn(move || {
        answer(match pollster::block_on(choice) {
            Some(choice) => picked(choice),
            // No hand closes a dialog this fast: there was none.
            None if asked.elapsed() < Duration::from_millis(150) => Picked::NoDialog,
            None => Picked::Cancelled,
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_its_extension_gets_it_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let complete = |kind: FileKind, typed: &str| {
            let path = kind.complete(folder.path().join(typed));
            path.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned()
        };
        for (typed, completed) in [
            ("face", "face.png"),
            ("face.png", "face.png"),
            ("face.PNG", "face.PNG"),
            ("head v1.2", "head v1.2.png"),
            ("face.json", "face.json.png"),
        ] {
            assert_eq!(complete(FileKind::Png, typed), completed);
        }
        assert_eq!(complete(FileKind::Json, "poses"), "poses.json");
        std::fs::write(folder.path().join("face.png"), "there before").unwrap();
        assert_eq!(complete(FileKind::Png, "face"), "face 2.png");
        assert_eq!(complete(FileKind::Png, "face.png"), "face.png", "the system has asked about this one");
    }
}
