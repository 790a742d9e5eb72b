//! The system's file dialogs, each as a job: the window goes on while one is open.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::Pin;

use log::Level;
use rfd::{AsyncFileDialog, FileHandle};
use winit::window::Window;

use smirk_base::file_kind::{self, Content, FileKind};
use smirk_base::job::{Job, OnDrop};
use smirk_base::logging;
use smirk_editor::export::{ExportKind, ExportRequest};
use smirk_files::reference::ImageSequence;

/// How a file dialog ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Picked {
    /// A file was chosen. A file to be saved has the extension of its kind.
    File(PathBuf),
    /// Several files were chosen, where that is possible.
    Files(Vec<PathBuf>),
    /// The dialog was closed without a choice.
    Cancelled,
    /// The system has no file dialog.
    NoDialog,
}

/// What a file dialog asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Question {
    /// Anything Smirk opens.
    Open,
    /// A project.
    OpenProject,
    /// The head of a project, whose file was moved.
    LocateHead,
    /// Takes to add.
    ImportTakes,
    /// Poses to add.
    ImportPoses,
    /// Shapes to add.
    ImportShapes,
    /// A sound for what plays.
    ImportSound,
    /// Markers to add.
    ImportMarkers,
    /// An image, or one of a numbered sequence, to look at beside the face.
    OpenReference,
    /// Another version of the head.
    Compare,
    /// Where to draw what differs most between two versions.
    VersionSheet,
    /// Where to save the project.
    SaveProject,
    /// Where to write the poses.
    ExportPoses,
    /// Where to export to.
    Export(ExportRequest),
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
            Self::ImportSound => "Choose a sound for what plays",
            Self::ImportMarkers => "Import markers",
            Self::OpenReference => "Open an image, or one frame of a numbered sequence",
            Self::Compare => "Compare with another version of the head",
            Self::VersionSheet => "Save a sheet of what differs most",
            Self::SaveProject => "Save the project",
            Self::ExportPoses => "Export poses",
            Self::Export(request) => match request.kind {
                ExportKind::Animation => "Export the animation",
                ExportKind::Head => "Save the head as .glb",
                ExportKind::Mesh => "Export the mesh",
                ExportKind::Pictures => "Export pictures",
                ExportKind::Film => "Export a film",
                ExportKind::Sheet => "Save a contact sheet",
            },
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
                vec![("Heads, projects, takes, poses, sounds", all), heads(), projects()]
            }
            Self::OpenProject => vec![projects()],
            Self::LocateHead | Self::Compare => vec![heads()],
            Self::ImportTakes => vec![("Captures, heads with clips", opening(Content::Takes))],
            Self::ImportPoses => vec![("Poses", opening(Content::Poses))],
            Self::ImportShapes => vec![("Meshes", file_kind::extensions(|kind| kind.has_shapes))],
            Self::ImportSound => vec![("Sounds", opening(Content::Sound))],
            Self::ImportMarkers => vec![("Labels", opening(Content::Markers))],
            Self::OpenReference => vec![("Images", ImageSequence::EXTENSIONS.to_vec())],
            Self::SaveProject | Self::ExportPoses | Self::VersionSheet | Self::Export(_) => vec![],
        }
    }

    /// For questions about where to save: the kind of file that is written.
    pub(crate) fn saves(self) -> Option<&'static FileKind> {
        match self {
            Self::SaveProject => Some(&file_kind::PROJECT),
            Self::ExportPoses => Some(&file_kind::POSES),
            Self::VersionSheet => Some(&file_kind::PNG),
            Self::Export(request) => Some(request.file_kind()),
            Self::Open
            | Self::OpenProject
            | Self::LocateHead
            | Self::ImportTakes
            | Self::ImportPoses
            | Self::ImportShapes
            | Self::ImportSound
            | Self::ImportMarkers
            | Self::OpenReference
            | Self::Compare => None,
        }
    }
}

/// The module that logs how a dialog on Linux failed. On other systems, dialogs always open.
const RFD: &str = "rfd::backend::xdg_desktop_portal";

type Choice = Pin<Box<dyn Future<Output = Option<Vec<FileHandle>>> + Send>>;

/// Opens a dialog. It begins at `suggestion`, which is a folder to look in, or a file to save. The dialog stays open if the job
/// is dropped.
pub(crate) fn show(
    parent: &Window,
    question: Question,
    suggestion: &Path,
    notify: impl Fn() + Send + 'static,
) -> Job<Picked> {
    let dialog = AsyncFileDialog::new().set_title(question.title()).set_parent(parent);
    logging::forget_last_level(RFD);
    // macOS opens dialogs on the main thread only, so that it is opened here and only its answer is awaited in the job.
    let choice: Choice = match question.saves() {
        Some(kind) => single(saving(dialog, kind, suggestion).save_file()),
        None if question == Question::ImportShapes => Box::pin(opening(dialog, question, suggestion).pick_files()),
        None => single(opening(dialog, question, suggestion).pick_file()),
    };
    Job::spawn("file dialog", OnDrop::Detach, notify, move |_| {
        let files = pollster::block_on(choice).unwrap_or_default();
        let paths = files.iter().map(|file| file.path().to_owned()).collect();
        picked(question, paths, logging::last_level(RFD))
    })
}

fn opening(mut dialog: AsyncFileDialog, question: Question, folder: &Path) -> AsyncFileDialog {
    for (name, extensions) in question.filters() {
        dialog = dialog.add_filter(name, &extensions);
    }
    dialog = dialog.add_filter("All files", &["*"]);
    if folder.as_os_str().is_empty() { dialog } else { dialog.set_directory(folder) }
}

fn saving(dialog: AsyncFileDialog, kind: &FileKind, file: &Path) -> AsyncFileDialog {
    let mut dialog = dialog.add_filter(kind.name, kind.extensions);
    if let Some(name) = file.file_name() {
        dialog = dialog.set_file_name(name.to_string_lossy());
    }
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => dialog.set_directory(folder),
        None => dialog,
    }
}

fn single(choice: impl Future<Output = Option<FileHandle>> + Send + 'static) -> Choice {
    Box::pin(async { choice.await.map(|file| vec![file]) })
}

/// The answer of a dialog. rfd returns nothing both for a dialog that was cancelled and for one that could not be opened; only
/// its log tells them apart. Without a desktop portal, [`RFD`] logs a warning that it falls back to zenity, and then an error if
/// zenity does not start either. Errors of the portal's own modules do not count: after them, a dialog may still have opened.
fn picked(question: Question, mut paths: Vec<PathBuf>, last_level: Option<Level>) -> Picked {
    match (paths.len(), question.saves()) {
        (0, _) if last_level == Some(Level::Error) => Picked::NoDialog,
        (0, _) => Picked::Cancelled,
        // The system has asked whether an existing file of the name that was typed may be replaced.
        (1, Some(kind)) => Picked::File(kind.complete(paths.remove(0))),
        (1, None) => Picked::File(paths.remove(0)),
        _ => Picked::Files(paths),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_chosen_is_a_cancelled_dialog_unless_none_could_be_opened() {
        let answer = |last_level| picked(Question::SaveProject, Vec::new(), last_level);
        assert_eq!(answer(None), Picked::Cancelled, "the portal's dialog");
        assert_eq!(answer(Some(Level::Warn)), Picked::Cancelled, "zenity's dialog");
        assert_eq!(answer(Some(Level::Error)), Picked::NoDialog);
    }

    #[test]
    fn a_file_to_be_saved_gets_its_extension() {
        let chosen = vec![PathBuf::from("no/such/folder/face")];
        assert_eq!(picked(Question::ExportPoses, chosen, None), Picked::File("no/such/folder/face.json".into()));
    }
}
