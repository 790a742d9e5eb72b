//! Recordings of live faces: they grow on disk, survive a kill, and are saved with the project.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::{FACE, head, newest_offer, session};
use smirk_base::progress::Progress;
use smirk_editor::document::{Document, PendingProject, Recording, RecoveryFolder, SoundRecording, growing_path};
use smirk_face::motion::DrivenChannel;
use smirk_files::audio::{Piece, open as open_sound};
use smirk_files::import::open_takes;
use smirk_files::live::LiveFrame;
use smirk_session::HeadSource;

fn frame(columns: &[&str], values: &[f32]) -> LiveFrame {
    LiveFrame {
        subject: "Ada".into(),
        time_secs: None,
        is_tracked: true,
        columns: columns.iter().map(|name| (*name).to_owned()).collect(),
        values: values.to_vec(),
    }
}

/// Values that need all digits of an `f32`.
fn value(index: usize) -> f32 {
    (index as f32 * 0.37).sin() / 3.0
}

fn document(folder: &Path) -> Document {
    let (recovery, problems) = RecoveryFolder::open(folder.join("recovery"));
    assert!(problems.is_empty(), "{problems:?}");
    Document::new(session(head(&FACE), HeadSource::Embedded), Some(recovery))
}

/// Records `count` frames at 59.94 per second.
fn grow(recording: &mut Recording, count: usize) {
    for index in 0..count {
        recording
            .push(7.0 + index as f64 / 59.94, &frame(&["JawOpen", "HeadYaw"], &[value(index), -value(index)]))
            .unwrap();
    }
}

/// Records a take, which the document gets.
fn record(document: &mut Document, count: usize) -> PathBuf {
    let mut recording = document.begin_recording("Take", false).unwrap();
    grow(&mut recording, count);
    let path = recording.path().to_owned();
    assert_eq!(recording.finish().unwrap().as_ref(), Some(&path));
    let take = open_takes(&path).unwrap().remove(0);
    document.end_recording(&path, Some(take), None);
    path
}

fn assert_is_what_was_recorded(document: &Document, index: usize, count: usize) {
    let entry = &document.session.edits.takes[index];
    let (curve, _) = entry.take.curve_of(0).unwrap();
    assert_eq!(curve.times().len(), count);
    for key in 0..count {
        assert_eq!([curve.key_value(key, 0), curve.key_value(key, 1)], [value(key), -value(key)]);
        assert!((f64::from(curve.times()[key]) - key as f64 / 59.94).abs() < 1e-5, "the time is that of the sender");
    }
    assert_eq!(entry.map.columns[0].channels, [DrivenChannel::new("jawOpen")]);
}

fn opened(folder: &Path, file: &Path) -> Document {
    let mut document = document(folder);
    open(&mut document, &PendingProject::read(file).unwrap());
    document
}

fn open(document: &mut Document, pending: &PendingProject) {
    let takes = pending.project.read_takes(&head(&FACE));
    let notes = document.open_project(pending, session(head(&FACE), HeadSource::Embedded), &takes).unwrap();
    assert!(notes.is_empty(), "{notes:?}");
}

#[test]
fn a_recording_is_a_take_with_the_same_numbers_and_is_saved_beside_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = document(folder.path());
    assert_eq!(document.next_recording("Take").unwrap(), "Take 1");
    let first = record(&mut document, 100);
    assert!(first.starts_with(folder.path().join("takes")) && document.is_unsaved());
    assert_is_what_was_recorded(&document, 0, 100);
    let id = document.session.edits.takes[0].id;
    document.session.edits.take_mut(id).unwrap().is_starred ^= true;
    record(&mut document, 20);
    let names: Vec<&str> = document.session.edits.takes.iter().map(|entry| entry.take.name.as_str()).collect();
    assert_eq!(names, ["Take 1", "Take 2"], "names count up");

    let file = folder.path().join("work/walk.smirk");
    fs::create_dir(folder.path().join("work")).unwrap();
    document.save(&file).unwrap();
    assert!(!document.is_unsaved());
    // Without the folder of unsaved work, as on another machine, and moved with everything beside it.
    fs::remove_dir_all(folder.path().join("takes")).unwrap();
    fs::rename(folder.path().join("work"), folder.path().join("moved")).unwrap();
    let file = folder.path().join("moved/walk.smirk");
    let mut again = opened(folder.path(), &file);
    assert_is_what_was_recorded(&again, 0, 100);
    assert_is_what_was_recorded(&again, 1, 20);
    assert_eq!(again.session.edits.takes.iter().map(|entry| entry.is_starred).collect::<Vec<_>>(), [true, false]);

    let third = record(&mut again, 10);
    assert!(
        third.starts_with(folder.path().join("moved/walk takes")),
        "{}: a project has its own folder",
        third.display()
    );
    assert_eq!(again.session.edits.takes[2].take.name, "Take 3");
    again.save(&file).unwrap();
    let copies = || walk(&folder.path().join("moved/walk takes"));
    let before = copies();
    again.save(&file).unwrap();
    assert_eq!((copies(), before.len()), (before, 3), "nothing is copied twice");
}

#[test]
fn a_project_whose_recordings_cannot_be_copied_says_so_and_copies_them_later() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = document(folder.path());
    let recording = record(&mut document, 10);
    let [file, takes] = ["walk.smirk", "walk takes"].map(|name| folder.path().join(name));
    // A file in the place of the folder: nobody can write into that, not even root.
    fs::write(&takes, "").unwrap();
    let left_behind = document.save(&file).unwrap();
    assert!(left_behind.len() == 1 && left_behind[0].contains("Take 1.csv"), "{left_behind:?}");
    assert_is_what_was_recorded(&opened(folder.path(), &file), 0, 10);
    fs::remove_file(&takes).unwrap();
    assert_eq!(document.save(&file).unwrap(), Vec::<String>::new());
    fs::remove_file(recording).unwrap();
    assert_eq!(document.save(&file).unwrap(), Vec::<String>::new());
    assert_is_what_was_recorded(&opened(folder.path(), &file), 0, 10);
}

/// All files in a folder and those in it.
pub(crate) fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

#[test]
fn a_recording_whose_program_was_killed_comes_back_with_the_unsaved_work() {
    let folder = tempfile::tempdir().unwrap();
    let mut killed = document(folder.path());
    let smile = killed.session.head.channel_named("mouthSmileLeft").unwrap();
    killed.session.channel_mut(smile).set(0.5);
    let mut recording = killed.begin_recording("Take", true).unwrap();
    grow(&mut recording, 50);
    assert!(!recording.path().exists(), "nothing is there before it is whole");
    // A kill leaves the file as it is: here with half of a line.
    let growing = walk(&folder.path().join("takes")).remove(0);
    let copy = fs::read(&growing).unwrap();
    assert!(newest_offer(&mut document(folder.path())).is_none(), "the program still runs");
    drop(recording);
    drop(killed);
    fs::write(&growing, [copy.as_slice(), b"0.9,0.1"].concat()).unwrap();

    let mut next = document(folder.path());
    let pending = newest_offer(&mut next).expect("the work is offered");
    open(&mut next, &pending);
    assert_is_what_was_recorded(&next, 0, 50);
    assert_eq!(next.session.edits.takes[0].take.name, "Take 1");
    assert_eq!(next.session.edits.takes[0].sound, None, "the microphone has heard nothing");
    assert_eq!(next.session.head.channel_value(smile, &next.session.mix().weights), 0.5, "the other work is there too");
    assert!(next.is_unsaved() && !growing.exists());
    assert_eq!(next.next_recording("Take").unwrap(), "Take 2");
}

#[test]
fn the_sound_of_a_recording_comes_back_after_a_kill_and_is_saved_beside_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let mut killed = document(folder.path());
    let mut recording = killed.begin_recording("Take", true).unwrap();
    grow(&mut recording, 50);
    let start = Instant::now();
    let mut sound = SoundRecording::new(recording.path(), Arc::new(OnceLock::from(start)));
    for index in 1..=150 {
        let (samples, end) = (vec![index; 480], start + Duration::from_millis(10 * index as u64));
        sound.push(&Piece { samples, frames_per_sec: 48_000, end }).unwrap();
    }
    drop((recording, sound, killed));

    let mut next = document(folder.path());
    let pending = newest_offer(&mut next).expect("the work is offered");
    open(&mut next, &pending);
    assert_is_what_was_recorded(&next, 0, 50);
    let assert_has_sound = |document: &Document, place: &Path| {
        let track = document.session.edits.takes[0].sound.clone().unwrap();
        assert!(track.file.starts_with(place) && track.file.ends_with("Take 1.wav"), "{track:?}");
        assert_eq!((track.offset_secs, track.duration_secs), (0.0, 1.5), "with what came after the last full second");
        let decoded = open_sound(&track.file, Progress::NONE).unwrap();
        assert_eq!((decoded.frames(), decoded.frames_per_sec()), (72_000, 48_000));
        assert_eq!(decoded.extremes(1.495, 1.5), Some([150.0 / 32768.0; 2]));
    };
    assert_has_sound(&next, &folder.path().join("takes"));

    fs::create_dir(folder.path().join("work")).unwrap();
    next.save(&folder.path().join("work/walk.smirk")).unwrap();
    drop(next);
    fs::remove_dir_all(folder.path().join("takes")).unwrap();
    fs::rename(folder.path().join("work"), folder.path().join("moved")).unwrap();
    let again = opened(folder.path(), &folder.path().join("moved/walk.smirk"));
    assert_is_what_was_recorded(&again, 0, 50);
    assert_has_sound(&again, &folder.path().join("moved/walk takes"));
}

#[test]
fn a_sound_that_cannot_be_completed_counts_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let mut killed = document(folder.path());
    let mut recording = killed.begin_recording("Take", true).unwrap();
    grow(&mut recording, 50);
    let sound = recording.path().with_extension("wav");
    let growing = growing_path(&sound);
    fs::write(&growing, "no sound").unwrap();
    drop((recording, killed));

    let mut next = document(folder.path());
    let pending = newest_offer(&mut next).expect("the work is offered");
    let takes = pending.project.read_takes(&head(&FACE));
    let notes = next.open_project(&pending, session(head(&FACE), HeadSource::Embedded), &takes).unwrap();
    assert!(notes.len() == 1 && notes[0].to_string().contains("Take 1.wav was not found"), "{notes:?}");
    let track = next.session.edits.takes[0].sound.clone().unwrap();
    assert!(*track.file == *sound && track.is_growing && growing.exists(), "{track:?}");
}

#[test]
fn a_recording_that_another_window_is_making_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Take 1.csv");
    let mut recording = Recording::create(&path).unwrap();
    grow(&mut recording, 3);
    let project = r#"{"smirk":"project","version":1,"takes":[{"file":{"path":"Take 1.csv"},"name":"Take 1"}]}"#;
    let file = folder.path().join("a.smirk");
    fs::write(&file, project).unwrap();
    let pending = PendingProject::read(&file).unwrap();
    drop(pending.project.read_takes(&head(&FACE)));
    assert!(!path.exists());
    assert!(Recording::create(&path).is_err(), "two windows do not write one file");
    grow(&mut recording, 3);
    assert_eq!(recording.frames(), 6);
    recording.finish().unwrap();
    assert_eq!(open_takes(&path).unwrap()[0].columns.len(), 2);
}

#[test]
fn a_recording_without_a_frame_leaves_nothing_and_one_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let mut document = document(folder.path());
    let recording = document.begin_recording("A/B: \u{202e}x", true).unwrap();
    let path = recording.path().to_owned();
    assert!(path.file_name().unwrap().to_string_lossy().starts_with("A_B_"), "{}", path.display());
    assert_eq!(recording.finish().unwrap(), None);
    document.end_recording(&path, None, None);
    assert!(!document.is_unsaved() && walk(&folder.path().join("takes")).is_empty());
    let mut recording = document.begin_recording("", false).unwrap();
    assert!(recording.path().ends_with("Take 1.csv"));
    grow(&mut recording, 2);
    fs::write(recording.path(), "of another program").unwrap();
    assert!(recording.finish().is_err());
}

#[test]
fn frames_that_arrive_at_one_moment_are_all_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Take 1.csv");
    let mut recording = Recording::create(&path).unwrap();
    let times = [5.0, 5.0, 5.0, 5.000_000_1, 5.1, 5.1, 5.099_999_9, 5.2];
    for (index, secs) in times.into_iter().enumerate() {
        recording.push(secs, &frame(&["jawOpen"], &[index as f32 / 8.0])).unwrap();
    }
    recording.finish().unwrap();
    let take = open_takes(&path).unwrap().remove(0);
    assert_eq!((take.tracks[0].times().len(), &take.notes[..]), (8, &[][..]));
    assert!(take.tracks[0].times().iter().zip(times).all(|(read, sent)| (f64::from(*read) + 5.0 - sent).abs() < 1e-5));
}

#[test]
fn frames_with_other_columns_keep_the_table_of_the_first_and_names_of_any_kind_are_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("Take 1.csv");
    let mut recording = Recording::create(&path).unwrap();
    let names = ["a,b", "timecode", "time", "\"x\"\n", "  "];
    recording.push(0.0, &frame(&names, &[0.1, 0.2, 0.3, 0.4, 0.5])).unwrap();
    recording.push(0.5, &frame(&["time", "other", "a,b"], &[0.6, 0.7, 0.8])).unwrap();
    recording.push(1.0, &frame(&names, &[1.0, 1.0, 1.0, 1.0, 1.0])).unwrap();
    recording.finish().unwrap();
    let take = open_takes(&path).unwrap().remove(0);
    let read: Vec<&str> = take.column_names().collect();
    assert_eq!(read, ["a_b", "timecode", "time", "_x_", "unnamed"]);
    let at_half: Vec<f32> = (0..5).map(|column| take.sample(column, 0.5)).collect();
    assert_eq!(at_half, [0.8, 0.2, 0.6, 0.4, 0.5], "a value that is missing is the last one");
    assert_eq!(take.duration_secs, 1.0);
}
