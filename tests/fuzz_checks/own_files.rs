//! Checks of what is read from projects, poses, settings and takes, whatever the bytes are: a good error, or content that can be
//! used and that comes back when it is written and read again.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use glam::Vec3;
use smirk::window::settings_text;
use smirk_editor::document::{Project, TakeFiles};
use smirk_export::poses_text;
use smirk_face::head::{Head, Mesh, Note, Target, Vertices};
use smirk_files::import::{open_poses_bytes, open_takes_bytes};
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session};

use smirk_support::synthetic;

/// The bytes are a project.
pub fn project(bytes: &[u8]) {
    let path = Path::new("/no/such/folder/fuzz.smirk");
    let project = match Project::from_bytes(bytes, path) {
        Ok(project) => project,
        Err(error) => return check_line(&error.to_string()),
    };
    assert_eq!(check_project(&project, path), project_text(&project, path));
    let mut session = Session::new(head(), HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    let notes = project.apply(&mut session, &TakeFiles::default());
    check_notes(&notes);
    session.clock.timeline.playing = true;
    session.clock.sequence.playing = true;
    for secs in [0.0, 0.3, 7.0] {
        session.advance(secs);
        assert!(session.weights().iter().all(|weight| weight.is_finite()));
    }
    check_project(&Project::from_session(&session), path);
}

/// Panics if a project that is written and read again differs. Returns its text.
pub fn check_project(project: &Project, path: &Path) -> String {
    let text = project_text(project, path);
    let again = Project::from_bytes(text.as_bytes(), path).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(project_text(&again, path), text);
    text
}

fn project_text(project: &Project, path: &Path) -> String {
    project.to_text(path).expect("a project that can be written")
}

/// The bytes are a file of poses.
pub fn poses(bytes: &[u8]) {
    let path = Path::new("fuzz.json");
    let imported = match open_poses_bytes(bytes, path) {
        Ok(imported) => imported,
        Err(error) => return check_line(&error.to_string()),
    };
    assert!(imported.iter().flat_map(|(_, weights)| weights.values()).all(|weight| weight.is_finite()));
    let text = poses_text(imported.iter().map(|(name, weights)| (name.as_str(), weights)));
    let again = open_poses_bytes(text.expect("poses that can be written").as_bytes(), path);
    let again = again.unwrap_or_else(|error| panic!("{error}: {imported:?}"));
    assert_eq!(again, imported);
}

/// The bytes are the settings.
pub fn settings(bytes: &[u8]) {
    match settings_text(bytes) {
        Ok(text) => assert_eq!(settings_text(text.as_bytes()).expect("settings that can be read again"), text),
        Err(error) => check_line(&error.to_string()),
    }
}

/// The bytes are a capture of any format.
pub fn takes(bytes: &[u8]) {
    let takes = match open_takes_bytes(bytes, Path::new("fuzz.csv")) {
        Ok(takes) => takes,
        Err(error) => return check_line(&error.to_string()),
    };
    for take in takes {
        check_notes(&take.notes);
        assert!(take.duration_secs.is_finite() && take.duration_secs >= 0.0, "{}", take.duration_secs);
        assert!(take.frames_per_sec.is_none_or(|rate| rate.is_finite() && rate > 0.0), "{:?}", take.frames_per_sec);
        for column in 0..take.columns.len() {
            assert!(take.curve_of(column).is_some());
            for secs in [0.0, take.duration_secs * 0.37, take.duration_secs] {
                assert!(take.sample(column, secs).is_finite() && take.sample_smoothed(column, secs, 0.1).is_finite());
            }
        }
    }
}

/// Panics if a message is too short, too long or has several lines.
fn check_line(message: &str) {
    assert!(!message.contains(char::is_control), "more than one line: {message:?}");
    assert!((8..1500).contains(&message.chars().count()), "{message:?}");
}

fn check_notes(notes: &[Note]) {
    notes.iter().for_each(|note| check_line(&note.to_string()));
}

/// A head with a pair of expressions.
fn head() -> Arc<Head> {
    static HEAD: LazyLock<Arc<Head>> = LazyLock::new(|| {
        let target = |name: &str| Target::from_dense(name.into(), 0.0, &[Vec3::X; 3], &[], &[]);
        let names = ["jawOpen", "mouthSmileLeft", "mouthSmileRight", "eyeBlinkLeft", "eyeBlinkRight"];
        Arc::new(synthetic::head_of(vec![Mesh {
            name: "face".into(),
            vertices: Vertices { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], ..Vertices::default() },
            indices: vec![0, 1, 2],
            targets: names.iter().map(|name| target(name)).collect(),
            ..Mesh::default()
        }]))
    });
    HEAD.clone()
}
