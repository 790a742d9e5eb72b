//! The system's file dialogs. They answer on a thread of their own, so that the window goes on living.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rfd::{AsyncFileDialog, FileHandle};
use winit::window::Window;

use crate::file_kind::{self, Content, FileKind};
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
            Self::Open => "Open a head, project, take or pose file",
            Self::OpenProject => "Open a project",
            Self::LocateHead => "Locate the head of this project",
            Self::ImportTakes => "Import takes",
            Self::ImportPoses => "Import poses",
            Self::ImportShapes => "Import shapes, one file per shape, named like its channel",
            Self::SaveProject => "Save the project",
            Self::ExportPoses => "Export poses",
            Self::ContactSheet(_) => "Save a contact sheet",
        }
    }

    /// The filters to choose from, each with its extensions.
    fn filters(self) -> Vec<(&'static str, Vec<&'static str>)> {
        let opening = |content: Content| file_kind::extensions(|kind| kind.opens(content));
        let heads = || ("Heads", opening(Content::Head));
        let projects = || ("Projects", opening(Content::Project));
        match self {
            Self::Open => {
                let all = file_kind::extensions(|kind| kind.reader.is_some());
                vec![("Heads, projects, takes, poses", all), heads(), projects()]
            }
            Self::OpenProject => vec![projects()],
            Self::LocateHead => vec![heads()],
            Self::ImportTakes => vec![("Captures, heads with clips", opening(Content::Takes))],
            Self::ImportPoses => vec![("Poses", opening(Content::Poses))],
            Self::ImportShapes => vec![("Meshes", file_kind::extensions(|kind| kind.has_shapes))],
            Self::SaveProject | Self::ExportPoses | Self::ContactSheet(_) => vec![],
        }
    }

    /// For questions about where to save: the kind of file that is written.
    pub fn saves(self) -> Option<&'static FileKind> {
        match self {
            Self::SaveProject => Some(&file_kind::PROJECT),
            Self::ExportPoses => Some(&file_kind::POSES),
            Self::ContactSheet(_) => Some(&file_kind::PNG),
            Self::Open
            | Self::OpenProject
            | Self::LocateHead
            | Self::ImportTakes
            | Self::ImportPoses
            | Self::ImportShapes => None,
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
        dialog = dialog.add_filter(name, &extensions);
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
    kind: &'static FileKind,
    suggestion: &Path,
    answer: impl FnOnce(Picked) + Send + 'static,
) {
    let mut dialog = AsyncFileDialog::new().set_title(title).set_parent(parent).add_filter(kind.name, kind.extensions);
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
