//! Takes by file and name. Their curves stay in the captures they came from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::FileRef;
use crate::import;
use crate::motion::{Take, TakeMap};
use crate::session::{Edits, TakeEntry, TakeId};

/// A take, without its curves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TakeRecord {
    /// The capture it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<FileRef>,
    /// Its name there.
    pub name: String,
    /// Which column drives which channels, and how.
    pub map: TakeMap,
}

impl TakeRecord {
    pub(super) fn of(entry: &TakeEntry) -> Self {
        Self {
            file: entry.take.source.as_deref().map(FileRef::new),
            name: entry.take.name.clone(),
            map: entry.map.clone(),
        }
    }
}

/// Where in the list a take is.
pub(super) fn place_of(edits: &Edits, take: Option<TakeId>) -> Option<usize> {
    edits.takes.iter().position(|entry| Some(entry.id) == take)
}

/// What the captures that a project names hold, or why not. Reading them takes time: not on the window's thread.
#[derive(Debug, Default)]
pub struct TakeFiles(BTreeMap<PathBuf, Result<Vec<Option<Take>>, String>>);

impl TakeFiles {
    pub(super) fn read(records: &[TakeRecord]) -> Self {
        let mut files = BTreeMap::new();
        for path in records.iter().filter_map(|record| Some(record.file.as_ref()?.path())) {
            files.entry(path.clone()).or_insert_with(|| match import::open_takes(&path) {
                Ok(takes) => Ok(takes.into_iter().map(Some).collect()),
                Err(error) => Err(error.to_string()),
            });
        }
        Self(files)
    }

    /// Takes a record's take out; of several of one name, the first that is left.
    pub(super) fn claim(&mut self, record: &TakeRecord) -> Result<Take, String> {
        let path = record.file.as_ref().ok_or("it came from no file")?.path();
        match self.0.get_mut(&path) {
            None => Err(format!("{} was not read", path.display())),
            Some(Err(problem)) => Err(format!("{problem} ({})", path.display())),
            Some(Ok(takes)) => takes
                .iter_mut()
                .find_map(|take| take.take_if(|take| take.name == record.name))
                .ok_or_else(|| format!("{} holds no take of that name any more", path.display())),
        }
    }
}
