//! What is shown on top of the picture about files: progress, a question, or a message. Plain data.

use std::path::PathBuf;

use crate::document::LoadStatus;

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
    /// A contact sheet is being drawn or written.
    ContactSheet {
        /// The number of pictures that are drawn.
        done: usize,
        /// The number of pictures it will have; equal to `done` while the file is written.
        total: usize,
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

impl From<LoadStatus> for Notice {
    fn from(status: LoadStatus) -> Self {
        match status {
            LoadStatus::Idle => Self::Idle,
            LoadStatus::Loading { name, stage, fraction } => Self::Loading { name, stage, fraction },
            LoadStatus::Failure { title, message } => Self::Failure { title, message },
        }
    }
}
