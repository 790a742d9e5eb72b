//! Commands: the requests of the panels that are not edits of the session.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use smirk_face::head::ShapeFile;

use super::live::LiveCommand;
use super::work_command::WorkCommand;

/// A request of the panels that needs files, the graphics device or the window. The panels return commands, and the
/// window executes them.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Show a dialog to choose a file, and open it.
    OpenDialog,
    /// Open this file.
    Open(PathBuf),
    /// Open the bundled head.
    OpenEmbedded,
    /// Cancel loading.
    CancelLoad,
    /// Say for some seconds what was done.
    ShowStatus(String),
    /// Start new heads with the look of this one.
    MakeLookDefault,
    /// Hide the notice in the viewport.
    DismissNotice,
    /// Clear the list of recent files.
    ClearRecent,
    /// Show a dialog to choose a project file, and open it.
    OpenProjectDialog,
    /// Save the project to its file; show a dialog if it has none yet.
    SaveProject,
    /// Show a dialog to choose a project file, and save the project to it.
    SaveProjectAs,
    /// Ask what to do about a project file that another program has changed or deleted.
    ResolveFileChange,
    /// Do something with work that was never saved.
    Work(WorkCommand),
    /// Show a dialog to choose the head file of a project whose head does not open.
    LocateHead,
    /// Show a dialog to choose a capture or a model with animations, and import its takes.
    ImportTakesDialog,
    /// Import the takes of this file.
    ImportTakes(PathBuf),
    /// Show a dialog to choose a sound for what plays.
    ImportSoundDialog,
    /// Show a dialog to choose a file of markers, and add them.
    ImportMarkersDialog,
    /// Try again to read the sound and to play it.
    RetrySound,
    /// Do something with live capture.
    Live(LiveCommand),
    /// Show a dialog to choose another version of the head, and compare it.
    CompareDialog,
    /// Compare the head with this file, another version of it.
    Compare(PathBuf),
    /// End the comparison with another version.
    CloseVersion,
    /// Show a dialog to choose a file, and draw to it the expressions that differ most from another version.
    VersionSheet,
    /// Cancel that sheet.
    CancelVersionSheet,
    /// Show a dialog to choose an image, or one of a numbered sequence, as the reference.
    OpenReferenceDialog,
    /// Show a dialog to choose files whose shapes are added to the head.
    ImportShapesDialog,
    /// Add the shapes of these files to the head.
    ImportShapes(Vec<ShapeFile>),
    /// Show a dialog to choose a file of poses, and import them.
    ImportPosesDialog,
    /// Show a dialog to choose a file, and export the poses to it.
    ExportPoses,
    /// Show a dialog to choose a file, and save the head to it as .glb, with the shapes that were imported.
    SaveHead,
    /// Show a dialog to choose a file, and export what the Export page describes to it.
    Export,
    /// Cancel the export whose progress is shown.
    CancelExport,
    /// Show a dialog to choose a file, and draw a contact sheet to it.
    ContactSheet(SheetOf),
    /// Cancel the contact sheet.
    CancelSheet,
    /// Compare the current blend mode with the f64 reference once.
    MeasureError,
    /// Measure the time of every blend mode on this head.
    MeasureModes,
    /// Cancel the measurement of the blend modes.
    CancelMeasuring,
    /// Try the combinations of expressions that break faces.
    TryCombinations,
    /// Cancel trying them.
    CancelCombinations,
    /// Show the log file in the system's file manager.
    ShowLogFile,
    /// Answer the question that covers the window.
    Answer(Answer),
    /// End the program.
    Quit,
}

/// An answer to a question that covers the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Choose a file, and save the project there.
    SaveAs,
    /// End the program, even if work is lost with it.
    Quit,
    /// Open the project file that another program has changed.
    LoadTheirs,
    /// Replace the project file that another program has changed.
    Overwrite,
    /// Do nothing.
    Cancel,
}

/// What a contact sheet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SheetOf {
    /// Every expression alone.
    Expressions,
    /// Every pose.
    Poses,
    /// Moments of the timeline.
    Moments,
}
