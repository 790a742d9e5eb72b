//! Takes in JSON and in seconds: Audio2Face and MediaPipe.

use super::*;

#[test]
fn audio2face_tables_have_seconds() {
    let text = ",timeCode,blendShapes.EyeBlinkLeft,blendShapes.JawOpen\n\
                0,0.5,0.0,1.2\n1,0.5333333,0.1,1.3\n2,0.5666667,0.2,1.4\n";
    let table = take("a2f.csv", text);
    assert_eq!(names(&table), ["blendShapes.EyeBlinkLeft", "blendShapes.JawOpen"]);
    assert_eq!(table.frames_per_sec.map(f32::round), Some(30.0));
    // Values beyond 1, which Audio2Face writes if it is set not to clamp.
    assert!((table.sample(1, 1.0 / 30.0) - 1.3).abs() < 1e-4 && table.notes.is_empty());
    let milliseconds = take("ms.csv", "Timestamp,JawOpen\n1000,0\n1040,1\n1080,0\n");
    assert!((milliseconds.duration_secs - 0.08).abs() < 1e-6);
    assert!(notes(&milliseconds, Level::Info)[0].contains("read as milliseconds"));
}

#[test]
fn audio2face_json_opens_and_a_missing_rate_is_noted() {
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
    for (key, rate) in [("fps", json!(24)), ("frameRate", json!("25 fps")), ("exportFPS", json!("24.0"))] {
        let mut file = audio2face();
        file.as_object_mut().unwrap().remove("exportFps");
        file[key] = rate;
        let spelled = json_take(&file);
        assert!(
            matches!(spelled.frames_per_sec, Some(24.0 | 25.0)) && spelled.notes.is_empty(),
            "{key}: {:?}",
            spelled.notes
        );
    }
    let mut file = audio2face();
    file["numFrames"] = json!(4);
    let one_more = json_take(&file);
    assert_eq!(one_more.tracks[0].times().len(), 3);
    assert!(warnings(&one_more)[0].contains("says 4, weightMat has 3; these are used"), "{:?}", one_more.notes);
    let mut file = audio2face();
    file["joints"] = json!(["jaw", "eyeL"]);
    assert!(json_take(&file).notes.is_empty(), "nothing is left out");
    file["rotations"] = json!(vec![[[0.0, 0.0, 0.0, 1.0], [0.0, 0.1, 0.0, 1.0]]; 3]);
    let expected = "rotations: those of the joints \"jaw\", \"eyeL\" are left out; a take has only weights";
    assert_eq!(warnings(&json_take(&file)), [expected]);
    let with_nan = take("nan.json", audio2face().to_string().replace("0.6", "NaN"));
    assert_eq!(with_nan.sample(1, 1.0 / 30.0), 0.5);
    assert!(warnings(&with_nan)[1].starts_with("frame 1: 1 values are missing"), "{:?}", with_nan.notes);
}

#[test]
fn audio2face_json_that_contradicts_itself_is_refused_with_both_numbers() {
    let message = |edit: &dyn Fn(&mut Value)| {
        let mut file = audio2face();
        edit(&mut file);
        refusal(file.to_string())
    };
    assert!(message(&|file| file["numPoses"] = json!(52)).contains("numPoses: says 52, facsNames has 2"));
    assert!(message(&|file| file["numFrames"] = json!(5)).contains("numFrames: says 5, weightMat has 3"));
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
fn mediapipe_frames_of_every_form_open() {
    let category =
        |name: &str, score: f64| json!({"index": 0, "score": score, "categoryName": name, "displayName": ""});
    let categories = |open: f64| json!([category("_neutral", 0.0), category("jawOpen", open)]);
    let snake =
        |open: f64| json!([[{"category_name": "_neutral", "score": 0}, {"category_name": "jawOpen", "score": open}]]);
    let map = |open: f64| json!({"_neutral": 0, "jawOpen": open});
    let forms: [&dyn Fn(f64, f64) -> Value; 7] = [
        &|ms, open| json!({"timestampMs": ms, "faceBlendshapes": [{"headIndex": 0, "categories": categories(open)}]}),
        &|ms, open| json!({"timestamp_ms": ms, "face_blendshapes": snake(open)}),
        &|ms, open| json!({"timestamp": ms, "blendshapes": map(open)}),
        &|ms, open| json!({"time": ms / 1000.0, "frame": 3, "_neutral": 0, "jawOpen": open}),
        &|ms, open| json!({"time_us": ms * 1000.0, "timestampUs": ms * 1000.0, "categories": categories(open)}),
        &|ms, open| json!({"t": ms, "weights": [0, open]}),
        &|ms, open| json!({"timestamp": ms, "blendshapes": [categories(open)]}),
    ];
    for form in forms {
        let frames = json!([form(1000.0, 0.5), form(1040.0, 0.6), form(1080.0, 0.7)]);
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
fn mediapipe_frames_with_several_faces_are_noted() {
    let category = |open: f64| json!({"categoryName": "jawOpen", "score": open});
    let one = json!({"categories": [category(0.5)]});
    let two = json!({"categories": [category(0.9)]});
    for faces in
        [json!([one, two]), json!([[category(0.5)], [category(0.9)]]), json!([{"jawOpen": 0.5}, {"jawOpen": 1}])]
    {
        let frame = |ms: u32, faces: &Value| json!({"timestampMs": ms, "faceBlendshapes": faces});
        let take = json_take(&json!([frame(0, &faces), frame(33, &json!([one])), frame(66, &faces)]));
        assert_eq!((take.sample(0, 0.0), take.sample(0, 0.066)), (0.5, 0.5));
        assert_eq!(warnings(&take), ["frames 0, 2: up to 2 faces each; the first is read"]);
    }
}

#[test]
fn mediapipe_frames_without_time_or_face_are_noted() {
    let frames = json!([[{"categoryName": "jawOpen", "score": 0.0}], [], [{"categoryName": "jawOpen", "score": 1.0}]]);
    let assumed = json_take(&frames);
    assert_eq!((assumed.sample(0, 1.0 / 30.0), assumed.frames_per_sec), (0.5, Some(30.0)));
    assert_eq!(warnings(&assumed).len(), 2);
    assert!(warnings(&assumed)[0].starts_with("frame 1: no face was seen"), "{:?}", assumed.notes);
    let given = json_take(&json!({"fps": 60, "frames": frames}));
    assert_eq!((given.sample(0, 1.0 / 60.0), given.frames_per_sec), (0.5, Some(60.0)));
}

/// Two seconds of a speech service's frames as it sends them: parts of some frames each, which events may deliver out of
/// order. The value of frame n in column c is n / 1000 + c / 100,000.
fn speech_service() -> Vec<Value> {
    let row = |frame: usize| (0..55).map(|column| frame as f64 / 1e3 + column as f64 / 1e5).collect::<Vec<_>>();
    let mut parts: Vec<Value> = [0..27, 27..90, 90..120]
        .into_iter()
        .map(|frames| json!({"FrameIndex": frames.start, "BlendShapes": frames.map(row).collect::<Vec<_>>()}))
        .collect();
    parts.swap(1, 2);
    parts
}

#[test]
fn a_whole_file_of_a_speech_service_is_a_take_of_60_frames_a_second() {
    let parts = speech_service();
    let lines = parts.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    for take in [json_take(&json!(parts)), take("lines.json", lines)] {
        assert_eq!(
            (take.columns.len(), take.frames_per_sec, take.notes.len()),
            (55, Some(60.0), 0),
            "{:?}",
            take.notes
        );
        assert!((take.duration_secs - 119.0 / 60.0).abs() < 1e-4);
        // Where the service's documentation lists them, with the jaw's and the mouth's left before their right.
        for (at, name) in [
            (0, "EyeBlinkLeft"),
            (15, "JawLeft"),
            (16, "JawRight"),
            (17, "JawOpen"),
            (21, "MouthLeft"),
            (51, "TongueOut"),
            (52, "HeadRoll"),
            (54, "RightEyeRoll"),
        ] {
            assert_eq!(names(&take)[at], name);
        }
        for frame in [0, 26, 27, 89, 90, 119] {
            let value = take.sample(17, frame as f32 / 60.0);
            assert!((value - (frame as f32 / 1e3 + 17e-5)).abs() < 1e-5, "frame {frame}: {value}");
        }
    }
    let mut short = speech_service();
    short[2]["BlendShapes"][5].as_array_mut().unwrap().pop();
    assert!(refusal(json!(short).to_string()).contains("frame 32: has 54 numbers, not the 55 of a speech service"));
}

/// A message of FACSvatar at a time in seconds.
fn facsvatar(secs: f64, yaw: f64, smile: f64) -> Value {
    json!({
        "frame": 7, "timestamp": secs, "confidence": 0.9,
        "pose": {"pose_Tx": 0.0, "pose_Ty": 1.0, "pose_Tz": 300.0, "pose_Rx": 0.0, "pose_Ry": yaw, "pose_Rz": 0.0},
        "gaze": {"gaze_angle_x": 0.0, "gaze_angle_y": 0.0},
        "au_r": {"AU01": 0.25, "AU12": smile},
        "au_c": {"AU12": 1},
    })
}

#[test]
fn messages_of_facsvatar_are_frames_in_a_list_or_one_a_line() {
    let mut lost = facsvatar(0.1, 0.2, 0.9);
    lost["confidence"] = json!(0.1);
    let messages = [facsvatar(0.0, 0.0, 0.0), lost, facsvatar(0.2, 0.3, 1.0)];
    let listed = json_take(&json!(messages));
    let lines = messages.each_ref().map(Value::to_string).join("\n");
    let logged = take("log.json", format!("{lines}\n\n"));
    assert_eq!((names(&listed), &listed.tracks), (names(&logged), &logged.tracks));
    assert_eq!(names(&listed)[..4], ["AU01", "AU12", "HeadYaw", "HeadPitch"]);
    assert_eq!(names(&listed).len(), 11);
    let value = |name: &str, secs: f32| {
        let column = names(&listed).iter().position(|other| *other == name).unwrap();
        listed.sample(column, secs)
    };
    // A turn to the own right is below 0; eyes that look into the camera turn back.
    assert!((value("HeadYaw", 0.2) + 0.3).abs() < 1e-5 && (value("LeftEyeYaw", 0.2) + 0.3).abs() < 1e-5);
    assert!((value("AU12", 0.1) - 0.5).abs() < 1e-5, "the lost frame is bridged");
    assert!(warnings(&listed)[0].contains("frame 1: no face was seen"), "{:?}", listed.notes);
    let alone = take("message.json", serde_json::to_string_pretty(&messages[2]).unwrap());
    assert_eq!(names(&alone), names(&listed));
    let smile = names(&alone).iter().position(|name| *name == "AU12").unwrap();
    assert_eq!((alone.duration_secs, alone.sample(smile, 0.0)), (0.0, 1.0));
    for (bytes, words) in [(format!("{lines}\n{{\"au_r\": "), "JSON"), (lines.replace("0.25", "\"much\""), "")] {
        match open("bad.csv", bytes.as_bytes()) {
            Err(message) => assert!(message.contains(words) && !message.contains('\n'), "{message}"),
            Ok(takes) => assert!(words.is_empty() && names(&takes[0]).contains(&"AU12"), "{words}: {takes:?}"),
        }
    }
}
