//! Numbered OBJ files, one per frame. The first one has the faces of all; of the others, only the positions are read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use glam::Vec3;

use super::MOST_FRAMES;
use crate::import::error::Fault;
use crate::import::file::{MAX_FILE_BYTES, read_file};
use crate::import::obj;
use smirk_analysis::solve::FrameFault;
use smirk_base::file_kind;
use smirk_base::names::{around_last_number, natural_order, quoted};
use smirk_base::progress::Progress;
use smirk_base::regular_file::{folder_of, is_hidden};
use smirk_face::head::{Kind, Note, Subject, listed};

/// The files of a sequence. Its points are the `v` statements.
#[derive(Debug)]
pub(super) struct ObjSequence {
    pub files: Vec<PathBuf>,
    /// The number of `v` statements of the first file.
    pub points: usize,
}

#[derive(Debug, Default)]
pub(super) struct SequenceFiles {
    pub files: Vec<PathBuf>,
    /// The number of each frame, rising; empty if the files are taken as evenly spaced, whatever their names.
    pub numbers: Vec<u64>,
    pub notes: Vec<Note>,
}

/// The OBJ files that a path names: those of a folder, those of a pattern with `#` in place of the number, or one. Of a
/// folder, files beside its only sequence are left out; more than one sequence is an error that names them.
pub(super) fn files_of(path: &Path) -> Result<SequenceFiles, Fault> {
    let name = name_of(path);
    match name.rfind('#') {
        _ if path.is_dir() => files_of_folder(path),
        Some(end) if !path.exists() => {
            let (before, after) = (name[..=end].trim_end_matches('#'), &name[end + 1..]);
            let files = files_in(folder_of(path), |file| number_of(&name_of(file), before, after).is_some())?;
            if files.is_empty() {
                return Err(Fault::Unfit("is the name of no file: # stands for the number of a frame".into()));
            }
            let numbers = files.iter().filter_map(|file| number_of(&name_of(file), before, after)).collect();
            Ok(numbered(files, numbers))
        }
        _ => Ok(SequenceFiles { files: vec![path.to_owned()], ..SequenceFiles::default() }),
    }
}

/// The pattern of files that are frames of one sequence by their names, with `#` in place of the number.
pub fn sequence_of(files: &[PathBuf]) -> Option<PathBuf> {
    let around = |file: &PathBuf| {
        let name = name_of(file);
        around_last_number(&name).map(|(before, _, after)| (before.to_owned(), after.to_owned()))
    };
    let [first, others @ ..] = files else { return None };
    let name = around(first)?;
    let is_one = others.iter().all(|file| file.parent() == first.parent() && around(file).as_ref() == Some(&name));
    (is_one && !others.is_empty()).then(|| first.with_file_name(pattern_of(&name_of(first))))
}

fn number_of(name: &str, before: &str, after: &str) -> Option<u64> {
    let number = name.strip_prefix(before)?.strip_suffix(after)?;
    number.bytes().all(|it| it.is_ascii_digit()).then(|| number.parse().ok())?
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The files of a folder that are wanted, in their natural order.
fn files_in(folder: &Path, is_wanted: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, Fault> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let file = entry?.path();
        if is_wanted(&file) {
            files.push(file);
        }
        if files.len() > MOST_FRAMES {
            return Err(Fault::Unfit(format!("has more than {MOST_FRAMES} frames; solve them in parts")));
        }
    }
    files.sort_by(|a, b| natural_order(&name_of(a), &name_of(b)));
    Ok(files)
}

fn files_of_folder(folder: &Path) -> Result<SequenceFiles, Fault> {
    let files = files_in(folder, |file| file_kind::OBJ.matches(file) && !is_hidden(file))?;
    if files.is_empty() {
        let none = "is a folder without .obj files; choose one with the frames of a face";
        return Err(Fault::Unfit(none.into()));
    }
    // By the name around the number, without its capitals.
    let mut sequences: BTreeMap<(String, String), Vec<(usize, u64)>> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        let name = name_of(file);
        if let Some((before, number, after)) = around_last_number(&name) {
            let around = (before.to_lowercase(), after.to_lowercase());
            sequences.entry(around).or_default().push((index, number));
        }
    }
    sequences.retain(|_, frames| frames.len() > 1);
    let in_sequences: usize = sequences.values().map(Vec::len).sum();
    // Shapes may be numbered too: then the folder holds no sequence, but faces one after the other.
    if in_sequences * 2 <= files.len() {
        return Ok(SequenceFiles { files, ..SequenceFiles::default() });
    }
    if sequences.len() > 1 {
        let named: Vec<String> = sequences
            .values()
            .map(|frames| format!("{} ({} frames)", quoted(&pattern_of(&name_of(&files[frames[0].0]))), frames.len()))
            .collect();
        let text = format!("is a folder with {} sequences: {}", named.len(), listed(&named, 4));
        return Err(Fault::Unfit(format!("{text}; name one of them so, or move it into a folder of its own")));
    }
    let frames = sequences.into_values().next().unwrap_or_default();
    let others: Vec<String> = (0..files.len())
        .filter(|index| frames.iter().all(|(frame, _)| frame != index))
        .map(|index| quoted(&name_of(&files[index])))
        .collect();
    let name = pattern_of(&name_of(&files[frames[0].0]));
    let mut found = numbered(
        frames.iter().map(|&(index, _)| files[index].clone()).collect(),
        frames.iter().map(|&(_, number)| number).collect(),
    );
    if !others.is_empty() {
        let message = format!("the frames are those of {}; left out: {}", quoted(&name), listed(&others, 8));
        found.notes.push(Note::warning(Subject::File, message));
    }
    Ok(found)
}

/// A name with `#` in place of the digits of its last number.
fn pattern_of(name: &str) -> String {
    let Some((before, _, after)) = around_last_number(name) else { return name.to_owned() };
    format!("{before}{}{after}", "#".repeat(name.len() - before.len() - after.len()))
}

/// Files with their numbers, in the order of these, and what is said of gaps.
fn numbered(files: Vec<PathBuf>, numbers: Vec<u64>) -> SequenceFiles {
    let mut frames: Vec<(u64, PathBuf)> = numbers.into_iter().zip(files).collect();
    frames.sort_by_key(|(number, _)| *number);
    let (numbers, files): (Vec<u64>, Vec<PathBuf>) = frames.into_iter().unzip();
    let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else { return SequenceFiles::default() };
    let unusable = match numbers.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Some(format!("several have the number {}; all are taken as evenly spaced", pair[0])),
        None => (last - first >= MOST_FRAMES as u64)
            .then(|| format!("numbered from {first} to {last}, more than {MOST_FRAMES}; taken as evenly spaced")),
    };
    if let Some(message) = unusable {
        let notes = vec![Note::warning(Subject::All(Kind::Frame), message)];
        return SequenceFiles { files, numbers: Vec::new(), notes };
    }
    let step = numbers.get(1).map_or(1, |second| second - first);
    let missing = (last - first + 1) as usize - numbers.len();
    let notes = if missing == 0 {
        Vec::new()
    } else if numbers.windows(2).all(|pair| pair[1] - pair[0] == step) {
        let message = format!("numbered in steps of {step}: each is at the time of its number");
        vec![Note::info(Subject::All(Kind::Frame), message)]
    } else {
        let before_gaps = numbers.windows(2).filter(|pair| pair[1] - pair[0] > 1).map(|pair| pair[0] as usize);
        let frames = Subject::numbered(Kind::Frame, &before_gaps.collect::<Vec<_>>());
        let message = format!("followed by {missing} missing frames; the others keep their times");
        vec![Note::warning(frames, message)]
    };
    SequenceFiles { files, numbers, notes }
}

impl ObjSequence {
    pub(super) fn new(files: Vec<PathBuf>) -> Result<Self, Fault> {
        let bytes = read_file(&files[0], MAX_FILE_BYTES, "an .obj file", Progress::NONE)?;
        Ok(Self { points: obj::positions(&bytes)?.len(), files })
    }

    pub(super) fn read(&self, frame: usize, positions: &mut Vec<Vec3>) -> Result<(), FrameFault> {
        let bytes = read_file(&self.files[frame], MAX_FILE_BYTES, "an .obj file", Progress::NONE);
        let found = bytes.and_then(|bytes| obj::positions(&bytes));
        let found = found.map_err(|fault| FrameFault::Unreadable(fault.to_string()))?;
        if found.len() != self.points {
            return Err(FrameFault::OtherPoints { found: found.len(), first: self.points });
        }
        positions.extend(found);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        names.iter().for_each(|name| std::fs::write(folder.path().join(name), b"").unwrap());
        folder
    }

    fn names(found: &SequenceFiles) -> Vec<String> {
        found.files.iter().map(|file| name_of(file)).collect()
    }

    fn notes(found: &SequenceFiles) -> String {
        found.notes.iter().map(|note| format!("{note}\n")).collect()
    }

    #[test]
    fn numbered_files_of_one_folder_and_name_are_one_sequence() {
        let pattern = |names: &[&str]| sequence_of(&names.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(pattern(&["a/f_09.obj", "a/f_10.obj", "a/f_11.obj"]), Some("a/f_##.obj".into()));
        for other in [&["a/f_1.obj"][..], &["a/f_1.obj", "b/f_2.obj"], &["f_1.obj", "g_2.obj"], &["f_1.obj", "f.obj"]] {
            assert_eq!(pattern(other), None, "{other:?}");
        }
    }

    #[test]
    fn hidden_files_and_those_of_other_programs_are_passed_over() {
        let folder = folder(&["f.1.obj", "f.2.OBJ", "._f.1.obj", "._f.2.obj", ".DS_Store", "Thumbs.db", "f.1.mtl"]);
        let found = files_of(folder.path()).unwrap();
        assert_eq!((names(&found), &found.numbers[..]), (vec!["f.1.obj".into(), "f.2.OBJ".into()], &[1, 2][..]));
        assert_eq!(notes(&found), "");
    }

    #[test]
    fn gaps_in_the_numbers_keep_their_time_and_are_said() {
        let pattern = |folder: &tempfile::TempDir| files_of(&folder.path().join("f.##.obj")).unwrap();
        let gaps = folder(&["f.08.obj", "f.09.obj", "f.12.obj", "f.100.obj"]);
        for found in [files_of(gaps.path()).unwrap(), pattern(&gaps)] {
            assert_eq!(found.numbers, [8, 9, 12, 100]);
            assert!(notes(&found).contains("89 missing") && notes(&found).contains("9, 12"), "{}", notes(&found));
        }
        let steps = pattern(&folder(&["f.1.obj", "f.3.obj", "f.5.obj"]));
        assert!(steps.numbers == [1, 3, 5] && notes(&steps).contains("steps of 2"), "{}", notes(&steps));
        let twice = pattern(&folder(&["f.1.obj", "f.01.obj", "f.2.obj"]));
        assert!(twice.numbers.is_empty() && notes(&twice).contains("several have the number 1"), "{}", notes(&twice));
        let far = pattern(&folder(&["f.1.obj", "f.4000000000.obj"]));
        assert!(far.numbers.is_empty() && notes(&far).contains("evenly"), "{}", notes(&far));
        assert!(pattern(&folder(&["f.1.obj"])).notes.is_empty());
    }

    #[test]
    fn a_neutral_beside_a_sequence_is_left_out_and_named() {
        let found = files_of(folder(&["neutral.obj", "talk_0001.obj", "talk_0002.obj"]).path()).unwrap();
        assert_eq!(names(&found), ["talk_0001.obj", "talk_0002.obj"]);
        assert!(notes(&found).contains("\"talk_####.obj\"; left out: \"neutral.obj\""), "{}", notes(&found));
    }

    #[test]
    fn two_sequences_in_a_folder_are_asked_about() {
        let both = folder(&["a.1.obj", "a.2.obj", "b.1.obj", "b.2.obj", "b.3.obj"]);
        let message = files_of(both.path()).unwrap_err().to_string();
        for words in ["2 sequences", "\"a.#.obj\" (2 frames)", "\"b.#.obj\" (3 frames)", "name one of them"] {
            assert!(message.contains(words), "{message}");
        }
        assert_eq!(names(&files_of(&both.path().join("b.#.obj")).unwrap()), ["b.1.obj", "b.2.obj", "b.3.obj"]);
    }

    #[test]
    fn shapes_some_of_which_are_numbered_are_no_sequence() {
        let found = files_of(folder(&["brow_1.obj", "brow_2.obj", "jaw.obj", "smile.obj"]).path()).unwrap();
        assert_eq!((found.files.len(), found.numbers.len()), (4, 0));
    }
}
