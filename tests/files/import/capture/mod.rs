//! Recorded performances, good and broken, in every format. The files are written here.

mod frames;
mod tables;
mod vrm_animation;

use std::fmt::Write;

use serde_json::{Value, json};
use smirk_face::head::{Interpolation, Level};
use smirk_face::motion::Take;
use smirk_files::import::open_takes;
use smirk_support::gltf_builder::GltfBuilder;

fn open(name: &str, bytes: &[u8]) -> Result<Vec<Take>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    open_takes(&path).map_err(|error| error.to_string())
}

/// The only take of a file.
fn take(name: &str, bytes: impl AsRef<[u8]>) -> Take {
    let mut takes = open(name, bytes.as_ref()).unwrap();
    assert_eq!(takes.len(), 1);
    takes.remove(0)
}

/// The error of a file, which has one line.
fn refusal(bytes: impl AsRef<[u8]>) -> String {
    let message = open("bad.csv", bytes.as_ref()).expect_err("the file opened");
    assert!(message.starts_with("bad.csv: ") && !message.contains('\n'), "{message}");
    message
}

fn json_take(value: &Value) -> Take {
    take("take.json", value.to_string())
}

/// The notes of a level as text.
fn notes(take: &Take, level: Level) -> Vec<String> {
    let notes = take.notes.iter().filter(|note| note.level == level);
    notes.map(|note| note.to_string()).collect()
}

fn warnings(take: &Take) -> Vec<String> {
    notes(take, Level::Warning)
}

fn names(take: &Take) -> Vec<&str> {
    take.columns.iter().map(|column| column.name.as_str()).collect()
}

/// A Live Link Face table with a frame for each timecode. The value of frame n in column c is n + c / 100.
fn live_link(width: usize, timecodes: &[&str]) -> String {
    let mut text = "Timecode,BlendShapeCount".to_owned();
    (0..width).for_each(|column| write!(text, ",Shape{}", letters(column)).unwrap());
    for (frame, timecode) in timecodes.iter().enumerate() {
        write!(text, "\r\n{timecode},{width}").unwrap();
        (0..width).for_each(|column| write!(text, ",{}", frame as f32 + column as f32 / 100.0).unwrap());
    }
    text
}

fn letters(number: usize) -> String {
    [number / 26, number % 26].map(|digit| char::from(b'A' + digit as u8)).iter().collect()
}

fn audio2face() -> Value {
    json!({"exportFps": 30.0, "trackPath": "x.wav", "numPoses": 2, "numFrames": 3,
           "facsNames": ["eyeBlinkLeft", "jawOpen"], "weightMat": [[0.0, 0.5], [0.1, 0.6], [0.2, 0.7]]})
}

#[test]
fn errors_of_json_in_no_known_format_name_what_is_missing() {
    for (text, part) in [
        ("{}", "there is no list of frames"),
        ("{\"frames\": 3}", "there is no list of frames"),
        ("[]", "has no frame"),
        ("[1, 2]", "frame 0: is 1; each frame needs"),
        ("[{\"points\": [1]}]", "frame 0: has no scores; each frame needs"),
        ("[[[[[[[[[[1]]]]]]]]]]", "frame 0: has no scores"),
        ("{\"names\": [\"a\"], \"frames\": [[1, 2]]}", "frame 0: has 2 numbers for 1 names"),
        ("[[{\"score\": 1}]]", "frame 0: score 0 has no categoryName"),
        ("[{\"jawOpen\": 1}, {\"jawO", "JSON: EOF while parsing"),
        ("{\"asset\": {\"version\": \"2.0\"}}", "holds no mesh"),
    ] {
        let message = refusal(text);
        assert!(message.contains(part), "{text}: {message}");
    }
}

#[test]
fn clips_of_a_gltf_file_are_takes_with_their_own_keys() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}, {"POSITION": 0}]);
    file.json["meshes"][0]["extras"] = json!({"targetNames": ["jawOpen", "smile"]});
    file.push("nodes", json!({"mesh": 0}));
    file.animate(0, "CUBICSPLINE", &[0.5, 1.0], &[0., 0., 1., 2., 0., 0., 0., 0., 3., 6., 0., 0.]);
    file.animate(0, "LINEAR", &[0., 1.], &[0., 0., 0., 1.]);
    // The second node shows another instance of the mesh, with targets of the same names. In the second clip they move
    // differently.
    let output = file.floats("SCALAR", &[0., 0., 1., 0.]);
    let input = file.json["animations"][1]["samplers"][0]["input"].clone();
    file.json["animations"][1]["samplers"].as_array_mut().unwrap().push(json!({"input": input, "output": output}));
    let channel = json!({"sampler": 1, "target": {"node": 1, "path": "weights"}});
    file.json["animations"][1]["channels"].as_array_mut().unwrap().push(channel);
    let takes = open("head.capture", &file.glb()).unwrap();
    assert_eq!((takes.len(), names(&takes[0])), (2, vec!["jawOpen", "smile"]));
    assert_eq!(takes[0].tracks[0].interpolation(), Interpolation::CubicSpline);
    assert_eq!((takes[0].duration_secs, takes[0].sample(1, 0.75), takes[0].sample(0, 0.0)), (1.0, 4.0, 1.0));
    assert_eq!((takes[1].sample(0, 1.0), takes[1].sample(1, 1.0)), (1.0, 1.0));
    assert!(warnings(&takes[1])[0].contains("moves differently on mesh"), "{:?}", takes[1].notes);

    let still = GltfBuilder::triangle();
    assert!(refusal(still.glb()).contains("holds no animation of weights"));
}

#[test]
fn truncated_files_and_changed_bytes_do_not_panic() {
    let timecodes = ["00:00:00:29", "00:00:01:00", "00:00:01:01"];
    let map = json!({"fps": 30, "frames": [{"t": 1, "jawOpen": 0.5}, {"t": 2, "jawOpen": 0.25}]});
    for text in [live_link(2, &timecodes), audio2face().to_string(), map.to_string()] {
        for at in 0..text.len() {
            let _ = open("cut.csv", &text.as_bytes()[..at]);
            for byte in [b'0', b'"', b',', b'\n', b'[', 0xFF] {
                let mut bytes = text.clone().into_bytes();
                bytes[at] = byte;
                if let Ok(takes) = open("flipped.csv", &bytes) {
                    let take = &takes[0];
                    assert!((0..take.columns.len()).all(|column| take.sample(column, 0.01).is_finite()));
                }
            }
        }
    }
}

#[test]
fn takes_of_a_gltf_file_have_the_notes_on_their_own_animation() {
    let mut file = GltfBuilder::triangle();
    file.primitive()["targets"] = json!([{"POSITION": 0}]);
    for name in ["talk", "walk", "lost"] {
        file.animate(0, "LINEAR", &[-1., 1.], &[0., 1.]);
        file.json["animations"].as_array_mut().unwrap().last_mut().unwrap()["name"] = json!(name);
    }
    let place = file.floats("VEC3", &[0.; 6]);
    let walk = &mut file.json["animations"][1];
    let input = walk["samplers"][0]["input"].clone();
    walk["samplers"].as_array_mut().unwrap().push(json!({"input": input, "output": place}));
    let move_node = json!({"sampler": 1, "target": {"node": 0, "path": "translation"}});
    walk["channels"].as_array_mut().unwrap().push(move_node);
    file.json["animations"][2]["channels"][0]["target"]["node"] = json!(7);
    let takes = open("head.glb", &file.glb()).unwrap();
    assert_eq!(takes.len(), 2);
    let has_warning = |take: usize, text: &str| warnings(&takes[take]).iter().any(|warning| warning.contains(text));
    assert!(has_warning(0, "\"talk\", sampler 0: begins at -1 s") && !has_warning(0, "walk"), "{:?}", takes[0].notes);
    assert!(
        has_warning(0, "\"lost\""),
        "notes on animations without a take are added to the first: {:?}",
        takes[0].notes
    );
    assert!(has_warning(1, "\"walk\": also moves 1 nodes; a take has only weights"), "{:?}", takes[1].notes);
    assert!(!has_warning(1, "talk") && !has_warning(1, "lost"), "{:?}", takes[1].notes);
}
