//! The options for what is compared with the face on pictures.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::Args;

use crate::cli::input::open_head;
use crate::cli::values::{Parsed, or_expected, part};
use smirk_base::names::printable_path;
use smirk_export::TwoFaces;
use smirk_files::import::version_of;
use smirk_scene::{HeatAgainst, ViewMode};
use smirk_session::{ComparedWith, HeadSource, Session};

#[derive(Debug, Args)]
pub(in crate::cli) struct CompareArgs {
    /// What is shown at the same moment too: another version of the head, at the same weights; take, for the compared
    /// take of a project; or recording, for the take as it was recorded
    #[arg(long, value_name = "HEAD|take|recording")]
    compare: Option<PathBuf>,
    /// How it is compared: both side by side, the other half transparent over the face, or a heat map of the distance
    /// between them
    #[arg(long, value_name = "side-by-side|onion|difference", requires = "compare", default_value = "side-by-side", value_parser = compare_as)]
    compare_as: CompareAs,
    /// Opacity of what is compared, with --compare-as onion, from 0 to 1
    #[arg(long, value_name = "PART", requires = "compare", default_value_t = 0.5, value_parser = part())]
    opacity: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompareAs {
    SideBySide,
    Onion,
    Difference,
}

impl CompareArgs {
    pub(in crate::cli) fn file(&self) -> Option<&PathBuf> {
        self.compare.as_ref().filter(|path| **path != Path::new("take") && **path != Path::new("recording"))
    }

    /// How both faces are on a picture; none if only one is.
    pub(in crate::cli) fn faces(&self) -> Option<TwoFaces> {
        self.compare.as_ref()?;
        match self.compare_as {
            CompareAs::SideBySide => Some(TwoFaces::Beside),
            CompareAs::Onion => Some(TwoFaces::Over(self.opacity)),
            CompareAs::Difference => None,
        }
    }

    /// Compares a session. Returns the files that were read.
    pub(in crate::cli) fn apply(&self, session: &mut Session) -> anyhow::Result<Vec<PathBuf>> {
        let Some(with) = &self.compare else { return Ok(Vec::new()) };
        let files = match self.file() {
            Some(path) => {
                let other = Arc::new(open_head(Some(path))?.turned_like(&session.head));
                let files = std::iter::once(path.clone()).chain(other.side_files.iter().cloned()).collect();
                let version = Arc::new(version_of(&session.head, other));
                session.compare_with(version, HeadSource::File(path.clone()));
                files
            }
            None => {
                let is_take = with == Path::new("take");
                session.compared_with = if is_take { ComparedWith::Take } else { ComparedWith::Recording };
                Vec::new()
            }
        };
        if !session.b().exists() {
            bail!("--compare {}: {}", printable_path(with), session.compared_with.why_none());
        }
        if self.compare_as == CompareAs::Difference {
            let look = &mut session.edits.look;
            (look.view, look.heat.against) = (ViewMode::Heat, HeatAgainst::Compared);
        }
        Ok(files)
    }
}

fn compare_as(text: &str) -> Parsed<CompareAs> {
    let found = match text {
        "side-by-side" => Some(CompareAs::SideBySide),
        "onion" => Some(CompareAs::Onion),
        "difference" => Some(CompareAs::Difference),
        _ => None,
    };
    or_expected(found, "side-by-side, onion or difference")
}
