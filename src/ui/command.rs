//! Commands: the requests of the panels that are not edits of the session.

use std::path::PathBuf;

use smirk_base::file_kind::Content;
use smirk_editor::document::LoadRequest;
use smirk_export::{ExportRequest, SheetScale};
use smirk_session::{TakeId, WorkCommand};

/// A request of the panels that needs files, the graphics device or the window. The panels return commands, and the
/// window executes them.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Show a dialog to choose a file, and open it.
    Choose(OpenAs),
    Open(OpenAs, PathBuf),
    Load(Box<LoadRequest>),
    CancelLoad,
    /// Say for some seconds what was done.
    ShowStatus(String),
    /// Start new heads with the look of this one.
    MakeLookDefault,
    /// Hide the notice in the viewport.
    DismissNotice,
    ClearRecent,
    /// Save the project to its file; show a dialog if it has none yet.
    SaveProject,
    /// Show a dialog to choose a project file, and save the project to it.
    SaveProjectAs,
    /// Ask what to do about a project file that another program has changed or deleted.
    ResolveFileChange,
    /// Open again what was open before another head was.
    GoBack,
    Work(WorkCommand),
    CloseVersion,
    /// Show a dialog to choose a file, and draw to it the expressions that differ most from another version.
    VersionSheet(SheetScale),
    CancelVersionSheet,
    /// Write the voice into a take.
    BakeVoice,
    /// Show a dialog to choose a file, and export the poses to it.
    ExportPoses,
    /// Show a dialog to choose a file, and write the review notes to it.
    ExportNotes,
    /// Show a dialog to choose a file of mends, and write the list to it.
    SaveMends,
    /// Choose a file, and export how the columns of the take that plays, else of the live face, are mapped.
    ExportMapping,
    /// Show a dialog to choose a file, and export this to it.
    Export(ExportRequest),
    CancelExport,
    CancelSheet,
    /// Put the picture on the clipboard.
    CopyPicture,
    /// Compare the current blend mode with the f64 reference once.
    MeasureError,
    /// Measure the time of every blend mode on this head.
    MeasureModes,
    CancelMeasuring,
    /// Show the log file in the system's file manager.
    ShowLogFile,
    Answer(Answer),
    Quit,
}

/// What a file is opened as, from a dialog, the command line or a list of files to the loader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenAs {
    /// What it holds; with a content, one of several that it can be opened as.
    File(Option<Content>),
    HeadOfProject,
    /// The file of a take whose data is missing, which has this content.
    MissingTake(TakeId, Content),
    /// An image, or one of a numbered sequence, that is looked at beside the face.
    Reference,
    /// Another version of the open head, to compare it with.
    Version,
    /// A table of the review notes of others.
    Notes,
    /// A list of mends, which is added to that of the head.
    Mends,
}

/// An answer to a question that covers the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Choose a file, and save the project there.
    SaveAs,
    /// Save the project, in its file if it has one, and end the program.
    Save,
    /// End the program, even if work is lost with it.
    Quit,
    /// Open the head that was read without the work on the one before.
    StartAnew,
    /// Open it with all that would play on it.
    KeepWork,
    /// Open the project file that another program has changed.
    LoadTheirs,
    /// Replace the project file that another program has changed.
    Overwrite,
    Cancel,
}
