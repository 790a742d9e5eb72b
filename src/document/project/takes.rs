//! Takes by file and name. Their curves stay in the captures they came from.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

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
pub struct TakeFiles(BTreeMap<PathBuf, Result<Vec<Arc<Take>>, String>>);

impl TakeFiles {
    pub(super) fn read(records: &[TakeRecord]) -> Self {
        let mut files = BTreeMap::new();
        for path in records.iter().filter_map(|record| Some(record.file.as_ref()?.path())) {
            files.entry(path.clone()).or_insert_with(|| match import::open_takes(&path) {
                Ok(takes) => Ok(takes.into_iter().map(Arc::new).collect()),
                Err(error) => Err(error.to_string()),
            });
        }
        Self(files)
    }

    /// The take of the record at a place in the list. Where a file has several takes of one name, records of that name get them
    /// in turn.
    pub(super) fn find(&self, records: &[TakeRecord], place: usize) -> Result<Arc<Take>, String> {
        let record = &records[place];
        let path = record.file.as_ref().ok_or("it came from no file")?.path();
        let takes = match self.0.get(&path) {
            None => return Err(format!("{} was not read", path.display())),
            Some(Err(problem)) => return Err(format!("{problem} ({})", path.display())),
            Some(Ok(takes)) => takes,
        };
        let namesakes: Vec<&Arc<Take>> = takes.iter().filter(|take| take.name == record.name).collect();
        let is_alike = |other: &&TakeRecord| other.name == record.name && other.file == record.file;
        let turn = records[..place].iter().filter(is_alike).count().checked_rem(namesakes.len());
        let turn = turn.ok_or_else(|| format!("{} holds no take of that name any more", path.display()))?;
        Ok(namesakes[turn].clone())
    }
}
