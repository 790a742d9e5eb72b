//! The options for another version of the head on the picture.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::input::open_head;
use crate::export::TwoVersions;
use crate::import::version_of;
use crate::scene::{HeatAgainst, ViewMode};
use crate::session::{HeadSource, Session};

/// How another version of the head is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CompareAs {
    /// Beside the head.
    SideBySide,
    /// Half transparent over it.
    Onion,
    /// As a heat map of the distance, on the head.
    Difference,
}

impl CompareAs {
    /// How both are on the picture; none if only the head is.
    pub(super) fn layout(self, opacity: f32) -> Option<TwoVersions> {
        match self {
            Self::SideBySide => Some(TwoVersions::Beside),
            Self::Onion => Some(TwoVersions::Over(opacity)),
            Self::Difference => None,
        }
    }
}

/// Compares a session with another version of its head. Returns the files that were read.
pub(super) fn compare_with(session: &mut Session, path: &PathBuf, shown: CompareAs) -> anyhow::Result<Vec<PathBuf>> {
    let other = Arc::new(open_head(Some(path))?);
    let files = std::iter::once(path.clone()).chain(other.side_files.iter().cloned()).collect();
    let version = Arc::new(version_of(&session.head, other));
    session.compare_with(version, HeadSource::File(path.clone()));
    if shown == CompareAs::Difference {
        let look = &mut session.edits.look;
        (look.view, look.heat.against) = (ViewMode::Heat, HeatAgainst::Compared);
    }
    Ok(files)
}

/// The value of `--compare-as`.
pub(super) fn compare_as(text: &str) -> Result<CompareAs, String> {
    match text {
        "side-by-side" => Ok(CompareAs::SideBySide),
        "onion" => Ok(CompareAs::Onion),
        "difference" => Ok(CompareAs::Difference),
        _ => Err("side-by-side, onion or difference".into()),
    }
}

/// The value of `--opacity`.
pub(super) fn part(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|part| (0.0..=1.0).contains(part)).ok_or_else(|| "a number from 0 to 1".into())
}
