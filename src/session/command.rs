//! What the UI asks for that is not the session's to do.

use std::path::PathBuf;

use crate::head::ShapeFile;

/// What leaves the process, or needs more than the session: returned by the UI, done by the app.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Ask for a file, then open it.
    OpenDialog,
    /// Open this file.
    Open(PathBuf),
    /// Go back to the head inside the program.
    OpenEmbedded,
    /// Give up the load under way.
    CancelLoad,
    /// Put the message about a failed load away.
    DismissFailure,
    /// Forget the list of recent files.
    ClearRecent,
    /// Ask for a project file to open.
    OpenProjectDialog,
    /// Save the project where it is; asks where if it is nowhere yet.
    SaveProject,
    /// Ask where to save the project, then do.
    SaveProjectAs,
    /// Bring back work that an earlier run of the program did not save.
    RestoreWork,
    /// Throw that work away.
    DiscardWork,
    /// Ask where the head of the project just opened is now.
    LocateHead,
    /// Ask for a capture or a model with animations, then import its takes.
    ImportTakesDialog,
    /// Do without a take of the project whose file is gone: its place among those.
    ForgetTake(usize),
    /// Import the takes of this file.
    ImportTakes(PathBuf),
    /// Ask for files whose shapes to add to the head.
    ImportShapesDialog,
    /// Add these.
    ImportShapes(Vec<ShapeFile>),
    /// Ask for a file of poses, then import them.
    ImportPosesDialog,
    /// Ask where to write the poses, then do.
    ExportPoses,
    /// Ask where to write a contact sheet, then make it.
    ContactSheet(SheetOf),
    /// Give up the contact sheet under way.
    CancelSheet,
    /// Compare the current mode with the f64 reference, once.
    MeasureError,
    /// Measure what every blend mode costs on this head.
    MeasureModes,
    /// Give up that measurement.
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
