//! The captures that the takes of a project are in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::format::Project;
use crate::document::recording;
use crate::session::{SoundTrack, TakeEntry};
use smirk_face::motion::Take;
use smirk_files::import;

impl Project {
    /// Reads the captures of the project's takes.
    pub fn read_takes(&self) -> TakeFiles {
        TakeFiles::read(&self.edits.takes)
    }
}

/// The takes in the captures of a project, or why a capture could not be read. Reading takes time, so it is done in a job.
#[derive(Debug, Default)]
pub struct TakeFiles {
    takes: BTreeMap<PathBuf, Result<Vec<Arc<Take>>, String>>,
    /// The lengths of sounds that were being recorded when the project was written, in seconds.
    recorded_secs: BTreeMap<PathBuf, f32>,
}

impl TakeFiles {
    fn read(entries: &[TakeEntry]) -> Self {
        let mut takes = BTreeMap::new();
        for file in entries.iter().filter_map(|entry| entry.file.as_deref()) {
            recording::complete(file);
            takes.entry(file.to_owned()).or_insert_with(|| match import::open_takes(file) {
                Ok(takes) => Ok(takes.into_iter().map(Arc::new).collect()),
                Err(error) => Err(error.to_string()),
            });
        }
        let growing = entries.iter().filter_map(|entry| entry.sound.as_ref().filter(|sound| sound.is_growing));
        let recorded = |sound: &SoundTrack| {
            recording::complete_sound(&sound.file).map(|secs| (sound.file.to_path_buf(), secs as f32))
        };
        Self { takes, recorded_secs: growing.filter_map(recorded).collect() }
    }

    /// The sound of a take, if it has one.
    pub(super) fn sound(&self, entry: &TakeEntry) -> Option<SoundTrack> {
        let sound = entry.sound.clone()?;
        if sound.is_growing {
            return self.recorded_secs.get(&*sound.file).map(|&secs| SoundTrack::new(&sound.file, secs));
        }
        Some(sound.within_reason())
    }

    /// The recorded data of the take at `index`. Where a capture has several takes of one name, the entries of that name get them
    /// in their order.
    pub(super) fn find(&self, entries: &[TakeEntry], index: usize) -> Result<Arc<Take>, String> {
        let entry = &entries[index];
        let file: &Path = entry.file.as_deref().ok_or("it came from no file")?;
        let takes = match self.takes.get(file) {
            None => return Err(format!("{} was not read", file.display())),
            Some(Err(problem)) => return Err(format!("{problem} ({})", file.display())),
            Some(Ok(takes)) => takes,
        };
        let of_name: Vec<&Arc<Take>> = takes.iter().filter(|take| take.name == entry.name).collect();
        let is_alike = |other: &&TakeEntry| other.name == entry.name && other.file == entry.file;
        let nth = entries[..index].iter().filter(is_alike).count().checked_rem(of_name.len());
        let nth = nth.ok_or_else(|| format!("{} holds no take of that name any more", file.display()))?;
        Ok(of_name[nth].clone())
    }
}
