//! A notice to the artist about files: progress, a question, a message. Plain data.

use std::path::PathBuf;

/// The notice that is shown on top of the picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Notice {
    /// Nothing.
    Idle,
    /// Drawing a contact sheet.
    Sheet {
        /// Pictures on it.
        done: usize,
        /// Pictures it will have; as many as there are while it is written.
        total: usize,
    },
    /// Reading a file.
    Busy {
        /// The file's name.
        name: String,
        /// What it is at.
        stage: String,
        /// 0..1.
        fraction: f32,
    },
    /// Shapes are about to be imported; the artist may say how they are matched.
    Shapes {
        /// The files.
        files: Vec<PathBuf>,
    },
    /// Something to say that is no mishap.
    Told {
        /// In a few words.
        title: String,
        /// All of it.
        message: String,
    },
    /// Something went wrong; the head on screen is the one from before.
    Failed {
        /// In a few words.
        title: String,
        /// What was wrong and what to do.
        message: String,
    },
}
