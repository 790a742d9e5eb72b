//! What an importer has to say about a file that opened.

use serde::Serialize;

/// How much a note matters to the artist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Something was converted; the picture is right.
    Info,
    /// Something was repaired or left out; the picture may differ from what the author meant.
    Warning,
}

/// One remark, tied to the object it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Note {
    /// How much it matters.
    pub level: Level,
    /// What it is about, e.g. `mesh "face", target 3 "jawOpen"`.
    pub object: String,
    /// What was done and why, with the numbers.
    pub message: String,
}

impl Note {
    /// That a head has no targets, until it is given some.
    pub fn no_targets() -> Self {
        Self::info("file", "has no morph targets: it can be looked at, not moved. File › Import shapes… gives it some")
    }

    /// A conversion that changes nothing to see.
    pub fn info(object: impl Into<String>, message: impl Into<String>) -> Self {
        Self { level: Level::Info, object: object.into(), message: message.into() }
    }

    /// A repair or an omission.
    pub fn warning(object: impl Into<String>, message: impl Into<String>) -> Self {
        Self { level: Level::Warning, object: object.into(), message: message.into() }
    }
}
