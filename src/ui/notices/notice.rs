//! What is shown on top of the picture about files: progress, a question, or a message. Plain data.

use std::path::PathBuf;

use smirk_editor::document::LoadStatus;

/// The notice on top of the picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// No notice.
    Idle,
    /// A file is being read.
    Loading {
        /// The file's name.
        name: String,
        /// The current step.
        stage: String,
        /// From 0 to 1.
        fraction: f32,
    },
    /// The first picture of a head that takes long to draw is not finished yet.
    Drawing {
        /// The head's name.
        name: String,
        /// From 0 to 1.
        fraction: f32,
    },
    /// A question: how the shapes of these files are to be matched with the head.
    MatchShapes {
        /// The files.
        files: Vec<PathBuf>,
    },
    /// A message that needs no action.
    Info {
        /// What happened, in a few words.
        title: String,
        /// The details.
        message: String,
    },
    /// A message that something went wrong. A load that failed leaves the head before on screen.
    Failure {
        /// What happened, in a few words.
        title: String,
        /// The cause, and what to do about it.
        message: String,
    },
}

/// The progress of contact sheets, which is shown below the notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetStatus {
    /// How many pictures are drawn, and how many there will be; `None` while the file is written.
    pub drawing: Option<(usize, usize)>,
    /// The number of contact sheets that are drawn after this one.
    pub waiting: usize,
}

impl From<LoadStatus> for Notice {
    fn from(status: LoadStatus) -> Self {
        match status {
            LoadStatus::Idle => Self::Idle,
            LoadStatus::Loading { name, stage, fraction } => Self::Loading { name, stage, fraction },
            LoadStatus::Failure { title, message } => Self::Failure { title, message },
        }
    }
}
