//! Where recordings are put: beside the project, or in the data folder of the user until there is a project. A folder
//! for each run of the program keeps takes of one name apart.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::grow::growing_path;
use super::sound::sound_path;
use smirk_base::atomic_file::{OutputPath, WriteError};
use smirk_base::names::safe_file_name;
use smirk_base::regular_file;
use smirk_face::motion::TakeMap;
use smirk_session::{FileRef, SoundTrack, TakeEntry};

#[derive(Debug, Error)]
pub enum RecordingError {
    #[error(
        "A recording has no folder: save the project first. This user has no home folder, and SMIRK_CONFIG_DIR names no other"
    )]
    NoFolder,
    #[error("The recording {} cannot be written: {source}", file.display())]
    Unwritable { file: PathBuf, source: io::Error },
}

#[derive(Clone, Debug, Default)]
pub(in crate::document) struct Places {
    /// Where they are while the work has no project file; none if the user has no home folder.
    pub unsaved: Option<PathBuf>,
    pub run: String,
}

impl Places {
    /// The path of the next recording whose name begins with `base`, and that name: numbered after all in `names` and
    /// on disk.
    pub(in crate::document) fn next(
        &self,
        base: &str,
        project: Option<&Path>,
        names: &[&str],
    ) -> Result<(PathBuf, String), RecordingError> {
        let folder = project.and_then(project_folder).or_else(|| self.unsaved.clone());
        let folder = folder.ok_or(RecordingError::NoFolder)?.join(&self.run);
        let base = safe_file_name(if base.trim().is_empty() { "Take" } else { base.trim() }, "");
        let numbers =
            names.iter().filter_map(|name| name.strip_prefix(base.as_str())?.strip_prefix(' ')?.parse::<u32>().ok());
        let first = numbers.max().unwrap_or(0).saturating_add(1);
        let names = (first..=u32::MAX).map(|number| format!("{base} {number}"));
        let paths = names.map(|name| (folder.join(format!("{name}.csv")), name));
        let mut free = paths.filter(|(path, _)| {
            [path, &sound_path(path)].iter().all(|path| !path.exists() && !growing_path(path).exists())
        });
        free.next().ok_or(RecordingError::NoFolder)
    }

    /// Whether a file is a recording of work that had no project file.
    pub(in crate::document) fn is_unsaved(&self, path: &Path) -> bool {
        self.unsaved.as_ref().is_some_and(|folder| path.starts_with(folder))
    }
}

pub(in crate::document) fn project_folder(project: &Path) -> Option<PathBuf> {
    let stem = project.file_stem()?.to_string_lossy().into_owned();
    Some(project.with_file_name(format!("{stem} takes")))
}

/// Copies a recording of work that had no project file to the project's folder, unless it is there. Returns where. The
/// copy is used as well once the recording itself is gone.
pub(in crate::document) fn copy_to(folder: &Path, recording: &Path) -> Result<PathBuf, WriteError> {
    let run = recording.parent().and_then(Path::file_name).unwrap_or_default();
    let to = folder.join(run).join(recording.file_name().unwrap_or_default());
    let [copied, recorded] = [&*to, recording].map(|path| fs::metadata(path).ok().filter(fs::Metadata::is_file));
    if copied.is_some_and(|copied| recorded.is_none_or(|recorded| copied.len() == recorded.len())) {
        return Ok(to);
    }
    let output = OutputPath::new(&to);
    let failed = |error: io::Error| WriteError::of_content(&to, error);
    fs::create_dir_all(to.parent().unwrap_or(folder)).map_err(failed)?;
    let (mut from, mut copy, mut piece) =
        (regular_file::open(recording).map_err(failed)?, output.begin()?, vec![0; 1 << 20]);
    loop {
        match from.read(&mut piece).map_err(failed)? {
            0 => break,
            count => copy.append(&piece[..count])?,
        }
    }
    copy.finish()?;
    Ok(to)
}

/// Recordings whose takes the session does not have yet, and where new ones are put.
#[derive(Clone, Debug, Default)]
pub(in crate::document) struct Recordings {
    pub(in crate::document) places: Places,
    /// The recordings that grow or are being read.
    pub(in crate::document) growing: Vec<GrowingTake>,
}

#[derive(Clone, Debug)]
pub(in crate::document) struct GrowingTake {
    pub path: PathBuf,
    pub name: String,
    /// Whether a microphone is heard with it.
    pub has_sound: bool,
}

impl Recordings {
    pub(in crate::document) fn is_empty(&self) -> bool {
        self.growing.is_empty()
    }

    /// What unsaved work names of them, with the mapping of the live columns.
    pub(in crate::document) fn takes(&self, map: &TakeMap) -> impl Iterator<Item = TakeEntry> {
        self.growing.iter().map(|take| TakeEntry {
            file: Some(FileRef::new(&take.path)),
            name: take.name.clone(),
            map: map.clone(),
            sound: take.has_sound.then(|| SoundTrack::growing(&sound_path(&take.path))),
            ..TakeEntry::default()
        })
    }

    pub(in crate::document) fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.growing.iter().flat_map(|take| [take.path.clone(), sound_path(&take.path)])
    }

    /// Copies recordings of work that had no project file to the folder of the one at `file`, and makes the takes of
    /// the project name them there. One that cannot be copied stays named where it is: the messages say why.
    pub(in crate::document) fn move_to(&self, file: &Path, takes: &mut [TakeEntry]) -> Vec<String> {
        let mut problems = Vec::new();
        let Some(folder) = project_folder(file) else { return problems };
        for entry in takes {
            let sound = entry.sound.as_mut().map(|sound| &mut sound.file);
            for file in entry.file.iter_mut().chain(sound).filter(|file| self.places.is_unsaved(file)) {
                match copy_to(&folder, file) {
                    Ok(copy) => *file = FileRef::new(&copy),
                    // What is gone is reported when the project is opened.
                    Err(error) if file.exists() => problems.push(error.to_string()),
                    Err(error) => log::warn!("a recording is missing: {error}"),
                }
            }
        }
        problems
    }
}
