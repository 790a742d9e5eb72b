//! Takes by file and name. Their curves stay in the captures they came from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::file_ref::FileRef;
use crate::document::recording;
use crate::session::{Edits, SoundTrack, TakeEntry, TakeId};
use smirk_face::head::Head;
use smirk_face::motion::{Aliases, Take, TakeEdit, TakeMap};
use smirk_files::import;

/// A take without its curves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TakeRecord {
    /// The capture it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<FileRef>,
    /// Its name in the capture.
    pub name: String,
    /// What is changed of the recording, in this order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<TakeEdit>,
    /// Which column drives which channels, and how.
    pub map: TakeMap,
    /// The sound that was recorded with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sound: Option<SoundRecord>,
    /// Whether the artist has marked it as a good one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub starred: bool,
}

/// A sound without its samples.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SoundRecord {
    /// Its file.
    pub file: FileRef,
    /// Where it begins on the timeline, in seconds.
    pub offset_secs: f32,
    /// How long it is, so that the timeline is as long without the file.
    pub duration_secs: f32,
    /// Whether it was being recorded: then it is only there if something was heard.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_growing: bool,
}

impl SoundRecord {
    pub(super) fn of(sound: &SoundTrack) -> Self {
        Self {
            file: FileRef::new(&sound.file),
            offset_secs: sound.offset_secs,
            duration_secs: sound.duration_secs,
            is_growing: false,
        }
    }

    /// A sound that is being recorded.
    pub(in crate::document) fn growing(file: &Path) -> Self {
        Self { file: FileRef::new(file), is_growing: true, ..Self::default() }
    }

    /// The sound, with numbers within reason.
    pub(in crate::document) fn track(&self) -> SoundTrack {
        /// No sound in memory is longer.
        const LONGEST_SECS: f32 = 1e6;
        let duration_secs = if self.duration_secs > 0.0 { self.duration_secs.min(LONGEST_SECS) } else { 0.0 };
        SoundTrack::new(&self.file.path(), duration_secs).at(self.offset_secs)
    }
}

impl TakeRecord {
    pub(super) fn of(entry: &TakeEntry) -> Self {
        Self {
            file: entry.take.source.as_deref().map(FileRef::new),
            name: entry.take.name.clone(),
            edits: entry.edits.clone(),
            map: entry.map.clone(),
            sound: entry.sound.as_ref().map(SoundRecord::of),
            starred: entry.is_starred,
        }
    }

    /// Gives a take of the session the edits and the mapping of this record.
    pub(in crate::document) fn apply(&self, entry: &mut TakeEntry, head: &Head, aliases: &Aliases) {
        entry.edits = self.edits.iter().take(TakeEdit::MOST).cloned().collect();
        entry.is_starred = self.starred;
        entry.map = self.map.fitted(&entry.take, head, aliases);
        entry.sound = self.sound.as_ref().map(SoundRecord::track);
    }
}

/// The index of a take in the session's list, which is its index in the project's.
pub(super) fn index_of(edits: &Edits, take: Option<TakeId>) -> Option<usize> {
    edits.takes.iter().position(|entry| Some(entry.id) == take)
}

/// The takes in the captures of a project, or why a capture could not be read. Reading takes time, so it is done in a job.
#[derive(Debug, Default)]
pub struct TakeFiles {
    takes: BTreeMap<PathBuf, Result<Vec<Arc<Take>>, String>>,
    /// The lengths of sounds that were being recorded when the project was written, in seconds.
    recorded_secs: BTreeMap<PathBuf, f32>,
}

impl TakeFiles {
    pub(super) fn read(records: &[TakeRecord]) -> Self {
        let mut files = BTreeMap::new();
        for path in records.iter().filter_map(|record| Some(record.file.as_ref()?.path())) {
            recording::complete(&path);
            files.entry(path.clone()).or_insert_with(|| match import::open_takes(&path) {
                Ok(takes) => Ok(takes.into_iter().map(Arc::new).collect()),
                Err(error) => Err(error.to_string()),
            });
        }
        let growing = records.iter().filter_map(|record| record.sound.as_ref().filter(|sound| sound.is_growing));
        let recorded = |sound: &SoundRecord| {
            let path = sound.file.path();
            recording::complete_sound(&path).map(|secs| (path, secs as f32))
        };
        Self { takes: files, recorded_secs: growing.filter_map(recorded).collect() }
    }

    /// The sound of a record, if it has one.
    pub(super) fn sound(&self, record: &TakeRecord) -> Option<SoundTrack> {
        let sound = record.sound.as_ref()?;
        if sound.is_growing {
            let path = sound.file.path();
            return self.recorded_secs.get(&path).map(|&secs| SoundTrack::new(&path, secs));
        }
        Some(sound.track())
    }

    /// The take of the record at `index`. Where a capture has several takes of one name, the records of that name get them in
    /// their order.
    pub(super) fn find(&self, records: &[TakeRecord], index: usize) -> Result<Arc<Take>, String> {
        let record = &records[index];
        let path = record.file.as_ref().ok_or("it came from no file")?.path();
        let takes = match self.takes.get(&path) {
            None => return Err(format!("{} was not read", path.display())),
            Some(Err(problem)) => return Err(format!("{problem} ({})", path.display())),
            Some(Ok(takes)) => takes,
        };
        let of_name: Vec<&Arc<Take>> = takes.iter().filter(|take| take.name == record.name).collect();
        let is_alike = |other: &&TakeRecord| other.name == record.name && other.file == record.file;
        let nth = records[..index].iter().filter(is_alike).count().checked_rem(of_name.len());
        let nth = nth.ok_or_else(|| format!("{} holds no take of that name any more", path.display()))?;
        Ok(of_name[nth].clone())
    }
}
