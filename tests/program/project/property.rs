//! What Smirk writes it reads back, whatever the content: extreme numbers, names of any characters, paths of any bytes.

use crate::arbitrary::Arbitrary;
use smirk::window::settings_text;
use smirk_export::poses_text;
use smirk_files::import::open_poses_bytes;
use smirk_support::random::Random;

use crate::project::*;

/// Calls `check` with random content that is the same on every machine. `SMIRK_SEEDS` asks for more of it.
fn for_seeds(check: impl Fn(&mut Arbitrary<'_>)) {
    let count = std::env::var("SMIRK_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(2000);
    for seed in 0..count {
        // Shown only if the check fails.
        println!("seed {seed}");
        check(&mut Arbitrary { random: &mut Random::new(seed) });
    }
}

#[test]
fn every_project_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.smirk");
    for_seeds(|arbitrary| {
        let project = arbitrary.project();
        let text = project.to_text(&file).unwrap();
        std::fs::write(&file, &text).unwrap();
        let read = Project::read(&file).unwrap();
        assert!(read == project, "{text:.2000}");
        assert!(read.to_text(&file).unwrap() == text, "{text:.2000}");
    });
}

#[test]
fn every_pose_comes_back() {
    let file = Path::new("poses.json");
    for_seeds(|arbitrary| {
        let poses: Vec<_> = (0..arbitrary.random.below(5)).map(|_| (arbitrary.name(), arbitrary.weights())).collect();
        let text = poses_text(poses.iter().map(|(name, weights)| (name.as_str(), weights))).unwrap();
        let read = open_poses_bytes(text.as_bytes(), file).unwrap();
        assert!(read == poses, "{text:.2000}");
        let again = poses_text(read.iter().map(|(name, weights)| (name.as_str(), weights))).unwrap();
        assert!(again == text, "{text:.2000}");
    });
}

#[test]
fn all_settings_come_back() {
    for_seeds(|arbitrary| {
        let path = arbitrary.path();
        let value = serde_json::json!({
            "window_size": arbitrary.numbers::<2>(),
            "look": {"gloss": arbitrary.number(), "key": {"color": arbitrary.numbers::<3>()}},
            "panels": {"left_width": arbitrary.number()},
            "recent": [path.to_string_lossy(), arbitrary.name()],
            "aliases": {arbitrary.name(): [arbitrary.name(), {"channel": arbitrary.name(), "weight": 0.5}]},
            "uses_nearest": false,
            "suited": {"adapter": arbitrary.name(), "backend": arbitrary.name(), "mode": "compute"},
        });
        let text = settings_text(value.to_string().as_bytes()).unwrap();
        assert_eq!(settings_text(text.as_bytes()).unwrap(), text);
        let written: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&written["aliases"], &written["suited"]), (&value["aliases"], &value["suited"]));
    });
}

#[test]
fn very_many_sliders_and_keys_and_very_long_names_come_back() {
    use smirk_face::motion::Key;
    use smirk_session::Slider;
    let file = Path::new("/no/such/walk.smirk");
    let mut project = Project::default();
    let slider = |at: usize| Slider { value: Some(at as f32 / 7.0), ..Slider::default() };
    project.edits.sliders = (0..100_000).map(|at| (format!("slider {at}"), slider(at))).collect();
    project.edits.sliders.insert("顔".repeat(350_000), slider(1));
    (0..5000).for_each(|at| project.edits.keys.set("jawOpen", Key::new(at as f32, f32::MAX)));
    let text = project.to_text(file).unwrap();
    let read = Project::from_bytes(text.as_bytes(), file).unwrap();
    assert!(read == project && read.to_text(file).unwrap() == text);
}

#[test]
fn a_project_of_very_many_keys_opens_at_once() {
    let keys: Vec<String> = (0..300_000).rev().map(|at| format!(r#"{{"time_secs":{at}e-1,"value":1}}"#)).collect();
    let text = format!(r#"{{"smirk":"project","keys":{{"jawOpen":[{}]}}}}"#, keys.join(","));
    let project = Project::from_bytes(text.as_bytes(), Path::new("/walk.smirk")).unwrap();
    let mut session = session(head(&FACE), HeadSource::Embedded);
    project.apply(&mut session, &smirk_editor::document::TakeFiles::default());
    let keys = session.keys().keys_of("jawOpen");
    assert_eq!(keys.len(), 300_000);
    assert!(keys.is_sorted_by(|a, b| a.time_secs < b.time_secs));
}

#[cfg(unix)]
#[test]
fn files_of_any_name_are_found_again_also_when_they_move_with_the_project() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let root = tempfile::tempdir().unwrap();
    let old = root.path().join(OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir_all(old.join("heads")).unwrap();
    let head_file = old.join("heads").join(OsStr::from_bytes(b"gr\xfc\xdfe \xff.glb"));
    std::fs::write(&head_file, "head").unwrap();
    let file = old.join("walk.smirk");
    let project = Project::from_session(&session(head(&FACE), HeadSource::File(head_file.clone())));
    project.write(&file).unwrap();
    assert_eq!(Project::read(&file).unwrap().head.source(), HeadSource::File(head_file));
    let new = root.path().join(OsStr::from_bytes(b"other\xfe"));
    std::fs::rename(&old, &new).unwrap();
    let moved = Project::read(&new.join("walk.smirk")).unwrap();
    let expected = new.join("heads").join(OsStr::from_bytes(b"gr\xfc\xdfe \xff.glb"));
    assert_eq!(moved.head.source(), HeadSource::File(expected));
}

#[test]
fn the_text_of_an_ordinary_project_is_as_it_always_was() {
    let file = Path::new("/shows/walk.smirk");
    let mut project = Project::default();
    project.head =
        smirk_editor::document::HeadRef::File(smirk_session::FileRef::new(Path::new("/shows/heads/ada é.glb")));
    let text = project.to_text(file).unwrap();
    #[cfg(unix)]
    assert!(text.starts_with(
        "{\n  \"smirk\": \"project\",\n  \"version\": 1,\n  \"head\": {\n    \"file\": {\n      \"path\": \"/shows/heads/ada é.glb\",\n      \
         \"relative\": \"heads/ada é.glb\"\n    }\n  },\n  \"sliders\": {},"
    ), "{text}");
    assert!(text.ends_with("\"playback\": null\n}"), "{text}");
}
