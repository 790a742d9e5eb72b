//! Damaged project files: each opens, and its session works, or gives one error.

use serde_json::Value;
use smirk_support::random::Random;
use smirk_support::strange::{places, strange_value};

use crate::project::*;

#[test]
fn a_mutated_project_opens_or_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let sound: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let mut all = Vec::new();
    places(&sound, "", &mut all);
    let head = head(&FACE);
    let mut random = Random::new(6);
    let mut opened = 0;
    for _ in 0..600 {
        let mut value = sound.clone();
        for _ in 0..=random.below(2) {
            let place = &all[1 + random.below(all.len() - 1)];
            if let Some(spot) = value.pointer_mut(place) {
                *spot = strange_value(&mut random, spot);
            }
        }
        std::fs::write(&file, value.to_string()).unwrap();
        let project = match Project::read(&file) {
            Ok(project) => project,
            Err(error) => {
                let error = error.to_string();
                assert!(
                    error.contains(" at line ") || error.contains("version") || error.contains("no project"),
                    "{error}"
                );
                continue;
            }
        };
        opened += 1;
        let mut session = session(head.clone(), project.head.source());
        let takes = project.read_takes(&session.head);
        project.apply(&mut session, &takes);
        // The session can be used: time advances, poses and takes are added, and it can be saved and read again.
        session.clock.timeline.playing = true;
        session.clock.sequence.playing = true;
        for secs in [0.0, 0.3, 7.0] {
            session.advance(secs);
            assert!(session.weights().iter().all(|weight| weight.is_finite()), "{value}");
            assert!(session.secs_until_motion().is_none_or(|secs| secs >= 0.0));
        }
        let pose = session.poses_mut().store("New");
        assert_eq!(session.edits.poses.iter().filter(|other| other.id == pose).count(), 1, "{value}");
        session.poses_mut().apply(pose);
        session.takes_mut().add(import::open_takes(&folder.path().join("walk.json")).unwrap());
        let view = session.camera.projection_from_view(1.0) * session.camera.view_from_world();
        assert!(view.is_finite(), "{value}");
        let again = folder.path().join("again.smirk");
        Project::from_session(&session).write(&again).unwrap();
        Project::read(&again).unwrap_or_else(|error| panic!("{error}\n{value}"));
    }
    assert!((50..550).contains(&opened), "{opened} of 600 opened");
}

#[test]
fn a_truncated_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(&full_session(folder.path()), folder.path());
    let text = std::fs::read_to_string(&file).unwrap();
    for end in (0..text.len()).step_by(97) {
        std::fs::write(&file, &text[..end]).unwrap();
        assert!(Project::read(&file).is_err(), "cut at {end} of {}", text.len());
    }
}
