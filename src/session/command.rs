//! Commands: what the panels request that is not an edit of the session.

use std::path::PathBuf;

use crate::head::ShapeFile;

/// A request of the panels that needs files, the graphics device or the window. The panels return it, and the window executes it.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Ask for a file, and open it.
    OpenDialog,
    /// Open this file.
    Open(PathBuf),
    /// Open the bundled head.
    OpenEmbedded,
    /// Cancel loading.
    CancelLoad,
    /// Hide the notice on top of the picture.
    DismissNotice,
    /// Clear the list of recent files.
    ClearRecent,
    /// Ask for a project file, and open it.
    OpenProjectDialog,
    /// Save the project to its file; ask for one if it has none yet.
    SaveProject,
    /// Ask for a project file, and save the project there.
    SaveProjectAs,
    /// Restore work that an earlier run of the program did not save.
    RestoreWork,
    /// Delete that work.
    DiscardWork,
    /// Ask for the head file of a project whose head does not open.
    LocateHead,
    /// Ask for a capture or a model with animations, and import its takes.
    ImportTakesDialog,
    /// Remove a take of the project whose file is missing: its index among those.
    ForgetTake(usize),
    /// Import the takes of this file.
    ImportTakes(PathBuf),
    /// Ask for files whose shapes are to be added to the head.
    ImportShapesDialog,
    /// Add the shapes of these files to the head.
    ImportShapes(Vec<ShapeFile>),
    /// Ask for a file of poses, and import them.
    ImportPosesDialog,
    /// Ask for a file, and export the poses to it.
    ExportPoses,
    /// Ask for a file, and draw a contact sheet to it.
    ContactSheet(SheetOf),
    /// Cancel the contact sheet.
    CancelSheet,
    /// Compare the current blend mode with the f64 reference, once.
    MeasureError,
    /// Measure the time of every blend mode on this head.
    MeasureModes,
    /// Cancel that measurement.
    CancelMeasuring,
    /// Show the log file in the system's file manager.
    ShowLogFile,
    /// End the program.
    Quit,
}

/// What a contact sheet shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetOf {
    /// Every expression alone.
    Expressions,
    /// Every pose.
    Poses,
    /// Moments of the timeline.
    Moments,
}
