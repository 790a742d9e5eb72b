//! Own files that earlier versions have written open as they are.

use smirk::window::settings_text;
use smirk_editor::document::RecoveryFolder;
use smirk_face::head::{Material, Variant};
use smirk_face::motion::{PoseId, Tangents};
use smirk_files::import::open_poses_bytes;
use smirk_scene::LitBy;

use crate::project::*;

/// The head of both projects: with variants of one name, a material whose role was chosen, and clips of one name.
fn full_head() -> Arc<Head> {
    let plain = head(&FACE);
    let mut clips = plain.clips.clone();
    clips.push(clips[1].clone());
    let variants = ["coat", "coat"].map(|name| Variant { name: name.into(), ..Variant::default() }).into();
    let materials = ["skin", "lambert5"].map(|name| Material { name: name.into(), ..Material::default() }).into();
    let (name, meshes) = ("ada".into(), plain.meshes.clone());
    Arc::new(Head::new(Asset { name, meshes, clips, variants, materials, ..Asset::default() }))
}

/// Opens a project that lay in `/shows/walk`, and returns it with its text as it is saved again.
fn saved_again(text: &str) -> (Session, String) {
    let folder = tempfile::tempdir().unwrap();
    for name in ["ada.glb", "smile.obj", "voice.wav", "music.ogg", "frame_0001.png"] {
        std::fs::write(folder.path().join(name), "is not read here").unwrap();
    }
    write_capture(&folder.path().join("walk.json"));
    let file = folder.path().join("walk.smirk");
    std::fs::write(&file, text).unwrap();
    let (session, _) = reopened(&file, full_head());
    let again = Project::from_session(&session).to_text(&file).unwrap();
    (session, again.replace(folder.path().to_str().unwrap(), "/shows/walk"))
}

/// Every field was set, and the head and the disk lack some of what is named.
#[cfg(unix)]
#[test]
fn a_project_of_every_field_is_saved_as_it_was() {
    let text = include_str!("formats/every_field.smirk");
    let (session, again) = saved_again(text);
    let [before, again] = [text, &again].map(|text| {
        let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
        // Linked pairs were listed in the order of the head.
        value["linked"].as_array_mut().unwrap().sort_by_key(ToString::to_string);
        // The folder of the project has moved away from this file.
        assert_eq!(value["takes"][2]["file"]["path"], "/shows/walk/gone.json");
        value["takes"][2]["file"]["relative"].take();
        value
    });
    assert_eq!(again, before);
    assert_eq!((session.look().variant, session.look().lit_by), (Some(1), LitBy::File));
    assert!(session.look().hidden.contains(1) && session.look().heat.channel == Some(0));
    assert!(session.plays_clip(0) && session.plays_clip(2) && !session.plays_clip(1));
}

/// What the first version that had projects wrote.
#[cfg(unix)]
#[test]
fn a_project_of_the_first_version_means_what_it_meant() {
    let (session, again) = saved_again(include_str!("formats/first.smirk"));
    let [first, again]: [serde_json::Value; 2] =
        [include_str!("formats/first.smirk"), &again].map(|text| serde_json::from_str(text).unwrap());
    for name in ["head", "sliders", "linked", "rule", "poses", "posing", "transition", "gaze", "take", "keys", "mode"] {
        assert_eq!(again[name], first[name], "{name}");
    }
    for (name, value) in ["look", "blink", "camera", "playback"].iter().flat_map(|name| {
        first[name].as_object().unwrap().iter().map(move |(field, value)| ((*name, field.as_str()), value))
    }) {
        assert_eq!(&again[name.0][name.1], value, "{name:?}");
    }
    assert_eq!(again["takes"][0]["map"], first["takes"][0]["map"]);
    let edits = &session.edits;
    assert_eq!(edits.keys.keys_of("eyeBlinkLeft")[0].tangents, Tangents::FLAT, "keys were eased");
    assert_eq!(edits.head_and_eyes, HeadAndEyes::OFF, "nothing was turned");
    assert_eq!(edits.timeline.rate, smirk_face::motion::FrameRate::nearest(30.0), "of the take");
    let sequence = &edits.sequence;
    assert_eq!(sequence.steps.iter().map(|step| step.pose).collect::<Vec<_>>(), [1000, 1001].map(PoseId));
    assert!(sequence.has_own_clock && (sequence.steps[0].hold_secs + sequence.steps[0].transition_secs) > 0.0);
    assert!(session.plays_clip(1) && session.clips().count() == 1);
}

/// The other own files, as each version that changed them wrote them: what later versions added is as in a new file, what they dropped is
/// ignored.
#[test]
fn settings_poses_mappings_and_unsaved_work_of_earlier_versions_open() {
    let settings: serde_json::Value =
        serde_json::from_str(&settings_text(include_bytes!("formats/first_settings.json")).unwrap()).unwrap();
    let first: serde_json::Value = serde_json::from_str(include_str!("formats/first_settings.json")).unwrap();
    for name in ["window_size", "maximized", "mode", "recent", "aliases"] {
        assert_eq!(settings[name], first[name], "{name}");
    }
    assert_eq!((&settings["suited"]["backend"], &settings["panels"]["page"]), (&"".into(), &"report".into()));
    let poses = open_poses_bytes(include_bytes!("formats/poses.json"), Path::new("poses.json")).unwrap();
    assert_eq!(
        poses.iter().map(|(name, weights)| (name.as_str(), weights["jawOpen"])).collect::<Vec<_>>(),
        [("Wide", 1.0)]
    );
    let folder = tempfile::tempdir().unwrap();
    for (text, weight) in [
        (r#"{"smirk":"mapping","version":1,"columns":[{"column":"a","channels":["aa"],"gain":2.0}]}"#, None),
        (
            r#"{"smirk":"mapping","version":1,"columns":[{"column":"a","channels":[{"channel":"aa","weight":0.5}],"gain":2.0}]}"#,
            Some(0.5),
        ),
    ] {
        let file = folder.path().join("map.json");
        std::fs::write(&file, text).unwrap();
        let map = import::open_mapping(&file).unwrap();
        assert_eq!((map.columns[0].gain, map.columns[0].channels[0].weight), (2.0, weight));
    }
    let recovery = folder.path().join("recovery");
    std::fs::create_dir(&recovery).unwrap();
    let project = include_str!("formats/first.smirk");
    let work = format!(
        r#"{{"name":"walk.smirk","project_file":"/shows/walk/walk.smirk","project":{project},"kept_unix_secs":1763700000}}"#
    );
    std::fs::write(recovery.join("work-77-1-0.json"), work).unwrap();
    let owner = r#"{"host":"ws12","machine":"another","boot":"another","numbering":null,"process":1,"started":5}"#;
    std::fs::write(recovery.join("work-77-1-0.lock"), owner).unwrap();
    let (mut recovery, problems) = RecoveryFolder::open(recovery);
    assert_eq!((recovery.works().len(), problems), (1, Vec::new()));
    let pending = recovery.project(recovery.works()[0].id).unwrap();
    assert_eq!(pending.file, Some("/shows/walk/walk.smirk".into()));
    assert_eq!(
        pending.project.edits.poses.len(),
        Project::from_bytes(project.as_bytes(), Path::new("a")).unwrap().edits.poses.len()
    );
}
