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
use smirk_export::{ExportRequest, SheetScale};
use smirk_files::reference::Footage;
use smirk_files::video::Video;
use smirk_ui::OpenAs;

use crate::window::settings::DialogKind;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Picked {
    /// A file was chosen. A file to be saved has the extension that was typed, if it can be written so, else that of
    /// its kind.
    File(PathBuf),
    /// Several files were chosen, where that is possible.
    Files(Vec<PathBuf>),
    Cancelled,
    NoDialog,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Question {
    Open(OpenAs),
    Save(Save),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Save {
    Project,
    Poses,
    Mapping,
    Notes,
    Mends,
    VersionSheet { scale: SheetScale, is_pdf: bool },
    Export(ExportRequest),
}

impl Question {
    /// What its files are, which says in which folder it begins.
    pub(crate) fn kind(self) -> DialogKind {
        match self {
            Self::Save(Save::Project) => DialogKind::Heads,
            Self::Save(Save::Poses | Save::Mapping | Save::Notes | Save::VersionSheet { .. } | Save::Export(_)) => {
                DialogKind::Exports
            }
            // A list of mends lies beside its head.
            Self::Save(Save::Mends) | Self::Open(OpenAs::Mends) => DialogKind::Heads,
            Self::Open(OpenAs::Reference) => DialogKind::References,
            Self::Open(OpenAs::Notes) => DialogKind::Exports,
            Self::Open(OpenAs::HeadOfProject | OpenAs::Version | OpenAs::File(None)) => DialogKind::Heads,
            Self::Open(OpenAs::File(Some(content)) | OpenAs::MissingTake(_, content)) => match content {
                Content::Head | Content::Project | Content::Shapes => DialogKind::Heads,
                Content::Takes | Content::Frames | Content::Poses | Content::Mapping => DialogKind::Takes,
                Content::Sound | Content::Markers => DialogKind::Takes,
            },
        }
    }
}

impl Save {
    fn title(self) -> &'static str {
        match self {
            Self::VersionSheet { .. } => "Save a sheet of what differs most",
            Self::Project => "Save the project",
            Self::Poses => "Export poses",
            Self::Mapping => "Save the mapping",
            Self::Notes => "Export the notes",
            Self::Mends => "Save the mends",
            Self::Export(request) => request.kind.dialog_title(),
        }
    }

    /// The same in the format whose extension was typed.
    fn named_as(self, path: &Path) -> Self {
        match self {
            Self::Export(request) => Self::Export(request.named_as(path)),
            Self::VersionSheet { scale, .. } => Self::VersionSheet { scale, is_pdf: file_kind::PDF.matches(path) },
            Self::Project | Self::Poses | Self::Mapping | Self::Notes | Self::Mends => self,
        }
    }

    pub(crate) fn kind(self) -> &'static FileKind {
        match self {
            Self::Project => &file_kind::PROJECT,
            Self::Poses => &file_kind::POSES,
            Self::Mapping => &file_kind::MAPPING,
            Self::Notes => &file_kind::NOTES,
            Self::Mends => &file_kind::MENDS,
            Self::VersionSheet { is_pdf: false, .. } => &file_kind::PNG,
            Self::VersionSheet { is_pdf: true, .. } => &file_kind::PDF,
            Self::Export(request) => request.file_kind(),
        }
    }
}

fn title_to_open(opens_as: OpenAs) -> &'static str {
    match opens_as {
        OpenAs::File(None) => "Open a head, project, take or pose file",
        OpenAs::File(Some(content)) | OpenAs::MissingTake(_, content) => content.words().dialog_title,
        OpenAs::HeadOfProject => "Locate the head of this project",
        OpenAs::Reference => "Open an image, one frame of a numbered sequence, or a video",
        OpenAs::Notes => "Import the notes of others",
        OpenAs::Mends => "Open a list of mends",
        OpenAs::Version => "Compare with another version of the head, or with recorded frames of it",
    }
}

type Filter = (&'static str, Vec<&'static str>);

fn filter(content: Content) -> Filter {
    (content.words().filter, content.extensions())
}

fn filters(opens_as: OpenAs) -> Vec<Filter> {
    match opens_as {
        OpenAs::File(None) => {
            let all = file_kind::extensions(|kind| !kind.opens_as.is_empty());
            vec![("Heads, projects, takes, poses, sounds", all), filter(Content::Head), filter(Content::Project)]
        }
        OpenAs::File(Some(content)) | OpenAs::MissingTake(_, content) => vec![filter(content)],
        OpenAs::HeadOfProject => vec![filter(Content::Head)],
        OpenAs::Version => vec![filter(Content::Head), ("Point caches", file_kind::point_caches())],
        OpenAs::Notes => vec![("Tables of notes", vec!["csv"])],
        OpenAs::Mends => vec![(file_kind::MENDS.name, file_kind::MENDS.extensions.to_vec())],
        OpenAs::Reference => {
            let all = [&Footage::IMAGES[..], &Video::EXTENSIONS].concat();
            vec![("Images and videos", all)]
        }
    }
}

/// The module that logs how a dialog on Linux failed. On other systems, dialogs always open.
const RFD: &str = "rfd::backend::xdg_desktop_portal";

type Choice = Pin<Box<dyn Future<Output = Option<Vec<FileHandle>>> + Send>>;

/// Opens a dialog. It begins at `suggestion`, which is a folder to look in, or a file to save. The dialog stays open if
/// the job is dropped.
pub(crate) fn show(
    parent: &Window,
    question: Question,
    suggestion: &Path,
    notify: impl Fn() + Send + 'static,
) -> Job<Picked> {
    let dialog = AsyncFileDialog::new().set_parent(parent);
    logging::forget_last_level(RFD);
    // macOS opens dialogs on the main thread only, so that it is opened here and only its answer is awaited in the job.
    let choice: Choice = match question {
        Question::Save(save) => single(saving(dialog, save, suggestion).save_file()),
        Question::Open(opens_as @ OpenAs::File(Some(Content::Shapes))) => {
            Box::pin(opening(dialog, opens_as, suggestion).pick_files())
        }
        Question::Open(opens_as) => single(opening(dialog, opens_as, suggestion).pick_file()),
    };
    Job::spawn("file dialog", OnDrop::Detach, notify, move |_| {
        let files = pollster::block_on(choice).unwrap_or_default();
        let paths = files.iter().map(|file| file.path().to_owned()).collect();
        picked(question, paths, logging::last_level(RFD))
    })
}

fn opening(dialog: AsyncFileDialog, opens_as: OpenAs, folder: &Path) -> AsyncFileDialog {
    let mut dialog = dialog.set_title(title_to_open(opens_as));
    for (name, extensions) in filters(opens_as) {
        dialog = dialog.add_filter(name, &extensions);
    }
    dialog = dialog.add_filter("All files", &["*"]);
    if folder.as_os_str().is_empty() {
        return dialog;
    }
    // Where no portal answers, rfd passes to zenity a name but no folder; portals take no name of what is opened.
    let dialog =
        if cfg!(target_os = "linux") { dialog.set_file_name(folder.join("").to_string_lossy()) } else { dialog };
    dialog.set_directory(folder)
}

fn saving(dialog: AsyncFileDialog, save: Save, file: &Path) -> AsyncFileDialog {
    let kind = save.kind();
    let mut dialog = dialog.set_title(save.title()).add_filter(kind.name, kind.extensions);
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

/// The answer of a dialog. rfd returns nothing both for a dialog that was cancelled and for one that could not be
/// opened; only its log tells them apart. Without a desktop portal, [`RFD`] logs a warning that it falls back to
/// zenity, and then an error if zenity does not start either. Errors of the portal's own modules do not count: after
/// them, a dialog may still have opened.
fn picked(question: Question, mut paths: Vec<PathBuf>, last_level: Option<Level>) -> Picked {
    match (paths.len(), question) {
        (0, _) if last_level == Some(Level::Error) => Picked::NoDialog,
        (0, _) => Picked::Cancelled,
        // The system has asked whether an existing file of the name that was typed may be replaced.
        (1, Question::Save(save)) => {
            let path = paths.remove(0);
            Picked::File(save.named_as(&path).kind().complete(path))
        }
        (1, Question::Open(_)) => Picked::File(paths.remove(0)),
        _ => Picked::Files(paths),
    }
}

#[cfg(test)]
mod tests {
    use smirk_export::{ExportKind, FilmFormat};

    use super::*;

    #[test]
    fn nothing_chosen_is_a_cancelled_dialog_unless_none_could_be_opened() {
        let answer = |last_level| picked(Question::Save(Save::Project), Vec::new(), last_level);
        assert_eq!(answer(None), Picked::Cancelled, "the portal's dialog");
        assert_eq!(answer(Some(Level::Warn)), Picked::Cancelled, "zenity's dialog");
        assert_eq!(answer(Some(Level::Error)), Picked::NoDialog);
    }

    #[test]
    fn a_file_to_be_saved_gets_its_extension() {
        let chosen = vec![PathBuf::from("no/such/folder/face")];
        assert_eq!(picked(Question::Save(Save::Poses), chosen, None), Picked::File("no/such/folder/face.json".into()));
    }

    #[test]
    fn an_extension_that_is_typed_chooses_the_format() {
        let film = ExportRequest { kind: ExportKind::Film, film: FilmFormat::WebP, ..ExportRequest::default() };
        let saved = |name: &str| picked(Question::Save(Save::Export(film)), vec![Path::new("no").join(name)], None);
        let names =
            [("out.gif", "out.gif"), ("OUT.MP4", "OUT.MP4"), ("out", "out.webp"), ("head v1.2", "head v1.2.webp")];
        for (typed, name) in names {
            assert_eq!(saved(typed), Picked::File(Path::new("no").join(name)));
        }
        let sheet = Save::VersionSheet { scale: SheetScale::Row, is_pdf: false };
        for (typed, name) in [("review.pdf", "review.pdf"), ("review", "review.png"), ("review.tif", "review.tif.png")]
        {
            let saved = picked(Question::Save(sheet), vec![Path::new("no").join(typed)], None);
            assert_eq!(saved, Picked::File(Path::new("no").join(name)));
        }
    }
}
