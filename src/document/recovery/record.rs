//! The content of a recovery file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::atomic_file;
use crate::document::Project;
use crate::document::on_disk::Fingerprint;
use crate::document::project::ProjectHeader;
use crate::json::{self, Text};

/// Unsaved work, and how it is described to the artist.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecoveryRecord {
    /// The name of the project, else of the head.
    #[serde(default = "unnamed")]
    pub name: String,
    /// The project file that it is to be saved in, if it has one.
    #[serde(default, with = "json::optional_path")]
    pub project_file: Option<PathBuf>,
    /// What that file held when this run of the program read it or saved it last.
    #[serde(default)]
    pub known: Option<Fingerprint>,
    /// When it was written, in seconds since 1970.
    #[serde(default, rename = "kept_unix_secs")]
    pub written_unix_secs: u64,
    /// The work as a project.
    pub project: Project,
}

/// The part that says whether this version of the program can read the rest.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Header {
    project: ProjectHeader,
}

fn unnamed() -> String {
    "unsaved work".into()
}

impl RecoveryRecord {
    /// A record of work as it is now.
    pub fn new(name: String, project_file: Option<PathBuf>, project: Project) -> Self {
        Self { name, project_file, known: None, written_unix_secs: now_unix_secs(), project }
    }

    /// Reads a recovery file. None if it has been deleted meanwhile, or a later version of the program wrote it, which can read it.
    /// If some values of it cannot be read, the file is copied first, since it will be written again.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, String> {
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            bytes => bytes.map_err(|error| error.to_string())?,
        };
        let text = Text::of(&bytes).map_err(|error| error.to_string())?;
        // The version is read first, since a later format may look damaged to this version.
        let (header, _) = text.read::<Header>().map_err(|error| error.to_string())?;
        if header.project.later_version().is_some() {
            return Ok(None);
        }
        let (mut record, lost) = text.read::<Self>().map_err(|error| error.to_string())?;
        if !lost.is_empty() {
            let copy = path.with_extension("json.broken");
            let fate = match atomic_file::write(&copy, &bytes) {
                Ok(()) => format!("the unsaved work as it was is kept as {}", copy.display()),
                Err(error) => format!("the unsaved work as it was cannot be kept as {}: {error}", copy.display()),
            };
            record.project.notes_on_lost(&lost, &fate);
        }
        Ok(Some(record))
    }

    /// How long ago it was written.
    pub(super) fn age_secs(&self) -> u64 {
        now_unix_secs().saturating_sub(self.written_unix_secs)
    }

    /// How long ago it was written, in words.
    pub fn age_text(&self) -> String {
        let minutes = self.age_secs() / 60;
        let (count, unit) = match minutes {
            0 => return "a moment ago".into(),
            1..60 => (minutes, "minute"),
            60..1440 => (minutes / 60, "hour"),
            _ => (minutes / 1440, "day"),
        };
        format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
    }
}

pub(super) fn now_unix_secs() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_age_is_given_in_the_largest_unit() {
        let work = |ago| RecoveryRecord {
            written_unix_secs: now_unix_secs() - ago,
            ..RecoveryRecord::new("ada".into(), None, Project::default())
        };
        let texts = [0, 61, 3 * 3600 + 5, 49 * 3600].map(|ago| work(ago).age_text());
        assert_eq!(texts, ["a moment ago", "1 minute ago", "3 hours ago", "2 days ago"]);
    }
}
