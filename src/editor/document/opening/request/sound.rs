//! The sound beside a capture.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use smirk_base::file_kind::{CAPTURE_TABLE, SOUND};
use smirk_base::progress::Progress;
use smirk_face::head::{Note, Subject};
use smirk_face::motion::Take;
use smirk_files::audio::{self, Sound, SoundError};
use smirk_files::import::ImportError;

/// The sound beside a capture, decoded, and its file. A film without sound and a damaged file are no reason to refuse
/// the capture; a note on its first take says what is wrong with them.
pub(super) fn sound_beside(
    capture: &Path,
    takes: &mut [Take],
    progress: Progress<'_>,
) -> Result<Option<(Arc<Sound>, PathBuf)>, ImportError> {
    let Some(path) = sound_file(capture) else { return Ok(None) };
    match audio::open(&path, progress.named("decoding the sound beside it")) {
        Ok(sound) => Ok(Some((Arc::new(sound), path))),
        Err(SoundError::Cancelled(cancelled)) => Err(cancelled.into()),
        Err(error) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let note = match error {
                SoundError::NoSound => Note::info(Subject::NamedFile(name), "is beside the capture, and has no sound"),
                error => Note::warning(Subject::NamedFile(name), format!("is beside the capture, but {error}")),
            };
            if let Some(first) = takes.first_mut() {
                first.notes.push(note);
            }
            Ok(None)
        }
    }
}

/// The sound file of the same name in the folder of a capture.
fn sound_file(capture: &Path) -> Option<PathBuf> {
    let folder = capture.parent().filter(|_| CAPTURE_TABLE.matches(capture))?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let alike = entries.filter(|path| path.file_stem() == capture.file_stem() && SOUND.matches(path) && path.is_file());
    alike.min_by_key(|path| {
        let own = path.extension().map(|extension| extension.to_ascii_lowercase());
        SOUND.extensions.iter().position(|extension| own.as_deref() == Some(extension.as_ref()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sound_of_a_capture_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["take 3.csv", "take 3.mov", "take 3.txt", "take 4.wav", "take 3.json"] {
            std::fs::write(at(name), "").unwrap();
        }
        assert_eq!(sound_file(&at("take 3.csv")), Some(at("take 3.mov")));
        std::fs::write(at("take 3.WAV"), "").unwrap();
        assert_eq!(sound_file(&at("take 3.csv")), Some(at("take 3.WAV")), "a sound before a film");
        assert_eq!(sound_file(&at("take 3.json")), None, "only beside a table");
        assert_eq!(sound_file(&at("take 5.csv")), None);
    }

    #[test]
    fn a_sound_that_cannot_be_read_is_a_note_on_the_first_take() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("take 3.wav"), "RIFF").unwrap();
        let mut takes = [Take::default(), Take::default()];
        let sound = sound_beside(&folder.path().join("take 3.csv"), &mut takes, Progress::NONE).unwrap();
        let [first, second] = takes.map(|take| take.notes.iter().map(Note::to_string).collect::<Vec<_>>());
        assert!(sound.is_none() && second.is_empty());
        assert!(first.len() == 1 && first[0].starts_with("take 3.wav: is beside the capture, but is no"), "{first:?}");
    }
}
