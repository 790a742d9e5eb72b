//! Recorded performances, good and broken, in every format. The files are written here.

use std::fmt::Write;

use serde_json::{Value, json};
use smirk::head::Level;
use smirk::import::open_takes;
use smirk::motion::{Interpolation, Take};

use crate::gltf_builder::GltfBuilder;

fn open(name: &str, bytes: &[u8]) -> Result<Vec<Take>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    open_takes(&path).map_err(|error| error.to_string())
}

/// The one take of a file that is as it should be or can be repaired.
fn take(name: &str, bytes: impl AsRef<[u8]>) -> Take {
    let mut takes = open(name, bytes.as_ref()).unwrap();
    assert_eq!(takes.len(), 1);
    takes.remove(0)
}

/// Why a file is refused, on one line.
fn refusal(bytes: impl AsRef<[u8]>) -> String {
    let message = open("bad.csv", bytes.as_ref()).expect_err("it opened");
    assert!(message.starts_with("bad.csv: ") && !message.contains('\n'), "{message}");
    message
}

fn json_take(value: &Value) -> Take {
    take("take.json", value.to_string())
}

/// The notes of a level as text.
fn notes(take: &Take, level: Level) -> Vec<String> {
    let notes = take.notes.iter().filter(|note| note.level == level);
    notes.map(|note| format!("{}: {}", note.object, note.message)).collect()
}

fn warnings(take: &Take) -> Vec<String> {
    notes(take, Level::Warning)
}

fn names(take: &Take) -> Vec<&str> {
    take.columns.iter().map(|column| column.name.as_str()).collect()
}

/// A Live Link Face table of some timecodes; in frame n column c is n + c / 100.
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

#[test]
fn live_link_face_tables_of_every_width_open() {
    for width in [51, 52, 55, 61] {
        let take = take("My take.csv", live_link(width, &["18:43:59:58.500", "18:43:59:59.500", "18:44:00:00.500"]));
        assert_eq!((take.name.as_str(), take.columns.len()), ("My take", width));
        assert_eq!((take.frames_per_sec, take.start_timecode.as_deref()), (Some(60.0), Some("18:43:59:58.500")));
        assert!((take.duration_secs - 2.0 / 60.0).abs() < 1e-6 && warnings(&take).is_empty(), "{:?}", take.notes);
        assert_eq!((take.sample(3, 0.0), take.sample(3, take.duration_secs)), (0.03, 2.03));
        assert!(take.source.unwrap().ends_with("My take.csv"));
    }
}

#[test]
fn a_dropped_frame_leaves_the_others_their_time() {
    let take = take("a.csv", live_link(1, &["0:0:0:58", "00:00:00:59", "00:00:01:00", "00:00:01:03", "00:00:01:04"]));
    assert_eq!(
        take.tracks[0].times().iter().map(|time| (time * 60.0).round()).collect::<Vec<_>>(),
        [0., 1., 2., 5., 6.]
    );
    assert_eq!(notes(&take, Level::Info)[0], "line 4: 2 frames are missing behind; the others keep their time");
    let gap = self::take("a.csv", live_link(1, &["00:00:00:28", "00:00:00:29", "00:00:01:00", "00:00:04:00"]));
    assert!(warnings(&gap)[0].starts_with("line 4: 89 frames are missing behind"), "{:?}", gap.notes);
    assert!(warnings(&gap)[0].ends_with("the face glides over up to 3.00 s"));
}

#[test]
fn time_runs_on_past_midnight_and_past_a_clock_that_is_set() {
    let midnight = take("a.csv", live_link(1, &["23:59:59:28", "23:59:59:29", "00:00:00:00", "00:00:00:01"]));
    assert!((midnight.duration_secs - 0.1).abs() < 1e-6 && warnings(&midnight).is_empty(), "{:?}", midnight.notes);
    assert!(notes(&midnight, Level::Info)[0].contains("line 4: the timecode passes midnight"));
    let set = take("a.csv", live_link(1, &["10:00:09:28", "10:00:09:29", "10:00:10:00", "10:00:02:00", "10:00:02:01"]));
    assert!((set.duration_secs - 4.0 / 30.0).abs() < 1e-6, "{}", set.duration_secs);
    assert!(warnings(&set)[0].starts_with("line 5: the timecode goes back by 8.00 s"), "{:?}", set.notes);
}

#[test]
fn drop_frame_runs_at_29_97() {
    let codes = ["00:00:58:29", "00:00:59:00", "00:00:59:28", "00:00:59:29", "00:01:00:02", "00:01:00:03"];
    let take = take("a.csv", live_link(1, &codes));
    assert!((take.frames_per_sec.unwrap() - 29.97).abs() < 1e-3, "{:?}", take.notes);
    let times = take.tracks[0].times();
    assert!((times[4] - times[3] - 1001.0 / 30_000.0).abs() < 1e-6, "{times:?}");
}

#[test]
fn a_clock_without_frames_is_time_enough() {
    let take = take("a.csv", live_link(1, &["10:00:59.960", "10:01:00.000", "10:01:00.040"]));
    assert!((take.duration_secs - 0.08).abs() < 1e-6);
    assert_eq!((take.frames_per_sec, take.notes.len()), (Some(25.0), 0));
}

#[test]
fn frames_out_of_order_doubled_or_without_time_are_put_right() {
    let codes = ["00:00:01:00", "00:00:01:02", "00:00:01:01", "00:00:01:01", "noon", "", "00:00:01:29", "00:00:02:00"];
    let take = take("a.csv", live_link(1, &codes));
    let frames: Vec<f32> = (0..take.tracks[0].times().len()).map(|key| take.tracks[0].key_value(key, 0)).collect();
    assert_eq!(frames, [0.0, 2.0, 1.0, 6.0, 7.0]);
    assert_eq!(
        warnings(&take),
        [
            "lines 6, 7: no time that can be read; left out",
            "line 4: earlier than the frame before; the frames were put in order of time",
            "line 5: at the time of another frame; the first of them is kept"
        ]
    );
}

#[test]
fn holes_hold_the_last_good_value_and_are_told_by_line() {
    let text = "\u{feff}timecode;BlendshapeCount;\"JawOpen\";TongueOut;JawOpen;Comment\r\n\
                00:00:00:00;3;;0,5;1;good\r\n\
                \r\n\
                00:00:00:01;3;\"0,25\";nan;1;bad\r\n\
                00:00:00:02;3;inf;0,75\r\n\
                00:00:00:03;3;1e999;;1;x;;7\r\n";
    let take = take("a.csv", text);
    assert_eq!(names(&take), ["JawOpen", "TongueOut", "JawOpen (2)"]);
    let frames = |column| [0., 1., 2., 3.].map(|frame| take.sample(column, frame / 30.0));
    assert_eq!((frames(0), frames(1)), ([0.25, 0.25, 0.25, 0.25], [0.5, 0.5, 0.75, 0.75]));
    let warnings = warnings(&take).join("\n");
    for part in [
        "line 6: more cells than the 6 columns",
        "lines 2, 4, 5 and 1 more: 6 values are missing",
        "\"Comment\": has no number; left out",
        "\"JawOpen\": is there more than once; here it is \"JawOpen (2)\"",
    ] {
        assert!(warnings.contains(part), "{part} in {warnings}");
    }
}

#[test]
fn every_encoding_and_dialect_is_the_same_take() {
    let plain = live_link(2, &["00:00:00:29", "00:00:01:00"]);
    let reference = take("a.csv", &plain);
    let utf16: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for bytes in [
        format!("\u{feff}{plain}").into_bytes(),
        [b"\xFF\xFE", &utf16[..]].concat(),
        plain.replace("\r\n", "\n").into_bytes(),
        plain.replace(',', ";").into_bytes(),
        format!("sep=\t\r\n{}", plain.replace(',', "\t")).into_bytes(),
        plain.replace(',', ";").replace('.', ",").into_bytes(),
        format!("{plain}\r\n,,\r\n\r\n").into_bytes(),
        plain.to_uppercase().into_bytes(),
    ] {
        let take = take("a.csv", &bytes);
        assert_eq!((&take.tracks, take.notes.len()), (&reference.tracks, reference.notes.len()), "{:?}", take.notes);
    }
    let mut latin1 = plain.replace("ShapeAA", "T\u{ea}te").into_bytes();
    latin1.retain(|byte| *byte != 0xC3);
    latin1.iter_mut().filter(|byte| **byte == 0xAA).for_each(|byte| *byte = 0xEA);
    let latin1 = take("a.csv", latin1);
    assert_eq!(names(&latin1)[0], "Tête");
    assert!(warnings(&latin1)[0].contains("not UTF-8"));
}

#[test]
fn tables_that_are_no_capture_say_so() {
    for (text, part) in [
        ("", "is empty (0 bytes)"),
        ("\r\n \r\n", "is empty"),
        ("Timecode,BlendShapeCount,JawOpen\r\n", "has a header and no frames"),
        ("Timecode,JawOpen\r\n,\r\n", "has a header and no frames"),
        ("Timecode,BlendShapeCount\r\n00:00:00:00,0", "names times and no expression"),
        ("Name,Age\r\nAda,36", "first line (\"Name\", \"Age\" …) names no column of times"),
        ("0.1,0.2\r\n0.3,0.4", "Smirk reads Live Link Face CSV"),
        ("Timecode,JawOpen\r\n25:00:00:00,1\r\nx:y,2", "line 2: \"25:00:00:00\" is no timecode HH:MM:SS:FF.sub"),
        ("Timecode,JawOpen\r\nnow,1", "has no frame with a time"),
        ("Timecode,JawOpen\r\n00:00:00:00,wide", "has no number in any of its 1 columns"),
        ("Timecode,JawOpen\n00:00:00:00,1\n00:00:00:01,\"2\n00:00:00:02,3\n", "line 3: a quotation mark"),
        ("Kaydara FBX Binary\0\u{1a}", "is not text"),
    ] {
        let message = refusal(text);
        assert!(message.contains(part), "{text:?}: {message}");
    }
    assert!(open("a.csv", b"Timecode,JawOpen\n00:00:00:00,1").is_ok());
    let folder = open_takes(std::env::temp_dir().as_path()).unwrap_err().to_string();
    assert!(folder.contains("is a folder; choose a capture"), "{folder}");
}

#[test]
fn a_few_bytes_cannot_ask_for_gigabytes() {
    let table = |columns: usize, rows: usize| {
        let header: String = (0..columns).map(|column| format!(",c{column}")).collect();
        refusal(format!("time{header}\n{}", "1\n".repeat(rows)))
    };
    assert!(table(4000, 40_000).contains("more than 134217728 numbers (4000 columns"));
    assert!(table(40_000, 1).contains("40000 of them; Smirk reads 4096"));
    let frames: Vec<Value> = (0..5000).map(|frame| json!({ format!("shape{frame}"): 1 })).collect();
    assert!(refusal(Value::from(frames).to_string()).contains("more than 4096 expressions"));
}

#[test]
fn audio2face_tables_have_seconds() {
    let text = ",timeCode,blendShapes.EyeBlinkLeft,blendShapes.JawOpen\n\
                0,0.5,0.0,1.2\n1,0.5333333,0.1,1.3\n2,0.5666667,0.2,1.4\n";
    let table = take("a2f.csv", text);
    assert_eq!(names(&table), ["blendShapes.EyeBlinkLeft", "blendShapes.JawOpen"]);
    assert_eq!(table.frames_per_sec.map(f32::round), Some(30.0));
    // Beyond 1, as Audio2Face may be told to leave it.
    assert!((table.sample(1, 1.0 / 30.0) - 1.3).abs() < 1e-4 && table.notes.is_empty());
    let milliseconds = take("ms.csv", "Timestamp,JawOpen\n1000,0\n1040,1\n1080,0\n");
    assert!((milliseconds.duration_secs - 0.08).abs() < 1e-6);
    assert!(notes(&milliseconds, Level::Info)[0].contains("taken for milliseconds"));
}

fn audio2face() -> Value {
    json!({"exportFps": 30.0, "trackPath": "x.wav", "numPoses": 2, "numFrames": 3,
           "facsNames": ["eyeBlinkLeft", "jawOpen"], "weightMat": [[0.0, 0.5], [0.1, 0.6], [0.2, 0.7]]})
}

#[test]
fn audio2face_json_opens_and_a_missing_rate_is_told() {
    let take_of = json_take(&audio2face());
    assert_eq!((names(&take_of), take_of.frames_per_sec), (vec!["eyeBlinkLeft", "jawOpen"], Some(30.0)));
    assert!((take_of.sample(1, 1.0 / 30.0) - 0.6).abs() < 1e-6 && take_of.notes.is_empty());
    for rate in [Value::Null, json!(0), json!("fast")] {
        let mut file = audio2face();
        file["exportFps"] = rate;
        let assumed = json_take(&file);
        assert_eq!(assumed.frames_per_sec, Some(60.0));
        assert!(warnings(&assumed)[0].ends_with("60 frames per second were assumed"), "{:?}", assumed.notes);
    }
    let with_nan = take("nan.json", audio2face().to_string().replace("0.6", "NaN"));
    assert_eq!(with_nan.sample(1, 1.0 / 30.0), 0.5);
    assert!(warnings(&with_nan)[1].starts_with("frame 1: 1 values are missing"), "{:?}", with_nan.notes);
}

#[test]
fn audio2face_json_that_contradicts_itself_says_both_numbers() {
    let message = |edit: &dyn Fn(&mut Value)| {
        let mut file = audio2face();
        edit(&mut file);
        refusal(file.to_string())
    };
    assert!(message(&|file| file["numPoses"] = json!(52)).contains("numPoses: says 52, facsNames has 2"));
    assert!(message(&|file| file["numFrames"] = json!(4)).contains("numFrames: says 4, weightMat has 3"));
    assert!(
        message(&|file| file["weightMat"][1] = json!([1])).contains("weightMat[1]: has 1 weights, facsNames has 2")
    );
    assert!(message(&|file| file["weightMat"][2] = json!(7)).contains("weightMat[2]: has no weights, facsNames has 2"));
    assert!(message(&|file| file["facsNames"][1] = json!(7)).contains("facsNames[1]: is not text"));
    assert!(message(&|file| file["facsNames"] = Value::Null).contains("facsNames: is missing"));
    let empty = json!({"facsNames": ["a"], "weightMat": []});
    assert!(refusal(empty.to_string()).contains("no frames (weightMat is empty)"));
}

#[test]
fn mediapipe_frames_open_in_every_shape() {
    let category =
        |name: &str, score: f64| json!({"index": 0, "score": score, "categoryName": name, "displayName": ""});
    let categories = |open: f64| json!([category("_neutral", 0.0), category("jawOpen", open)]);
    let snake =
        |open: f64| json!([[{"category_name": "_neutral", "score": 0}, {"category_name": "jawOpen", "score": open}]]);
    let map = |open: f64| json!({"_neutral": 0, "jawOpen": open});
    let shapes: [&dyn Fn(f64, f64) -> Value; 7] = [
        &|ms, open| json!({"timestampMs": ms, "faceBlendshapes": [{"headIndex": 0, "categories": categories(open)}]}),
        &|ms, open| json!({"timestamp_ms": ms, "face_blendshapes": snake(open)}),
        &|ms, open| json!({"timestamp": ms, "blendshapes": map(open)}),
        &|ms, open| json!({"time": ms / 1000.0, "frame": 3, "_neutral": 0, "jawOpen": open}),
        &|ms, open| json!({"time_us": ms * 1000.0, "timestampUs": ms * 1000.0, "categories": categories(open)}),
        &|ms, open| json!({"t": ms, "weights": [0, open]}),
        &|ms, open| json!({"timestamp": ms, "blendshapes": [categories(open), categories(9.0)]}),
    ];
    for shape in shapes {
        let frames = json!([shape(1000.0, 0.5), shape(1040.0, 0.6), shape(1080.0, 0.7)]);
        for root in [json!({"frames": frames, "names": ["_neutral", "jawOpen"]}), frames] {
            if root.is_array() && root[0].get("weights").is_some() {
                assert!(refusal(root.to_string()).contains("frame 0: has 2 numbers, and no \"names\" say which"));
                continue;
            }
            let take = json_take(&root);
            assert_eq!(names(&take), ["_neutral", "jawOpen"], "{root}");
            assert!((take.sample(1, 0.04) - 0.6).abs() < 1e-5 && (take.duration_secs - 0.08).abs() < 1e-6, "{root}");
            assert!(
                warnings(&take).is_empty() && (take.frames_per_sec.unwrap() - 25.0).abs() < 1e-3,
                "{:?}",
                take.notes
            );
        }
    }
}

#[test]
fn mediapipe_frames_without_time_or_face_are_told() {
    let frames = json!([[{"categoryName": "jawOpen", "score": 0.0}], [], [{"categoryName": "jawOpen", "score": 1.0}]]);
    let assumed = json_take(&frames);
    assert_eq!((assumed.sample(0, 1.0 / 30.0), assumed.frames_per_sec), (0.5, Some(30.0)));
    assert_eq!(warnings(&assumed).len(), 2);
    assert!(warnings(&assumed)[0].starts_with("frame 1: no face was seen"), "{:?}", assumed.notes);
    let given = json_take(&json!({"fps": 60, "frames": frames}));
    assert_eq!((given.sample(0, 1.0 / 60.0), given.frames_per_sec), (0.5, Some(60.0)));
}

#[test]
fn json_that_fits_nothing_says_so() {
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
    // The second node's mesh is another instance, and moves the same names: differently in the second clip.
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
fn no_cut_and_no_flipped_byte_is_a_panic() {
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
fn takes_of_a_gltf_file_tell_of_themselves_and_of_what_they_leave() {
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
    let tells = |take: usize, text: &str| warnings(&takes[take]).iter().any(|warning| warning.contains(text));
    assert!(tells(0, "\"talk\", sampler 0: begins at -1 s") && !tells(0, "walk"), "{:?}", takes[0].notes);
    assert!(tells(0, "\"lost\""), "what became no take is told with the first: {:?}", takes[0].notes);
    assert!(tells(1, "\"walk\": also moves 1 nodes; a take holds weights alone"), "{:?}", takes[1].notes);
    assert!(!tells(1, "talk") && !tells(1, "lost"), "{:?}", takes[1].notes);
}
